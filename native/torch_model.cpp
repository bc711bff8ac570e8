// TorchModel: weights as LibTorch tensors, Adam, and the conversions between plain data and the device.
#include "native/torch_model.h"

#include "native/torch_backend.h"

namespace softalign {
namespace {

constexpr double learning_rate = 2e-3, max_gradient_norm = 1.0;

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

}  // namespace

struct TorchModel::Implementation {
  Implementation(const Config& c, torch::Device device) : config(c), backend(device) {}

  Config config;
  TorchBackend backend;
  std::string device;
  Parameters<TorchBackend> params;
  std::vector<torch::Tensor> weights;  // the same tensors as in params, in the order of each_parameter
  std::unique_ptr<torch::optim::Adam> adam;
  torch::Tensor last_loss;
  Workspace<TorchBackend> workspace;

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
  // Scales all gradients so that their common norm is at most 1; nothing is read back from the device.
  void clip_gradients() {
    std::vector<torch::Tensor> norms;
    for (const auto& weight : weights) norms.push_back(weight.grad().norm());
    const torch::Tensor scale = (max_gradient_norm / (torch::stack(norms).norm() + 1e-6)).clamp_max(1.0);
    for (auto& weight : weights) weight.mutable_grad().mul_(scale);
  }
};

TorchModel::TorchModel(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
TorchModel::~TorchModel() = default;

Result<std::unique_ptr<TorchModel>> TorchModel::create(const Config& config, const PlainParameters& plain,
                                                       const std::string& device_name, int threads) {
  auto device = find_device(device_name);
  if (!device) return device.error();
  at::set_num_threads(threads);
  auto made = std::make_unique<Implementation>(config, *device);
  made->device = device->is_cuda() ? "cuda" : "cpu, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");

  std::vector<const std::vector<float>*> sources;
  each_parameter(config, plain, [&](const ParameterInfo&, const std::vector<float>& w) { sources.push_back(&w); });
  size_t next = 0;
  each_parameter(config, made->params, [&](const ParameterInfo& info, torch::Tensor& weight) {
    std::vector<int64_t> shape{info.shape.rows};
    if (info.shape.cols) shape.push_back(info.shape.cols);
    weight = torch::from_blob(const_cast<float*>(sources[next++]->data()), shape).clone().to(*device).set_requires_grad(true);
    made->weights.push_back(weight);
  });
  made->adam = std::make_unique<torch::optim::Adam>(made->weights, torch::optim::AdamOptions(learning_rate));
  return std::unique_ptr<TorchModel>(new TorchModel(std::move(made)));
}

Status TorchModel::train_step(const Batch& batch) {
  if (std::all_of(batch.tgt_out.begin(), batch.tgt_out.end(), [](int32_t id) { return id == pad; }))
    return {ErrorCode::EMPTY, "this batch has no target token to learn from"};
  Implementation& m = *implementation_;
  m.adam->zero_grad();
  const torch::Tensor loss = m.loss(batch);
  loss.backward();
  m.clip_gradients();
  m.adam->step();
  m.last_loss = loss.detach();
  return success();
}

double TorchModel::last_loss() const { return implementation_->last_loss.item<double>(); }

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

PlainParameters TorchModel::parameters() const {
  Implementation& m = *implementation_;
  PlainParameters plain;
  size_t next = 0;
  each_parameter(m.config, plain, [&](const ParameterInfo&, std::vector<float>& weight) {
    const auto numbers = m.backend.to_host(m.weights[next++]);
    weight.assign(numbers.begin(), numbers.end());
  });
  return plain;
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
