// The operations and the whole model on LibTorch: the suites that every backend passes.
#include "torch_lab.h"
#include "model_suite.h"
#include "ops_suite.h"

namespace softalign {
INSTANTIATE_TYPED_TEST_SUITE_P(Torch, Ops, TorchLab);
INSTANTIATE_TYPED_TEST_SUITE_P(Torch, Model, TorchLab);
INSTANTIATE_TYPED_TEST_SUITE_P(TorchOwn, Ops, TorchOwnLab);
INSTANTIATE_TYPED_TEST_SUITE_P(TorchOwn, Model, TorchOwnLab);
namespace {

// L22: a softmax over nothing but -infinity is 0 after the mask and NaN in its gradient, which would end a training run.
TEST(TorchBackend, FullyMaskedRowHasAFiniteGradient) {
  TorchLab lab;
  torch::Tensor score = lab.tensor({3, -1, 2, 0.5f}, 2, 1, 2).set_requires_grad(true), alpha;
  lab.backend.masked_softmax(alpha, score, lab.lengths({0, 2}, 2));
  (alpha * lab.tensor({1, 2, 3, 4}, 2, 1, 2)).sum().backward();
  const auto found = lab.backend.to_host(score.grad());
  const double p = 1 / (1 + std::exp(-1.5));  // of 2 beside 0.5
  const double expected[] = {0, 0, -p * (1 - p), p * (1 - p)};
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
}

}  // namespace
}  // namespace softalign
