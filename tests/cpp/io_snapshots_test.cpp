// Snapshots: how near they stay to the weights, what their files hold, and what a file must not be.
#include <gtest/gtest.h>

#include <cmath>

#include "io_small_models.h"
#include "shared/io/snapshots.h"

namespace softalign {
namespace {

using namespace small_models;

PlainParameters drawn(const Config& config, uint64_t seed) {
  Random random(seed);
  return initialise(config, random);
}

// The model of seed 1 on its way to that of seed 2, in even steps.
PlainParameters on_the_way(const Config& config, double share) {
  PlainParameters params = drawn(config, 1);
  const PlainParameters end = drawn(config, 2);
  const auto ends = parameter_list(config, end);
  const auto* to = ends.begin();
  each_parameter(config, params, [&](const ParameterInfo&, std::vector<float>& weights) {
    const std::vector<float>& target = *(to++)->weight;
    for (size_t i = 0; i < weights.size(); ++i)
      weights[i] += static_cast<float>(share * (target[i] - weights[i]));
  });
  return params;
}

Snapshots some(const Config& config) {
  Snapshots snapshots{1, {}, {}};
  PlainParameters decoded = drawn(config, 1);
  for (const int step : {1, 10, 100, 4000}) snapshots.taken.push_back(take_snapshot(config, step, on_the_way(config, step / 4000.0), decoded));
  return snapshots;
}

PlainParameters played(const Config& config, const Snapshots& snapshots) {
  PlainParameters weights = drawn(config, snapshots.seed);
  for (const Snapshot& snapshot : snapshots.taken) play(config, snapshot, weights);
  return weights;
}

// Errors do not add up over the snapshots: the last one is as near as a single one would be.
TEST(Snapshots, DecodeToTheWeightsWithinHalfAUnit) {
  for (const Score score : scores) {
    const Config config = small(score);
    const Snapshots snapshots = some(config);
    const PlainParameters found = played(config, snapshots), trained = on_the_way(config, 1);
    const auto expected = parameter_list(config, trained);
    const auto* to = expected.begin();
    size_t tensor = 0;
    each_parameter(config, found, [&](const ParameterInfo& info, const std::vector<float>& weights) {
      const std::vector<float>& exact = *(to++)->weight;
      double sum = 0;
      for (const float weight : exact) sum += static_cast<double>(weight) * weight;
      const double unit = std::sqrt(sum / static_cast<double>(exact.size())) / 16;
      EXPECT_NEAR(snapshots.taken.back().units[tensor++], unit, 1e-6) << info.name;
      for (size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(weights[i], exact[i], 0.5 * unit + 1e-6) << info.name;
    });
  }
}

// A jump of more than 127 units is cut off, and made good by the next snapshots.
TEST(Snapshots, CatchUpWithAJump) {
  const Config config = small(Score::none);
  PlainParameters decoded = drawn(config, 1), far = decoded;
  far.b_o.assign(far.b_o.size(), 0.001f);
  far.b_o[0] = 0.02f, decoded.b_o[0] = 1;
  Snapshot first = take_snapshot(config, 1, far, decoded);
  EXPECT_GT(std::abs(decoded.b_o[0] - far.b_o[0]), 0.5f);
  for (int step = 2; step < 16; ++step) take_snapshot(config, step, far, decoded);
  EXPECT_NEAR(decoded.b_o[0], far.b_o[0], first.units.back());
}

TEST(Snapshots, FilesHoldThemAll) {
  const Config config = small(Score::additive);
  Snapshots snapshots = some(config);
  for (const bool measured : {false, true}) {
    if (measured) snapshots.measured = {{2.7f, 2, 1, 0.5f, 0.25f}, std::vector<float>(5 * measured_K, 0.125f)};
    const Result<Snapshots> read = read_snapshots(config, *write_snapshots(config, snapshots));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->seed, 1u);
    ASSERT_EQ(read->taken.size(), 4u);
    for (size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(read->taken[k].step, snapshots.taken[k].step);
      EXPECT_EQ(read->taken[k].units, snapshots.taken[k].units);
      EXPECT_EQ(read->taken[k].deltas, snapshots.taken[k].deltas);
    }
    EXPECT_EQ(read->measured.loss, snapshots.measured.loss);
    EXPECT_EQ(read->measured.exact_match, snapshots.measured.exact_match);
  }
}

// A file of format 1 stays readable: the models of seeds 1 and 2 after 5 and 4,000 steps.
TEST(Snapshots, ReadTheCommittedFileOfFormat1) {
  Config config = small(Score::additive);
  config.ordering = Ordering::bahdanau, config.encoder = Encoder::bi;
  const Result<Snapshots> read = read_snapshots(config, golden("snapshots_1.safetensors"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->taken.size(), 2u);
  EXPECT_EQ(read->taken[0].step, 5);
  EXPECT_EQ(read->taken[1].step, 4000);
  EXPECT_EQ(read->measured.loss, (std::vector<float>{2.75f, 2.5f, 0.125f}));
  EXPECT_EQ(read->measured.exact_match, std::vector<float>(3 * measured_K, 0.5f));
  const PlainParameters weights = played(config, *read), expected = drawn(config, 2);
  for (size_t i = 0; i < expected.W_o.size(); ++i)
    EXPECT_NEAR(weights.W_o[i], expected.W_o[i], read->taken[1].units.back() + 0.05);
}

TEST(Snapshots, OtherFilesAreRefused) {
  const Config config = small(Score::dot);
  const auto refused = [&](const Bytes& file) {
    const Result<Snapshots> read = read_snapshots(config, file);
    return read ? std::string("accepted") : std::string(name(read.error().code)) + ": " + read.error().message;
  };
  const Bytes good = *write_snapshots(config, some(config));
  EXPECT_EQ(refused(good), "accepted");
  EXPECT_NE(refused(small_file(Score::dot)).find("WRONG_MODEL: it holds no snapshots"), std::string::npos);
  EXPECT_NE(refused(*write_snapshots(small(Score::general), some(small(Score::general)))).find("WRONG_MODEL"), std::string::npos);
  EXPECT_NE(refused(Parts(good).without("W_c.weight").file()).find("BAD_WEIGHTS: its tensor \"W_c.weight\""), std::string::npos);
  EXPECT_NE(refused(Parts(good).state("softalign.snapshots", "2").file()).find("NEWER_FORMAT"), std::string::npos);
  for (const char* steps : {"1 10 100", "", "4 3 2 1", "1 2 3 x", "1 2 3 99999999999999999999999"})
    EXPECT_NE(refused(Parts(good).state("softalign.snapshot_steps", steps).file()).find("BAD_WEIGHTS"), std::string::npos) << steps;
  EXPECT_NE(refused(Parts(good).state("softalign.seed", "-1").file()).find("BAD_WEIGHTS"), std::string::npos);
  for (size_t cut : {0u, 9u, 300u}) EXPECT_NE(refused(Bytes(good.begin(), good.begin() + cut)).find("BAD_WEIGHTS"), std::string::npos);
  Parts whole(small_file(Score::dot));
  whole["W_o.bias"].values.assign(whole["W_o.bias"].values.size(), 3), whole["W_o.bias"].dtype = DType::I8;
  EXPECT_TRUE(small_models::refused(whole.file(), ErrorCode::WRONG_MODEL, {"\"W_o.bias\" has whole numbers"}));
}

}  // namespace
}  // namespace softalign
