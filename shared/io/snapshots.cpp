// Snapshots: int8 deltas against the decoded predecessor, and their place in safetensors files.
#include "shared/io/snapshots.h"

#include <algorithm>
#include <cmath>

#include "shared/io/checkpoint.h"
#include "shared/io/message.h"

namespace softalign {
namespace {

constexpr std::string_view version_key = "softalign.snapshots", steps_key = "softalign.snapshot_steps",
                           seed_key = "softalign.seed";
constexpr float units_per_rms = 16;

float root_mean_square(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * value;
  return static_cast<float>(std::sqrt(sum / static_cast<double>(values.size())));
}

int8_t rounded(float units) {
  return std::isfinite(units) ? static_cast<int8_t>(std::lround(std::clamp(units, -127.0f, 127.0f))) : int8_t{0};
}

std::vector<uint64_t> shape_of(size_t n, const Shape& shape) {
  std::vector<uint64_t> sizes{n, static_cast<uint64_t>(shape.rows)};
  if (shape.cols) sizes.push_back(static_cast<uint64_t>(shape.cols));
  return sizes;
}

// Whole numbers behind one another, separated by spaces; nothing for any other text.
std::vector<uint64_t> whole_numbers(std::string_view text) {
  std::vector<uint64_t> numbers;
  bool inside = false;
  for (const char c : text) {
    if (c == ' ') {
      inside = false;
      continue;
    }
    if (c < '0' || c > '9' || (inside && numbers.back() > uint64_t{1} << 56)) return {};
    if (!inside) numbers.push_back(0);
    numbers.back() = 10 * numbers.back() + static_cast<uint64_t>(c - '0');
    inside = true;
  }
  return numbers;
}

std::vector<uint64_t> stated(const Metadata& metadata, std::string_view key) {
  const std::string* text = find(metadata, key);
  return text ? whole_numbers(*text) : std::vector<uint64_t>();
}

// Takes tensors out of a file; the first one that is not there as asked for is remembered.
class TensorReader {
 public:
  TensorReader(std::span<const uint8_t> file, const Header& header, const std::string& prefix)
      : file_(file), header_(header), prefix_(prefix) {}

  std::vector<float> take(const std::string& name, const std::vector<uint64_t>& shape) {
    const TensorView* view = header_.find(prefix_ + name);
    if (view && view->shape == shape && all_finite(file_, *view)) return to_floats(file_, *view);
    if (missing.empty()) missing = prefix_ + name;
    return {};
  }
  std::string missing;

