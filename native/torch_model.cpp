// TorchModel: weights as views of one LibTorch vector, training in parts, and conversions between plain data and the device.
#include "native/torch_model.h"

#include "native/openblas.h"
#include "native/torch_backend.h"
#include "native/torch_learning.h"
#include "native/workers.h"

namespace softalign {
namespace {

Result<torch::Device> find_device(const std::string& name) {
  if (name == "cpu") return torch::Device(torch::kCPU);
  const bool usable = torch::cuda::is_available();
  if (name == "auto") return torch::Device(usable ? torch::kCUDA : torch::kCPU);
  if (name != "cuda") return {ErrorCode::BAD_VALUE, "device is auto, cpu or cuda, not " + name};
  if (usable) return torch::Device(torch::kCUDA);
  return {ErrorCode::NO_DEVICE, torch::hasCUDA()
                                    ? "LibTorch has CUDA, but finds no GPU that it can use; check the driver with nvidia-smi"
                                    : "this LibTorch is built without CUDA; build against one that has it, or use --device cpu"};
}

std::string describe(torch::Device device, int threads) {
  if (device.is_cuda()) return "cuda";
  return "cpu, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

// Late in training most gradients are too small for a normal float, and arithmetic on such numbers is many times slower;
// within a step they count as 0. Outside it they must not: evaluation promises the bits of other programs.
class TinyGradientsAreZero {
 public:
  TinyGradientsAreZero() { at::globalContext().setFlushDenormal(true); }
  ~TinyGradientsAreZero() { at::globalContext().setFlushDenormal(false); }
};

}  // namespace

struct TorchModel::Implementation {
  Implementation(const Config& c, torch::Device device, const TorchSettings& settings)
      : config(c), backend(device, settings.gru == "own" && device.is_cpu() ? Kernels::own : Kernels::torch),
        device(describe(device, settings.threads)), workers(settings.threads, use_one_thread) {}

  Config config;
  TorchBackend backend;
  std::string device;
  Parameters<TorchBackend> params;     // views of adam.weights
  std::vector<torch::Tensor> weights;  // the same tensors, in the order of each_parameter
  Adam adam;
  torch::Tensor last_loss;
  KeptExamples examples;
  Workers workers;
  Workspace<TorchBackend> workspace;

  // Cuts the flat vector into the parameters.
  void bind(const PlainParameters& plain) {
    adam.weights = flat(plain);
    adam.first_moment = torch::zeros_like(adam.weights), adam.second_moment = torch::zeros_like(adam.weights);
    int64_t at = 0;
    each_parameter(config, params, [&](const ParameterInfo& info, torch::Tensor& weight) {
      const auto size = static_cast<int64_t>(info.shape.size());
      std::vector<int64_t> shape{info.shape.rows};
      if (info.shape.cols) shape.push_back(info.shape.cols);
      weight = adam.weights.narrow(0, at, size).view(shape).detach().set_requires_grad(true);
      weights.push_back(weight);
      at += size;
    });
  }
  torch::Tensor flat(const PlainParameters& plain) const {
    std::vector<float> numbers;
    each_parameter(config, plain, [&](const ParameterInfo&, const std::vector<float>& w) {
      numbers.insert(numbers.end(), w.begin(), w.end());
    });
    return torch::tensor(numbers).to(backend.device());
  }
  PlainParameters plain(const torch::Tensor& vector) {
    const auto numbers = backend.to_host(vector);
    PlainParameters plain;
    size_t at = 0;
    each_parameter(config, plain, [&](const ParameterInfo& info, std::vector<float>& weight) {
      weight.assign(numbers.begin() + at, numbers.begin() + at + info.shape.size());
      at += info.shape.size();
    });
    return plain;
  }

  SourceBatch<TorchBackend> source(std::span<const int32_t> src, std::span<const int32_t> lengths, int S) const {
    return {backend.ids(src, static_cast<int>(lengths.size()), S), backend.lengths(lengths, S)};
  }
  // The teacher-forced pass, left in workspace.steps[0].
  Step<TorchBackend>& forward(const Batch& batch) {
    Step<TorchBackend>& step = workspace.steps[0];
    softalign::forward(backend, config, params, source(batch.src, batch.lengths, batch.S),
                       backend.ids(batch.tgt_in, batch.B, batch.T), workspace.memory, step);
    return step;
  }
  torch::Tensor loss(const Batch& batch) {
    torch::Tensor loss;
    seq2seq_loss(backend, loss, forward(batch).z, backend.ids(batch.tgt_out, batch.B, batch.T));
    return loss;
  }

