// Probes: what a file holds, what it must not be, and the two fits on numbers with known answers.
#include <gtest/gtest.h>

#include "io_small_models.h"
#include "shared/eigen/linear_fit.h"
#include "shared/io/probe.h"

namespace softalign {
namespace {

using namespace small_models;

Probe some(const Config& config) {
  Random random(3);
  const auto draw = [&](int n) {
    std::vector<float> values(n);
    for (float& value : values) value = static_cast<float>(random.normal());
    return values;
  };
  const int D = config.score == Score::additive ? config.d_a : config.d_h;
  Probe probe{"abc", {D, draw(D), draw(2 * D), {0.5f, 0.25f}}, {}, draw(probe_positions)};
  for (size_t i = 0; i < readout_infos.size(); ++i)
    probe.readouts[i] = {draw(readout_infos[i].classes * config.d_enc()), draw(readout_infos[i].classes),
                         draw(probe_positions), draw(probe_positions)};
  return probe;
}

TEST(Probe, FilesHoldAllOfIt) {
  for (const Score score : scores) {
    const Config config = small(score);
    const Probe probe = some(config);
    const Result<Probe> read = read_probe(config, *write_probe(config, probe));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->weights_sha256, "abc");
    EXPECT_EQ(read->plane.D, probe.plane.D);
    EXPECT_EQ(read->plane.mean, probe.plane.mean);
    EXPECT_EQ(read->plane.axes, probe.plane.axes);
    EXPECT_EQ(read->plane.explained, probe.plane.explained);
    EXPECT_EQ(read->count, probe.count);
    for (size_t i = 0; i < readout_infos.size(); ++i) {
      EXPECT_EQ(read->readouts[i].weight, probe.readouts[i].weight);
      EXPECT_EQ(read->readouts[i].bias, probe.readouts[i].bias);
      EXPECT_EQ(read->readouts[i].accuracy, probe.readouts[i].accuracy);
      EXPECT_EQ(read->readouts[i].majority, probe.readouts[i].majority);
    }
  }
}

// A file of format 1 stays readable.
TEST(Probe, ReadsTheCommittedFileOfFormat1) {
  Config config = small(Score::additive);
  config.ordering = Ordering::bahdanau, config.encoder = Encoder::bi;
  const Result<Probe> read = read_probe(config, golden("probe_1.safetensors"));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->weights_sha256, "0123");
  EXPECT_EQ(read->plane.explained, (std::array<float, 2>{0.5f, 0.25f}));
  EXPECT_EQ(read->readouts[2].weight[3], 2.75f);
  EXPECT_EQ(read->count[1], 1.25f);
}

TEST(Probe, OtherFilesAreRefused) {
  const Config config = small(Score::dot);
  const Bytes good = *write_probe(config, some(config));
  const auto refused = [&](const Bytes& file) {
    const Result<Probe> read = read_probe(config, file);
    return read ? std::string("accepted") : std::string(name(read.error().code)) + ": " + read.error().message;
  };
  EXPECT_EQ(refused(good), "accepted");
  EXPECT_NE(refused(small_file(Score::dot)).find("WRONG_MODEL: it holds no probe"), std::string::npos);
  EXPECT_NE(refused(*write_probe(small(Score::additive), some(small(Score::additive)))).find("\"plane.mean\""), std::string::npos);
  EXPECT_NE(refused(Parts(good).without("day.bias").file()).find("\"day.bias\""), std::string::npos);
  EXPECT_NE(refused(Parts(good).state("softalign.probe", "2").file()).find("NEWER_FORMAT"), std::string::npos);
  EXPECT_NE(refused(Bytes(good.begin(), good.begin() + 50)).find("BAD_WEIGHTS"), std::string::npos);
}

// Points along (3, 4) / 5, and a fifth as far along (-4, 3) / 5, around (10, 20).
TEST(LinearFit, PrincipalAxesOfAFlatCloud) {
  std::vector<float> rows;
  for (int a = -50; a <= 50; ++a)
    for (int b = -50; b <= 50; ++b) {
      rows.push_back(10 + 0.6f * a - 0.16f * b);
      rows.push_back(20 + 0.8f * a + 0.12f * b);
    }
  const PrincipalAxes found = principal_axes(rows, 2);
  EXPECT_NEAR(found.mean[0], 10, 1e-5);
  EXPECT_NEAR(found.mean[1], 20, 1e-5);
  const float expected[] = {0.6f, 0.8f, 0.8f, -0.6f};  // the largest entry of each is positive
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found.axes[i], expected[i], 1e-5);
  EXPECT_NEAR(found.explained[0], 1 / 1.04, 1e-5);
  EXPECT_NEAR(found.explained[1], 0.04 / 1.04, 1e-5);
}

TEST(LinearFit, RidgeFindsTheMapAndShrinksIt) {
  Random random(5);
  std::vector<float> rows, targets;
  for (int i = 0; i < 5000; ++i) {
    const double x = random.normal(), y = random.normal();
    rows.push_back(static_cast<float>(x)), rows.push_back(static_cast<float>(y));
    targets.push_back(static_cast<float>(2 * x - y + 3)), targets.push_back(static_cast<float>(0.5 * y - 1));
  }
  const LinearFit fit = ridge_fit(rows, 2, targets, 2, 0);
  const float expected[] = {2, -1, 0, 0.5f};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(fit.weight[i], expected[i], 1e-5);
  EXPECT_NEAR(fit.bias[0], 3, 1e-5);
  EXPECT_NEAR(fit.bias[1], -1, 1e-5);
  const LinearFit shrunk = ridge_fit(rows, 2, targets, 2, 5000);  // as much as the data: half of it is left
  EXPECT_NEAR(shrunk.weight[0], 1, 0.05);
}

}  // namespace
}  // namespace softalign