 private:
  std::span<const uint8_t> file_;
  const Header& header_;
  std::string prefix_;
};

}  // namespace

Snapshot take_snapshot(const Config& config, int step, const PlainParameters& params, PlainParameters& decoded) {
  Snapshot snapshot{step, {}, {}};
  const auto before = parameter_list(config, std::as_const(decoded));
  const auto* from = before.begin();
  each_parameter(config, params, [&](const ParameterInfo&, const std::vector<float>& weights) {
    const std::vector<float>& start = *(from++)->weight;
    const float unit = root_mean_square(weights) / units_per_rms;
    snapshot.units.push_back(unit);
    for (size_t i = 0; i < weights.size(); ++i)
      snapshot.deltas.push_back(unit > 0 ? rounded((weights[i] - start[i]) / unit) : int8_t{0});
  });
  play(config, snapshot, decoded);
  return snapshot;
}

void play(const Config& config, const Snapshot& next, PlainParameters& weights) {
  size_t tensor = 0, at = 0;
  each_parameter(config, weights, [&](const ParameterInfo&, std::vector<float>& values) {
    const float unit = next.units[tensor++];
    for (float& value : values) value += unit * static_cast<float>(next.deltas[at++]);
  });
}

void add_tensors(const Config& config, const Snapshots& snapshots, const std::string& prefix,
                 std::vector<std::vector<float>>& numbers, std::vector<TensorValues>& tensors) {
  const size_t n = snapshots.taken.size();
  const auto add = [&](const std::string& name, std::vector<uint64_t> shape, std::vector<float> values, DType dtype) {
    numbers.push_back(std::move(values));
    tensors.push_back({prefix + name, std::move(shape), numbers.back(), dtype});
  };
  size_t tensor = 0, at = 0;
  const PlainParameters none;
  each_parameter(config, none, [&](const ParameterInfo& info, const auto&) {
    const size_t size = info.shape.size();
    std::vector<float> deltas, units;
    for (const Snapshot& snapshot : snapshots.taken) {
      deltas.insert(deltas.end(), snapshot.deltas.begin() + at, snapshot.deltas.begin() + at + size);
      units.push_back(snapshot.units[tensor]);
    }
    at += size, ++tensor;
    add(std::string(info.name), shape_of(n, info.shape), std::move(deltas), DType::I8);
    add(std::string(info.name) + ".unit", {n}, std::move(units), DType::F32);
  });
  if (snapshots.measured.loss.empty()) return;
  add("loss", {1 + n}, snapshots.measured.loss, DType::F32);
  add("exact_match", {1 + n, measured_K}, snapshots.measured.exact_match, DType::F32);
}

void add_metadata(const Snapshots& snapshots, Metadata& metadata) {
  std::string steps;
  for (const Snapshot& snapshot : snapshots.taken)
    steps += message(steps.empty() ? "%" : " %", {static_cast<uint64_t>(snapshot.step)});
  metadata.emplace_back(version_key, message("%", {snapshots_version}));
  metadata.emplace_back(steps_key, std::move(steps));
}

Result<Snapshots> snapshots_of(const Config& config, std::span<const uint8_t> file, const Header& header,
                               const std::string& prefix) {
  const std::vector<uint64_t> version = stated(header.metadata, version_key), seed = stated(header.metadata, seed_key),
                              steps = stated(header.metadata, steps_key);
  if (version.size() != 1 || seed.size() != 1 || !std::is_sorted(steps.begin(), steps.end()) ||
      (!steps.empty() && steps.back() > INT32_MAX))
    return {ErrorCode::BAD_WEIGHTS, "the steps or the seed of its snapshots are missing or damaged"};
  if (version[0] > snapshots_version)
    return {ErrorCode::NEWER_FORMAT, "a newer softalign wrote its snapshots; update softalign"};
  Snapshots snapshots{seed[0], std::vector<Snapshot>(steps.size()), {}};
  const size_t n = steps.size();
  for (size_t k = 0; k < n; ++k) snapshots.taken[k].step = static_cast<int>(steps[k]);

  TensorReader reader(file, header, prefix);
  const PlainParameters none;
  each_parameter(config, none, [&](const ParameterInfo& info, const auto&) {
    const size_t size = info.shape.size();
    const std::vector<float> deltas = reader.take(std::string(info.name), shape_of(n, info.shape)),
                             units = reader.take(std::string(info.name) + ".unit", {n});
    if (!reader.missing.empty()) return;
    for (size_t k = 0; k < n; ++k) {
      Snapshot& snapshot = snapshots.taken[k];
      snapshot.units.push_back(units[k]);
      for (size_t i = 0; i < size; ++i) snapshot.deltas.push_back(rounded(deltas[k * size + i]));
    }
  });
  if (header.find(prefix + "loss")) {
    snapshots.measured.loss = reader.take("loss", {1 + n});
    snapshots.measured.exact_match = reader.take("exact_match", {1 + n, measured_K});
  }
  if (!reader.missing.empty())
    return {ErrorCode::BAD_WEIGHTS, message("its tensor % is missing, has another shape or is not finite",
                                            {quoted(reader.missing)})};
  return snapshots;
}

Result<std::vector<uint8_t>> write_snapshots(const Config& config, const Snapshots& snapshots) {
  Metadata metadata{{std::string(metadata_keys::score), name(config.score)},
                    {std::string(metadata_keys::ordering), name(config.ordering)},
                    {std::string(metadata_keys::encoder), name(config.encoder)},
                    {std::string(seed_key), message("%", {snapshots.seed})}};
  add_metadata(snapshots, metadata);
  std::vector<std::vector<float>> numbers;
  std::vector<TensorValues> tensors;
  add_tensors(config, snapshots, "", numbers, tensors);
  return write(tensors, metadata, DType::F32);
}

Result<Snapshots> read_snapshots(const Config& config, std::span<const uint8_t> file) {
  auto header = read_header(file);
  if (!header) return header.error();
  if (!find(header->metadata, version_key))
    return {ErrorCode::WRONG_MODEL, "it holds no snapshots; give the .snapshots file that training left, unpacked"};
  for (const auto& [key, asked] : {std::pair{metadata_keys::score, name(config.score)},
                                   std::pair{metadata_keys::ordering, name(config.ordering)},
                                   std::pair{metadata_keys::encoder, name(config.encoder)}})
    if (const std::string* found = find(header->metadata, key); found && *found != asked)
      return {ErrorCode::WRONG_MODEL, message("its snapshots are of a model whose % is %, not %", {key, *found, asked})};
  return snapshots_of(config, file, *header, "");
}

}  // namespace softalign
