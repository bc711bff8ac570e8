// TorchModel: weights as views of one LibTorch vector, training in parts, and conversions between plain data and the device.
#include "native/torch_model.h"

#include <cmath>
#include <cstdio>

#include "native/openblas.h"
#include "native/torch_backend.h"
#include "native/torch_device.h"
#include "native/torch_learning.h"
#include "native/workers.h"

namespace softalign {
namespace {

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
  KeptExamples examples;
  Workers workers;
  Workspace<TorchBackend> workspace;

  // Cuts the flat vector into the parameters.
  void bind(const PlainParameters& plain) {
    adam.weights = flat(plain);
    adam.first_moment = torch::zeros_like(adam.weights), adam.second_moment = torch::zeros_like(adam.weights);
    adam.start_watch();
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
    const torch::Tensor rows = to_device(torch::tensor(part.indices), be.device());
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
  // Of a whole batch, its parts added up always in the same order.
  Result<Learnt> learn_from(std::span<const uint32_t> indices) {
    const auto parts = parts_of(examples, indices, backend.device().is_cpu() ? cpu_parts : 1);
    int64_t targets = 0;
    for (const BatchPart& part : parts) targets += part.targets;
    if (targets == 0) return {ErrorCode::EMPTY, "this batch has no target token to learn from"};
    std::vector<Learnt> learnt(parts.size());
    workers.run(static_cast<int>(parts.size()), [&](int i) { learnt[i] = learn_from(parts[i], targets); });
    const torch::NoGradGuard no_grad;
    const TinyGradientsAreZero tiny;
    for (size_t i = 1; i < learnt.size(); ++i) {
      learnt[0].gradient.add_(learnt[i].gradient);
      learnt[0].loss.add_(learnt[i].loss);
    }
    return learnt[0];
  }
};

TorchModel::TorchModel(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
TorchModel::~TorchModel() = default;

Result<std::unique_ptr<TorchModel>> TorchModel::create(const Config& config, const PlainParameters& plain,
                                                       const TorchSettings& settings) {
  auto device = find_device(settings.device);
  if (!device) return device.error();
  if (auto works = try_device(*device); !works) return works.error();
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
  auto learnt = m.learn_from(indices);
  if (!learnt) return learnt.error();
  const torch::NoGradGuard no_grad;
  const TinyGradientsAreZero tiny;
  m.adam.learn(learnt->gradient, learnt->loss);
  return success();
}

double TorchModel::last_loss() const { return implementation_->adam.loss.item<double>(); }
double TorchModel::last_gradient_norm() const { return implementation_->adam.gradient_norm.item<double>(); }

std::optional<Trouble> TorchModel::trouble() const {
  const torch::Tensor found = implementation_->adam.trouble.to(torch::kCPU);
  const Trouble trouble{static_cast<int>(found[0].item<int64_t>()), static_cast<int>(found[1].item<int64_t>())};
  return trouble.step == 0 ? std::nullopt : std::optional(trouble);
}

Judgement TorchModel::judge(std::span<const uint32_t> indices) const {
  auto learnt = implementation_->learn_from(indices);
  if (!learnt) return {};
  return {learnt->loss.item<double>(), learnt->gradient.norm().item<double>()};
}

Status TorchModel::compare_with_cpu(std::span<const uint32_t> indices) const {
  const Implementation& m = *implementation_;
  if (m.backend.device().is_cpu()) return success();
  TorchModel cpu(std::make_unique<Implementation>(m.config, torch::Device(torch::kCPU), TorchSettings{.gru = "torch"}));
  cpu.implementation_->bind(parameters());
  cpu.implementation_->examples = m.examples.on(torch::kCPU);
  return check_same(judge(indices), cpu.judge(indices));
}

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
  m.adam.start_watch();
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
  return std::string("LibTorch ") + TORCH_VERSION + ", BLAS " + build_setting("BLAS_INFO=", ",");
}

std::string describe(const Trouble& trouble) {
  const char* what = trouble.kinds & Trouble::loss            ? "the loss"
                     : trouble.kinds & Trouble::gradient_norm ? "the norm of the gradient"
                                                              : "a weight";
  return std::string(what) + " is NaN or infinite at step " + std::to_string(trouble.step);
}

Status check_same(const Judgement& device, const Judgement& cpu) {
  constexpr double loss_bound = 2e-4, norm_bound = 2e-3;  // relative; a GPU may multiply with fewer bits
  const auto apart = [](double a, double b, double bound) { return !(std::abs(a - b) <= bound * std::abs(b)); };
  if (!apart(device.loss, cpu.loss, loss_bound) && !apart(device.gradient_norm, cpu.gradient_norm, norm_bound)) return success();
  char text[160];
  std::snprintf(text, sizeof text, "loss %.6g and gradient norm %.6g, and the CPU %.6g and %.6g", device.loss,
                device.gradient_norm, cpu.loss, cpu.gradient_norm);
  return {ErrorCode::NO_DEVICE, std::string("the GPU computes another model: on the first batch it finds ") + text +
                                    "; use --device cpu, or another LibTorch or driver"};
}

}  // namespace softalign
