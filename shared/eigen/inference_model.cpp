// Loading, testing and running a trained model on the inference backend.
#include "shared/eigen/inference_model.h"

#include <cmath>

#include "shared/task/dates.h"

namespace softalign {
namespace {

constexpr std::string_view golden_target = "2021-03-03";
constexpr float golden_tolerance = 1e-3f;  // arithmetic of other builds differs by about 1e-5, a swapped gate by about 1

std::string to_hex(std::span<const float> values) {
  std::string hex;
  for (float value : values)
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[bits_of_float(value) >> shift & 15];
  return hex;
}

// The float that eight hexadecimal digits spell; NaN for anything else.
float from_hex(std::string_view digits) {
  uint32_t bits = 0;
  for (char digit : digits) {
    const size_t value = std::string_view("0123456789abcdef").find(digit);
    if (value == std::string_view::npos) return NAN;
    bits = bits << 4 | static_cast<uint32_t>(value);
  }
  return float_of_bits(bits);
}

bool agree(std::string_view golden, std::span<const float> measured) {
  if (golden.size() != 8 * measured.size()) return false;
  for (size_t i = 0; i < measured.size(); ++i)
    if (!(std::abs(from_hex(golden.substr(8 * i, 8)) - measured[i]) <= golden_tolerance)) return false;
  return true;
}

std::vector<float> copy(const BufferTensor& tensor) {
  return {tensor.buffer.data(), tensor.buffer.data() + tensor.size()};
}

}  // namespace

Result<std::unique_ptr<InferenceModel>> InferenceModel::create(Checkpoint checkpoint) {
  auto same_characters = check_vocabularies(checkpoint, source_characters, target_characters);
  if (!same_characters) return same_characters.error();
  std::unique_ptr<InferenceModel> model(new InferenceModel);
  model->config_ = checkpoint.config;
  model->steps_ = checkpoint.steps;
  auto prepared = model->backend_.prepare(model->config_, std::move(checkpoint.params), model->params_);
  if (!prepared) return prepared.error();
  const Limits limits{.B = 1, .S = source_limit, .T = live_max_len_limit};
  auto reserved = model->backend_.reserve(model->config_, limits, model->workspace_);
  if (!reserved) return reserved.error();
  for (const auto& [key, golden] : checkpoint.metadata)
    if (key == metadata_keys::golden && !agree(golden, model->golden_logits()))
      return {ErrorCode::WRONG_MODEL,
              "the weights do not compute what the file says that they compute (its golden vector differs): "
              "the file is damaged, or its gates or layers are in another order; train or convert it again"};
  return model;
}

const std::vector<float>* InferenceModel::weight(std::string_view name) {
  const std::vector<float>* found = nullptr;
  each_parameter(config_, params_, [&](const ParameterInfo& info, const InferenceBackend::Weight& weight) {
    if (info.name == name) found = &weight.plain;
  });
  return found;
}

SourceBatch<InferenceBackend> InferenceModel::batch(const Source& source) {
  length_ = static_cast<int>(source.ids().size());
  return {backend_.ids(source.ids(), 1, length_), {&length_, 1}};
}

Decoded InferenceModel::decode(const Source& source, int max_len, const Edits& edits) {
  const auto source_batch = batch(source);
  return greedy_decode(backend_, config_, params_, source_batch, length_, std::min(max_len, live_max_len_limit), workspace_,
                       edits);
}

Decoded InferenceModel::greedy(const Source& source, int max_len) { return decode(source, max_len, {}); }

Result<Decoded> InferenceModel::greedy(const Source& source, int max_len, const Edits& edits) {
  if (auto legal = check(edits, config_, static_cast<int>(source.ids().size()), max_len); !legal) return legal.error();
  return decode(source, max_len, edits);
}

Result<Inspection> InferenceModel::inspect(const Source& source, int t, int max_len, const Edits& edits) {
  if (auto legal = check(edits, config_, static_cast<int>(source.ids().size()), max_len); !legal) return legal.error();
  Decoded decoded;
  if (t >= 0 && t < max_len) decoded = decode(source, t + 1, edits);
  if (t < 0 || static_cast<int>(decoded.tokens.size()) - 1 != t)
    return {ErrorCode::BAD_VALUE, "the answer has no such token"};

  const Step<InferenceBackend>& step = workspace_.steps[t % 2];  // decoding takes them in turn
  const bool before = config_.ordering == Ordering::bahdanau;
  const BufferTensor& last = t == 0 ? workspace_.memory.s_0 : workspace_.steps[(t - 1) % 2].s_T;
  Inspection inspection;
  inspection.t = t, inspection.S = length_, inspection.V = config_.V_tgt;
  inspection.d_h = config_.d_h, inspection.d_enc = config_.d_enc();
  inspection.token = decoded.tokens.back();
  inspection.h = copy(workspace_.memory.h);
  inspection.s = copy(before ? last : step.s);
  inspection.s_t = copy(step.s);
  if (config_.attends()) {
    inspect_attention(step, inspection);
    inspection.alpha_read = copy(edits.row(t) ? step.alpha_read : step.alpha);
    if (!before) inspection.s_tilde = copy(step.s_tilde);
  }
  inspection.z = copy(step.z);
  inspection.log_probs.assign(decoded.log_probs.end() - config_.V_tgt, decoded.log_probs.end());
  return inspection;
}

void InferenceModel::inspect_attention(const Step<InferenceBackend>& step, Inspection& inspection) {
  const bool additive = config_.score == Score::additive;
  inspection.q = additive ? copy(step.q) : inspection.s;
  inspection.k = config_.score == Score::dot ? inspection.h : copy(workspace_.memory.k);
  inspection.d_k = static_cast<int>(inspection.q.size());
  inspection.score = copy(step.score);
  inspection.largest = largest(inspection.score.data(), length_);
  inspection.exponential.resize(inspection.score.size());
  inspection.sum = exponentials(inspection.exponential.data(), inspection.score.data(), inspection.largest, length_);
  inspection.alpha = copy(step.alpha);
  inspection.h_bar = copy(step.h_bar);
}

Result<BeamSearch> InferenceModel::beam(const Source& source, const BeamSettings& settings) {
  if (auto legal = checked(settings); !legal) return legal.error();
  auto reserved = backend_.reserve(config_, settings.B, source_limit, beam_workspace_);
  if (!reserved) return reserved.error();
  encode(backend_, config_, params_, batch(source), workspace_.memory);
  ModelTokens<InferenceBackend> next(backend_, config_, params_, workspace_.memory, beam_workspace_);
  return beam_search(next, settings);
}

Decoded InferenceModel::score_target(const Source& source, std::span<const int32_t> target) {
  const auto source_batch = batch(source);
  return softalign::score_target(backend_, config_, params_, source_batch, length_, target, workspace_);
}

Compared InferenceModel::compared(const Source& source, std::span<const int32_t> target) {
  score_target(source, target);
  const Memory<InferenceBackend>& memory = workspace_.memory;
  const Step<InferenceBackend>& step = workspace_.steps[0];
  const int T = static_cast<int>(target.size()), d_h = config_.d_h;
  std::vector<float> asking = copy(step.s);  // (T,d_h)
  if (config_.ordering == Ordering::bahdanau) {  // s_{t-1} asks
    asking.resize(static_cast<size_t>(T - 1) * d_h);
    asking.insert(asking.begin(), memory.s_0.row(0, 0), memory.s_0.row(0, 1));
  }
  const bool made = config_.score == Score::general || config_.score == Score::additive;
  Compared compared{length_, T, d_h, copy(made ? memory.k : memory.h), std::move(asking)};
  if (config_.score != Score::additive) return compared;
  compared.d = config_.d_a;
  std::vector<float> q(static_cast<size_t>(T) * compared.d);
  for (int t = 0; t < T; ++t) params_.W_q.packed.multiply(&q[t * compared.d], &compared.q[t * d_h], nullptr);
  compared.q = std::move(q);
  return compared;
}

std::vector<float> InferenceModel::golden_logits() {
  auto target = target_ids(golden_target);
  target.push_back(eos);
  const Decoded decoded = score_target(make_source(showcase).value(), target);
  return {decoded.z.end() - config_.V_tgt, decoded.z.end()};
}

std::string InferenceModel::golden_vector() { return to_hex(golden_logits()); }

Result<std::vector<uint8_t>> write_with_golden_vector(Checkpoint checkpoint, DType dtype) {
  auto set = [&](std::string_view key, std::string_view value) {
    std::erase_if(checkpoint.metadata, [&](const auto& entry) { return entry.first == key; });
    if (!value.empty()) checkpoint.metadata.emplace_back(key, value);
  };
  set(metadata_keys::source_vocabulary, source_characters);
  set(metadata_keys::target_vocabulary, target_characters);
  set(metadata_keys::golden, "");
  auto bytes = write_checkpoint(checkpoint, dtype);
  if (!bytes) return bytes;
  auto reread = read_checkpoint(*bytes);
  if (!reread) return reread.error();
  auto model = InferenceModel::create(std::move(*reread));
  if (!model) return model.error();
  set(metadata_keys::golden, (*model)->golden_vector());
  return write_checkpoint(checkpoint, dtype);
}

}  // namespace softalign