  struct Learnt {
    torch::Tensor gradient;  // of all weights, as one vector
    torch::Tensor loss;      // the part's share of the batch's mean
  };
  Learnt learn_from(const BatchPart& part, int64_t all_targets) const {
    const TinyGradientsAreZero on_this_thread;
    TorchBackend be = backend;
    const torch::Tensor rows = torch::tensor(part.indices).to(be.device());
    const torch::Tensor src = examples.src.index_select(0, rows).narrow(1, 0, part.S).to(torch::kInt64);
    const torch::Tensor tgt = examples.tgt.index_select(0, rows).narrow(1, 0, part.T + 1).to(torch::kInt64);
    Memory<TorchBackend> memory;
    Step<TorchBackend> step;
    softalign::forward(be, config, params, {src, be.lengths(part.lengths, part.S)}, tgt.narrow(1, 0, part.T), memory, step);
    torch::Tensor loss;
    seq2seq_loss(be, loss, step.z, tgt.narrow(1, 1, part.T));
    loss = loss * (static_cast<double>(part.targets) / static_cast<double>(all_targets));
    std::vector<torch::Tensor> gradients;
    for (torch::Tensor& gradient : torch::autograd::grad({loss}, weights)) gradients.push_back(gradient.reshape(-1));
    return {torch::cat(gradients), loss.detach()};
  }
};

TorchModel::TorchModel(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
TorchModel::~TorchModel() = default;

Result<std::unique_ptr<TorchModel>> TorchModel::create(const Config& config, const PlainParameters& plain,
                                                       const TorchSettings& settings) {
  auto device = find_device(settings.device);
  if (!device) return device.error();
  use_one_thread();
  auto made = std::make_unique<Implementation>(config, *device, settings);
  made->bind(plain);
  return std::unique_ptr<TorchModel>(new TorchModel(std::move(made)));
}

Status TorchModel::keep(std::span<const EncodedExample> examples) {
  for (const EncodedExample& example : examples)
    if (example.source.empty()) return {ErrorCode::EMPTY, "a source of these examples has no character to read"};
  implementation_->examples = KeptExamples(examples, implementation_->backend.device());
  return success();
}

Status TorchModel::train_step(std::span<const uint32_t> indices) {
  Implementation& m = *implementation_;
  const auto parts = parts_of(m.examples, indices, m.backend.device().is_cpu() ? cpu_parts : 1);
  int64_t targets = 0;
  for (const BatchPart& part : parts) targets += part.targets;
  if (targets == 0) return {ErrorCode::EMPTY, "this batch has no target token to learn from"};
  std::vector<Implementation::Learnt> learnt(parts.size());
  m.workers.run(static_cast<int>(parts.size()), [&](int i) { learnt[i] = m.learn_from(parts[i], targets); });

  torch::NoGradGuard no_grad;
  const TinyGradientsAreZero tiny;
  for (size_t i = 1; i < learnt.size(); ++i) {  // always in this order
    learnt[0].gradient.add_(learnt[i].gradient);
    learnt[0].loss.add_(learnt[i].loss);
  }
  m.adam.learn(learnt[0].gradient);
  m.last_loss = learnt[0].loss;
  return success();
}

double TorchModel::last_loss() const { return implementation_->last_loss.item<double>(); }

LearningState TorchModel::learning_state() const {
  Implementation& m = *implementation_;
  return {m.plain(m.adam.weights), m.plain(m.adam.first_moment), m.plain(m.adam.second_moment), m.adam.step};
}

void TorchModel::restore(const LearningState& state) {
  Implementation& m = *implementation_;
  torch::NoGradGuard no_grad;
  m.adam.weights.copy_(m.flat(state.params));
  m.adam.first_moment.copy_(m.flat(state.first_moment));
  m.adam.second_moment.copy_(m.flat(state.second_moment));
  m.adam.step = state.step;
}

double TorchModel::loss(const Batch& batch) const {
  torch::NoGradGuard no_grad;
  return implementation_->loss(batch).item<double>();
}

TorchModel::Forward TorchModel::forward(const Batch& batch) const {
  torch::NoGradGuard no_grad;
  Implementation& m = *implementation_;
  const Step<TorchBackend>& step = m.forward(batch);
  auto copy = [&](const torch::Tensor& x) {
    const auto numbers = m.backend.to_host(x);
    return std::vector<float>(numbers.begin(), numbers.end());
  };
  return {copy(step.z), m.config.attends() ? copy(step.alpha) : std::vector<float>()};
}

Decoded TorchModel::greedy(const Source& source, int max_len) {
  torch::NoGradGuard no_grad;
  Implementation& m = *implementation_;
  const auto S = static_cast<int32_t>(source.ids().size());
  return greedy_decode(m.backend, m.config, m.params, m.source(source.ids(), {&S, 1}, S), S, max_len, m.workspace);
}

Decoded TorchModel::score_target(const Source& source, std::span<const int32_t> target) {
  torch::NoGradGuard no_grad;
  Implementation& m = *implementation_;
  const auto S = static_cast<int32_t>(source.ids().size());
  return softalign::score_target(m.backend, m.config, m.params, m.source(source.ids(), {&S, 1}, S), S, target,
                                 m.workspace);
}

void TorchModel::use_one_thread() {
  at::set_num_threads(1);
  set_openblas_threads(1);
}

const std::string& TorchModel::device() const { return implementation_->device; }

std::string TorchModel::library() {
  const std::string settings = torch::show_config();
  const std::string key = "BLAS_INFO=";
  const size_t found = settings.find(key);
  const std::string blas =
      found == std::string::npos ? "unknown" : settings.substr(found + key.size(), settings.find(',', found) - found - key.size());
  return std::string("LibTorch ") + TORCH_VERSION + ", BLAS " + blas;
}

}  // namespace softalign
