// Plain numbers in, LibTorch's types out: what the suites over backends need to run on LibTorch.
#pragma once
#include <vector>

#include "native/torch_backend.h"

namespace softalign {

struct TorchLab {
  using B = TorchBackend;
  explicit TorchLab(Kernels kernels = Kernels::torch) : backend(torch::kCPU, kernels) {}
  B backend;

  B::Tensor empty(size_t) { return {}; }
  B::Tensor tensor(const std::vector<float>& values, int b, int t, int d) {
    return torch::tensor(values).view({b, t, d});
  }
  B::Weight weight(const std::vector<float>& values, int cols) {
    return cols ? torch::tensor(values).view({-1, cols}) : torch::tensor(values);
  }
  B::Lengths lengths(const std::vector<int32_t>& counts, int S) { return backend.lengths(counts, S); }

  void prepare_gru(const B::Weight&, GruWeights<B>&) {}  // LibTorch has no tables to prepare
  Parameters<B> parameters(const Config& config, PlainParameters plain) {
    std::vector<torch::Tensor> weights;
    each_parameter(config, plain, [&](const ParameterInfo& info, std::vector<float>& values) {
      weights.push_back(weight(values, info.shape.cols));
    });
    Parameters<B> params;
    size_t next = 0;
    each_parameter(config, params, [&](const ParameterInfo&, torch::Tensor& weight) { weight = weights[next++]; });
    return params;
  }
  void reserve(const Config&, const Limits&, Workspace<B>&) {}
};

// The same with the GRU and the additive score of shared/eigen, as training on a CPU takes them.
struct TorchOwnLab : TorchLab {
  TorchOwnLab() : TorchLab(Kernels::own) {}
};

}  // namespace softalign
