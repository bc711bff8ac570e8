// The model on LibTorch, behind plain data: only torch_model.cpp sees a torch header, which costs half a minute to compile.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "native/batch.h"
#include "shared/decoding/greedy.h"
#include "shared/model/parameters.h"

namespace softalign {

inline constexpr std::array<std::string_view, 2> gru_names{"own", "torch"};

struct TorchSettings {
  std::string device = "auto";  // auto (CUDA where it works, else the CPU), cpu or cuda
  int threads = 1;              // workers that share the four parts of a training batch; no result depends on it
  std::string gru = "torch";    // own: the gradients of shared/eigen, on a CPU; torch: LibTorch's, an independent judge
};

// Everything that the next training step depends on, beside the batch order.
struct LearningState {
  PlainParameters params, first_moment, second_moment;  // weights, and Adam's running means of gradient and its square
  int step = 0;                                         // steps learnt
};

// The first step that met a number that is not finite: it changed no weight, nor did any after it.
struct Trouble {
  static constexpr int loss = 1, gradient_norm = 2, weights = 4;
  int step = 0, kinds = 0;  // kinds: a sum of the above
};
// "the loss is not finite at step 7", naming what came first.
std::string describe(const Trouble& trouble);

// What one batch says of a model, without learning from it.
struct Judgement {
  double loss = 0, gradient_norm = 0;
};
// NO_DEVICE when two that should be of the same weights and batch are further apart than rounding explains.
Status check_same(const Judgement& device, const Judgement& cpu);

class TorchModel {
 public:
  // On a CPU a batch is learnt in this many parts, whatever the number of workers, so that no result depends on that.
  static constexpr int cpu_parts = 4;

  // NO_DEVICE when cuda is asked for and cannot be used, or fails at a first small computation.
  static Result<std::unique_ptr<TorchModel>> create(const Config& config, const PlainParameters& params,
                                                    const TorchSettings& settings);
  ~TorchModel();

  // Puts examples on the device, for train_step to take batches from. EMPTY when a source has no character.
  Status keep(std::span<const EncodedExample> examples);
  // One step of Adam (lr 2e-3, gradient norm clipped at 1) on the mean loss (Eq. 5) of the kept examples of these indices.
  // EMPTY, with every weight untouched, when they have no target token.
  Status train_step(std::span<const uint32_t> indices);
  // The loss that the last train_step computed, in nats per token, and its gradient's norm before clipping. These, and
  // nothing else in training, wait for the device.
  double last_loss() const;
  double last_gradient_norm() const;
  std::optional<Trouble> trouble() const;
  // Of the kept examples of these indices.
  Judgement judge(std::span<const uint32_t> indices) const;
  // That the device computes what a CPU does, on these examples; success at once on a CPU.
  Status compare_with_cpu(std::span<const uint32_t> indices) const;
  LearningState learning_state() const;
  void restore(const LearningState& state);

  // The loss of a batch without learning from it.
  double loss(const Batch& batch) const;
  // Teacher-forced logits (B,T,V) and weights (B,T,S), empty for the plain model.
  struct Forward {
    std::vector<float> z, alpha;
  };
  Forward forward(const Batch& batch) const;
  Decoded greedy(const Source& source, int max_len);
  Decoded score_target(const Source& source, std::span<const int32_t> target);

  PlainParameters parameters() const { return learning_state().params; }
  // For people: "cpu, 1 thread" or "cuda".
  const std::string& device() const;
  // Each worker is one thread, within operations and within OpenBLAS, whose own threads would wait for each other.
  static void use_one_thread();
  // For manifests: version and BLAS of the library that runs.
  static std::string library();

 private:
  struct Implementation;
  explicit TorchModel(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace softalign
