// The model on LibTorch, behind plain data: only torch_model.cpp sees a torch header, which costs half a minute to compile.
#pragma once
#include <memory>
#include <string>

#include "native/batch.h"
#include "shared/decoding/greedy.h"
#include "shared/model/parameters.h"

namespace softalign {

class TorchModel {
 public:
  // `device`: auto (CUDA where it works, else the CPU), cpu or cuda. NO_DEVICE when cuda is asked for and cannot be used.
  // `threads`: LibTorch's threads within one operation.
  static Result<std::unique_ptr<TorchModel>> create(const Config& config, const PlainParameters& params,
                                                    const std::string& device, int threads);
  ~TorchModel();

  // One step of Adam (lr 2e-3, gradient norm clipped at 1) on the mean loss of Eq. 5.
  // EMPTY, with every weight untouched, when the batch has no target token that is not <pad>.
  Status train_step(const Batch& batch);
  // The loss that the last train_step computed, in nats per token. Waits for the device.
  double last_loss() const;
  // The loss of a batch without learning from it.
  double loss(const Batch& batch) const;

  // Teacher-forced logits (B,T,V) and weights (B,T,S), empty for the plain model.
  struct Forward {
    std::vector<float> z, alpha;
  };
  Forward forward(const Batch& batch) const;
  Decoded greedy(const Source& source, int max_len);

  PlainParameters parameters() const;
  // For people: "cpu, 1 thread" or the name of the GPU.
  const std::string& device() const;
  // For manifests: version and BLAS of the library that runs.
  static std::string library();

 private:
  struct Implementation;
  explicit TorchModel(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace softalign
