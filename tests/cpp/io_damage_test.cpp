// Damaged files of whole models: a typed error or the same weights, within a bound on memory, wherever the damage lies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "io_small_models.h"

// Every allocation of this program, counted, so that a test can say how much a call asked for at most.
namespace {
constexpr size_t prefix = 16;  // holds a block's size, and keeps its alignment
size_t live_bytes = 0, peak_bytes = 0;
}  // namespace

void* operator new(size_t size) {
  void* block = std::malloc(size + prefix);
  if (!block) std::abort();
  *static_cast<size_t*>(block) = size;
  live_bytes += size;
  peak_bytes = std::max(peak_bytes, live_bytes);
  return static_cast<char*>(block) + prefix;
}
// std::stable_sort asks for its room this way, and gives it back to the delete below.
void* operator new(size_t size, const std::nothrow_t&) noexcept { return operator new(size); }
// Not inlined, or g++ holds the step back over the prefix against the vector that asked for the block.
[[gnu::noinline]] void operator delete(void* at) noexcept {
  if (!at) return;
  void* block = static_cast<char*>(at) - prefix;
  live_bytes -= *static_cast<size_t*>(block);
  std::free(block);
}
[[gnu::noinline]] void operator delete(void* at, size_t) noexcept { operator delete(at); }

namespace softalign {
namespace {

using namespace small_models;
using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

// Reads damaged bytes: a typed error or exactly the weights of `original`, within the memory allowed.
class Damage {
 public:
  explicit Damage(const Bytes& file) : original_(*read_checkpoint(file)), weights_(weights_of(original_)) {}

  AssertionResult harmless(std::span<const uint8_t> file) {
    const size_t before = live_bytes;
    peak_bytes = before;
    const Result<Checkpoint> read = read_checkpoint(file);
    const size_t asked = peak_bytes - before;
    if (asked > 2 * file.size() + 4096)  // 4 KiB for error texts and the list of weights
      return AssertionFailure() << asked << " bytes of memory for a file of " << file.size();
    if (!read) {
      ++refused;
      return read.error().message.empty() ? AssertionFailure() << "an error without a message" : AssertionSuccess();
    }
    ++accepted;
    if (read->config != original_.config) return AssertionFailure() << "another config";
    return weights_of(*read) == weights_ ? AssertionSuccess() : AssertionFailure() << "other weights";
  }

  int refused = 0, accepted = 0;

 private:
  Checkpoint original_;
  std::vector<std::vector<float>> weights_;
};

TEST(CheckpointDamage, EveryBitOfTheHeaderFlipped) {
  for (Score score : scores) {
    Checkpoint checkpoint = untrained(small(score));
    checkpoint.metadata.push_back({"softalign.source_vocabulary", "ab\u20acde"});
    checkpoint.metadata.push_back({"softalign.target_vocabulary", "01"});
    Bytes file = *write_checkpoint(checkpoint, score == Score::dot ? DType::F16 : DType::F32);
    Damage damage(file);
    const size_t header_end = 8 + (file[0] | file[1] << 8);
    for (size_t bit = 0; bit < 8 * header_end; ++bit) {
      file[bit / 8] ^= 1 << bit % 8;
      ASSERT_TRUE(damage.harmless(file)) << "bit " << bit % 8 << " of byte " << bit / 8;
      file[bit / 8] ^= 1 << bit % 8;
    }
    EXPECT_GT(damage.refused, 5 * damage.accepted);
    EXPECT_GT(damage.accepted, 0);  // letters of free metadata
  }
}

TEST(CheckpointDamage, CutAtEveryByte) {
  const Bytes file = small_file(Score::additive);
  Damage damage(file);
  for (size_t size = 0; size < file.size(); ++size) {
    ASSERT_TRUE(damage.harmless({file.data(), size}));
    EXPECT_TRUE(refused(Bytes(file.begin(), file.begin() + size), ErrorCode::BAD_WEIGHTS,
                        {"file ends early: " + std::to_string(size) + " of "}));
  }
  EXPECT_EQ(damage.accepted, 0);
}

TEST(CheckpointDamage, LabModelCutAtEveryHeaderByteAndAtRandomPlaces) {
  const Bytes file = *write_checkpoint(untrained({}));
  Damage damage(file);
  ASSERT_TRUE(damage.harmless(file));
  ASSERT_EQ(damage.accepted, 1);
  const size_t header_end = 8 + (file[0] | file[1] << 8);
  for (size_t size = 0; size <= header_end; ++size) ASSERT_TRUE(damage.harmless({file.data(), size})) << size;
  Random random(3);
  for (int i = 0; i < 10000; ++i) {
    const size_t size = random.randbelow(static_cast<uint32_t>(file.size()));
    ASSERT_TRUE(damage.harmless({file.data(), size})) << size;
  }
  EXPECT_EQ(damage.accepted, 1);
}

TEST(CheckpointDamage, BytesOfTheHeaderReplacedRemovedAndDoubled) {
  const Bytes file = small_file(Score::general);
  Damage damage(file);
  const size_t header_end = 8 + (file[0] | file[1] << 8);
  for (size_t at = 8; at < header_end; ++at) {
    Bytes changed = file;
    for (char c : std::string_view("\"\\{}[],:0u9 \0\xff", 14)) {
      changed[at] = static_cast<uint8_t>(c);
      ASSERT_TRUE(damage.harmless(changed)) << "byte " << at << " as " << c;
    }
    changed = file;
    changed.erase(changed.begin() + at);
    ASSERT_TRUE(damage.harmless(changed)) << "without byte " << at;
    changed.assign(file.begin(), file.begin() + at + 1);
    changed.insert(changed.end(), file.begin() + at, file.end());
    ASSERT_TRUE(damage.harmless(changed)) << "byte " << at << " twice";
  }
}

TEST(CheckpointDamage, HostileHeadersAskForLittleMemory) {
  const auto asked = [](const Bytes& file) {
    const size_t before = live_bytes;
    peak_bytes = before;
    EXPECT_FALSE(read_checkpoint(file));
    return peak_bytes - before;
  };
  std::string tensors, metadata, ones;
  for (int i = 0; i < 100000; ++i)
    tensors += (i ? "," : "") + entry("t" + std::to_string(i), "F32", "1", 4 * i, 4 * i + 4);
  for (int i = 0; i < 100000; ++i) metadata += (i ? ",\"" : "\"") + std::to_string(i) + "\":\"\"";
  for (int i = 0; i < 1000000; ++i) ones += i ? ",1" : "1";
  for (const Bytes& file :
       {file_of("{" + tensors + "}", 400000), file_of("{\"__metadata__\":{" + metadata + "}}", 0),
        file_of("{" + entry("x", "F32", ones, 0, 4) + "}", 4),
        file_of("{" + entry("x", "F32", "100000000000", 0, 4) + "}", 4), file_of(std::string(1000000, '{'), 0),
        file_of("{\"" + std::string(1000000, '\\') + "\":", 0),
        file_of("{" + entry(std::string(1000000, 'x'), "F32", "", 0, 4) + "}", 4)})
    EXPECT_LT(asked(file), 2 * file.size() + 4096);
}

}  // namespace
}  // namespace softalign
