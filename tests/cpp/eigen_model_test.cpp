// The whole model on Eigen: the suite that every backend passes, the weights list, the golden vector, and no allocation per step.
#include "eigen_lab.h"
#include "model_suite.h"
#include "shared/eigen/inference_model.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// Counts every allocation of this program, whoever asks for it.
#define SOFTALIGN_COUNTS_ALLOCATIONS
extern "C" void* __libc_malloc(size_t);
extern "C" void* __libc_memalign(size_t, size_t);
static int allocations = 0;
extern "C" void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }
extern "C" void* aligned_alloc(size_t alignment, size_t size) { return ++allocations, __libc_memalign(alignment, size); }
#endif

namespace softalign {
INSTANTIATE_TYPED_TEST_SUITE_P(Eigen, Model, EigenLab);
namespace {

// Of the lab's sizes.
Checkpoint untrained(const Config& small, uint64_t seed = 0) {
  Checkpoint checkpoint;
  checkpoint.config = {.score = small.score, .ordering = small.ordering, .encoder = small.encoder};
  checkpoint.params = random_weights(checkpoint.config, seed);
  return checkpoint;
}

TEST(Parameters, CountsAreTheLabs) {
  const size_t expected[] = {128239, 161135, 177519, 177583};
  for (Score score : every_score) {
    Config config;
    config.score = score;
    EXPECT_EQ(parameter_count(config), expected[static_cast<int>(score)]) << name(score);
  }
  EXPECT_EQ(parameter_count({.score = Score::additive, .ordering = Ordering::bahdanau, .encoder = Encoder::bi}), 346287u);
}

TEST(Parameters, IllegalConfigsAreRefusedWithTheReason) {
  auto refused = [](Config config) { return checked(config).ok() ? "" : checked(config).error().message; };
  EXPECT_EQ(refused(Config{}), "");
  EXPECT_NE(refused({.score = Score::dot, .encoder = Encoder::bi}).find("equal size"), std::string::npos);
  EXPECT_NE(refused({.score = Score::none, .ordering = Ordering::bahdanau}).find("no context"), std::string::npos);
  EXPECT_NE(refused({.d_h = 0}).find("between 1 and"), std::string::npos);
  EXPECT_NE(refused({.V_tgt = 2}).find("<eos>"), std::string::npos);
}

TEST(Parameters, SameSeedSameModel) {
  const Config config;
  EXPECT_EQ(random_weights(config, 4).W_c, random_weights(config, 4).W_c);
  EXPECT_NE(random_weights(config, 4).W_c, random_weights(config, 5).W_c);
  const auto weights = random_weights(config, 4);
  for (int col = 0; col < config.d_emb; ++col) EXPECT_EQ(weights.src_emb[col], 0) << "row 0 is the embedding of <pad>";
}

#ifdef SOFTALIGN_COUNTS_ALLOCATIONS
TEST(InferenceModel, StepsAllocateNothing) {
  for (const Config& config : every_config()) {
    auto model = InferenceModel::create(untrained(config));
    ASSERT_TRUE(model.ok());
    const Source source = *make_source("between July 24, 2041 and February 14, 1914");
    const Decoded warm = (*model)->greedy(source, 100);
    auto allocations_for = [&](int max_len) {
      const int before = allocations;
      const Decoded decoded = (*model)->greedy(source, max_len);
      return allocations - before;
    };
    EXPECT_EQ(allocations_for(2), allocations_for(100)) << name(config);
    EXPECT_GT(allocations_for(2), 0) << "the counter counts";
  }
}
#endif

// L25: two gates swapped leave a well-formed file with the right shapes; the golden vector tells.
TEST(InferenceModel, GoldenVectorTellsSwappedGates) {
  for (const Config& config : every_config()) {
    const auto bytes = write_with_golden_vector(untrained(config), DType::F16);
    ASSERT_TRUE(bytes.ok());
    auto checkpoint = read_checkpoint(*bytes);
    ASSERT_TRUE(checkpoint.ok());
    EXPECT_TRUE(InferenceModel::create(*checkpoint).ok());
    auto& gates = checkpoint->params.dec.weight_hh;
    std::swap_ranges(gates.begin(), gates.begin() + 128 * 128, gates.begin() + 128 * 128);
    const auto refused = InferenceModel::create(*checkpoint);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::WRONG_MODEL);
    std::erase_if(checkpoint->metadata, [](const auto& entry) { return entry.first == metadata_keys::golden; });
    EXPECT_TRUE(InferenceModel::create(*checkpoint).ok()) << "a file without a golden vector is taken as it is";
  }
}

TEST(InferenceModel, DamagedGoldenVectorIsRefused) {
  auto checkpoint = *read_checkpoint(*write_with_golden_vector(untrained(Config{}), DType::F32));
  for (auto& [key, value] : checkpoint.metadata)
    if (key == metadata_keys::golden) value[0] = 'x';
  EXPECT_FALSE(InferenceModel::create(checkpoint).ok());
}

// L21: the showcase alone and the showcase in a batch padded to 96.
TEST(InferenceModel, ShowcasePaddedTo96) {
  const Config config;
  EigenLab lab;
  auto params = lab.parameters(config, random_weights(config, 1));
  Workspace<InferenceBackend> workspace;
  lab.reserve(config, {.B = 1, .S = 96, .T = 11}, workspace);
  const Source source = *make_source("3 March 2021");
  auto tgt_in = target_ids("2021-03-03");
  tgt_in.insert(tgt_in.begin(), bos);
  auto alphas = [&](int S) {
    auto ids = source.ids();
    ids.resize(S, pad);
    const std::vector<int32_t> counts{12};
    forward(lab.backend, config, params, {lab.backend.ids(ids, 1, S), lab.lengths(counts, S)},
            lab.backend.ids(tgt_in, 1, 11), workspace.memory, workspace.steps[0]);
    const auto host = lab.backend.to_host(workspace.steps[0].alpha);
    return std::vector<float>(host.begin(), host.end());
  };
  const auto alone = alphas(12), padded = alphas(96);
  for (int t = 0; t < 11; ++t)
    for (int i = 0; i < 96; ++i) EXPECT_EQ(padded[t * 96 + i], i < 12 ? alone[t * 12 + i] : 0.0f);
}

}  // namespace
}  // namespace softalign
