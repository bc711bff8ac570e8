// Beam search on LibTorch finds what it finds on Eigen, for every trained model.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "shared/decoding/model_tokens.h"
#include "shared/eigen/inference_model.h"
#include "shared/task/dates.h"
#include "torch_lab.h"

namespace softalign {
namespace {

// The first five test sources of each K.
std::vector<Example> some_examples() {
  std::vector<Example> some;
  const auto all = test_split();
  for (int K = 1; K <= max_trained_K; ++K)
    for (int i = 0; i < 5; ++i) some.push_back(all[static_cast<size_t>(K - 1) * test_examples_per_K + i]);
  return some;
}

BeamSearch on_libtorch(TorchLab& lab, const Config& config, const Parameters<TorchBackend>& params, const Source& source,
                       const BeamSettings& settings) {
  torch::NoGradGuard no_grad;
  const auto S = static_cast<int32_t>(source.ids().size());
  Memory<TorchBackend> memory;
  encode(lab.backend, config, params, {lab.backend.ids(source.ids(), 1, S), lab.backend.lengths({&S, 1}, S)}, memory);
  BeamWorkspace<TorchBackend> workspace;
  ModelTokens<TorchBackend> next(lab.backend, config, params, memory, workspace);
  return *beam_search(next, settings);
}

TEST(Beams, LibTorchFindsWhatEigenFinds) {
  int models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(SOFTALIGN_SOURCE_DIR "/models")) {
    const auto& path = entry.path();
    if (path.extension() != ".safetensors" || path.stem().extension() == ".probe") continue;
    ++models;
    std::ifstream file(path, std::ios::binary);
    const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    const Checkpoint checkpoint = *read_checkpoint(bytes);
    auto eigen = InferenceModel::create(checkpoint);
    ASSERT_TRUE(eigen.ok()) << path;
    TorchLab lab;
    const auto params = lab.parameters(checkpoint.config, checkpoint.params);
    for (const Example& example : some_examples())
      for (const int B : {1, 3, 5}) {
        const Source source = *make_source(example.source);
        const BeamSettings settings{.B = B, .max_len = lab_max_len, .n_best = B};
        const BeamSearch theirs = on_libtorch(lab, checkpoint.config, params, source, settings);
        const BeamSearch ours = *(*eigen)->beam(source, settings);
        ASSERT_FALSE(ours.best.empty() || theirs.best.empty());
        EXPECT_EQ(theirs.best[0].tokens, ours.best[0].tokens) << path << " " << example.source << " B = " << B;
        EXPECT_NEAR(theirs.best[0].log_prob, ours.best[0].log_prob, 1e-4) << path << " " << example.source;
      }
  }
  EXPECT_GT(models, 4);
}

}  // namespace
}  // namespace softalign
