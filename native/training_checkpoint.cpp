// Training checkpoints as safetensors files.
#include "native/training_checkpoint.h"

#include <cmath>
#include <sstream>

#include "shared/io/checkpoint.h"
#include "shared/io/safetensors.h"
#include "shared/io/sha256.h"

namespace softalign {
namespace {

constexpr std::string_view version_key = "softalign.training_checkpoint", step_key = "softalign.step",
                           seed_key = "softalign.seed", order_key = "softalign.batch_order",
                           seconds_key = "softalign.seconds", last_loss_key = "softalign.last_loss", gru_key = "softalign.gru",
                           digest_key = "softalign.sha256", log_name = "log";
const std::string snapshots_prefix = "snapshots/";
constexpr std::string_view prefixes[] = {"", "first_moment/", "second_moment/"};

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}
template <class T>
bool read_text(const Metadata& metadata, std::string_view key, T& value) {
  const std::string* stated = find(metadata, key);
  std::istringstream text(stated ? *stated : "");
  return static_cast<bool>(text >> value);
}

// What the file says of its run, which must equal what the flags ask for.
Metadata identity(const TrainSettings& settings) {
  return {{std::string(metadata_keys::score), name(settings.config.score)},
          {std::string(metadata_keys::ordering), name(settings.config.ordering)},
          {std::string(metadata_keys::encoder), name(settings.config.encoder)},
          {std::string(seed_key), text_of(settings.seed)},
          {std::string(gru_key), settings.torch.gru}};
}

// Over the numbers of all tensors, in their order: a number that changed on the disk would be learnt from without a word.
template <class Tensors>
std::string digest(const Tensors& tensors) {
  Sha256 hash;
  for (const auto& values : tensors) hash.add({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  return hash.hex();
}

std::vector<uint64_t> sizes_of(const Shape& shape) {
  std::vector<uint64_t> sizes{static_cast<uint64_t>(shape.rows)};
  if (shape.cols) sizes.push_back(static_cast<uint64_t>(shape.cols));
  return sizes;
}

Status check_identity(const Metadata& metadata, const TrainSettings& settings) {
  int version = 0;
  if (!read_text(metadata, version_key, version))
    return {ErrorCode::WRONG_MODEL, "it is no training checkpoint; --resume takes the .ckpt file that training left"};
  if (version > training_checkpoint_version)
    return {ErrorCode::NEWER_FORMAT, "a newer softalign wrote it; update softalign to resume"};
  for (const auto& [key, asked] : identity(settings)) {
    const std::string* stated = find(metadata, key);
    if (stated ? *stated == asked : key == gru_key) continue;  // the first files did not name the GRU
    const std::string what = key.substr(key.find('.') + 1);
    return {ErrorCode::WRONG_MODEL, "it is of a run with " + what + " " + (stated ? *stated : "unknown") + ", and the " +
                                        what + " asked for is " + asked};
  }
  return success();
}

}  // namespace

Result<std::vector<uint8_t>> write_training_checkpoint(const TrainSettings& settings, const TrainState& state) {
  Metadata metadata = identity(settings);
  metadata.emplace_back(version_key, text_of(training_checkpoint_version));
  metadata.emplace_back(step_key, text_of(state.learning.step));
  metadata.emplace_back(seconds_key, text_of(state.seconds));
  metadata.emplace_back(order_key, text_of(state.order.random().words()));
  if (std::isfinite(state.last_loss)) metadata.emplace_back(last_loss_key, text_of(state.last_loss));

  std::vector<TensorValues> tensors;
  const PlainParameters* all[] = {&state.learning.params, &state.learning.first_moment, &state.learning.second_moment};
  for (int kind = 0; kind < 3; ++kind)
    each_parameter(settings.config, *all[kind], [&](const ParameterInfo& info, const std::vector<float>& values) {
      tensors.push_back({std::string(prefixes[kind]) + std::string(info.name), sizes_of(info.shape), values});
    });
  std::vector<float> log;
  for (const TrainProgress& entry : state.losses)
    for (const double number : {static_cast<double>(entry.step), entry.loss, entry.seconds}) log.push_back(static_cast<float>(number));
  tensors.push_back({std::string(log_name), {state.losses.size(), 3}, log});
  std::vector<std::vector<float>> numbers;
  if (settings.snapshots) {
    add_metadata(state.snapshots, metadata);
    add_tensors(settings.config, state.snapshots, snapshots_prefix, numbers, tensors);
  }
  std::vector<std::span<const float>> values;
  for (const TensorValues& tensor : tensors) values.push_back(tensor.values);
  metadata.emplace_back(digest_key, digest(values));
  return write(tensors, metadata, DType::F32);
}

Result<TrainState> read_training_checkpoint(std::span<const uint8_t> file, const TrainSettings& settings) {
  auto header = read_header(file);
  if (!header) return header.error();
  if (auto same = check_identity(header->metadata, settings); !same) return same.error();
  TrainState state;
  std::mt19937 words;
  if (!read_text(header->metadata, step_key, state.learning.step) || !read_text(header->metadata, seconds_key, state.seconds) ||
      !read_text(header->metadata, order_key, words) || state.learning.step < 0)
    return {ErrorCode::BAD_WEIGHTS, "its step, seconds or batch order is missing or damaged"};
  state.order = BatchOrder(Random(words));
  if (!read_text(header->metadata, last_loss_key, state.last_loss)) state.last_loss = NAN;  // the first files lack it

  if (const std::string* stated = find(header->metadata, digest_key)) {
    std::vector<std::vector<float>> values;
    for (const TensorView& view : header->tensors) values.push_back(to_floats(file, view));
    if (digest(values) != *stated)
      return {ErrorCode::BAD_WEIGHTS, "its numbers are not those that were written; the file is damaged"};
  }
  std::string missing;
  PlainParameters* all[] = {&state.learning.params, &state.learning.first_moment, &state.learning.second_moment};
  for (int kind = 0; kind < 3; ++kind)
    each_parameter(settings.config, *all[kind], [&](const ParameterInfo& info, std::vector<float>& values) {
      const std::string tensor = std::string(prefixes[kind]) + std::string(info.name);
      const TensorView* view = header->find(tensor);
      if (view && view->shape == sizes_of(info.shape)) values = to_floats(file, *view);
      else missing = tensor;
    });
  const TensorView* log = header->find(log_name);
  if (!log || log->shape.size() != 2 || log->shape[1] != 3) missing = log_name;
  if (!missing.empty()) return {ErrorCode::BAD_WEIGHTS, "its tensor " + missing + " is missing or has another shape"};
  const std::vector<float> numbers = to_floats(file, *log);
  for (size_t at = 0; at < numbers.size(); at += 3)
    state.losses.push_back({static_cast<int>(numbers[at]), numbers[at + 1], numbers[at + 2]});
  if (!settings.snapshots) return state;
  auto snapshots = snapshots_of(settings.config, file, *header, snapshots_prefix);
  if (!snapshots) return {ErrorCode::WRONG_MODEL, "it is of a run without snapshots, or " + snapshots.error().message};
  state.snapshots = std::move(*snapshots);
  return state;
}

}  // namespace softalign
