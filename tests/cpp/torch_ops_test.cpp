// The operations and the whole model on LibTorch: the suites that every backend passes.
#include "torch_lab.h"
#include "model_suite.h"
#include "ops_suite.h"

namespace softalign {
INSTANTIATE_TYPED_TEST_SUITE_P(Torch, Ops, TorchLab);
INSTANTIATE_TYPED_TEST_SUITE_P(Torch, Model, TorchLab);
}  // namespace softalign
