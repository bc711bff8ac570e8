// Probes as safetensors files.
#include "shared/io/probe.h"

#include "shared/io/message.h"
#include "shared/io/safetensors.h"

namespace softalign {
namespace {

constexpr std::string_view version_key = "softalign.probe", weights_key = "softalign.weights_sha256";

// Calls each(name, shape, values) for every tensor of a probe, which may be const.
template <class P, class Each>
void each_tensor(const Config& config, P& probe, Each each) {
  const auto size = [](int n) { return static_cast<uint64_t>(n); };
  const std::vector<uint64_t> positions{probe_positions};
  each("plane.mean", {size(probe.plane.D)}, probe.plane.mean);
  each("plane.axes", {2, size(probe.plane.D)}, probe.plane.axes);
  for (size_t i = 0; i < readout_infos.size(); ++i) {
    const ReadoutInfo& info = readout_infos[i];
    auto& readout = probe.readouts[i];
    const std::string name(info.name);
    each(name + ".weight", {size(info.classes), size(config.d_enc())}, readout.weight);
    each(name + ".bias", {size(info.classes)}, readout.bias);
    each(name + ".accuracy", positions, readout.accuracy);
    each(name + ".majority", positions, readout.majority);
  }
  each("count", positions, probe.count);
}

}  // namespace

Result<std::vector<uint8_t>> write_probe(const Config& config, const Probe& probe) {
  const Metadata metadata{{std::string(version_key), message("%", {probe_version})},
                          {std::string(weights_key), probe.weights_sha256}};
  std::vector<TensorValues> tensors;
  each_tensor(config, probe, [&](const std::string& name, std::vector<uint64_t> shape, const std::vector<float>& values) {
    tensors.push_back({name, std::move(shape), values});
  });
  tensors.push_back({"plane.explained", {2}, probe.plane.explained});
  return write(tensors, metadata, DType::F32);
}

Result<Probe> read_probe(const Config& config, std::span<const uint8_t> file) {
  const auto header = read_header(file);
  if (!header) return header.error();
  const std::string* version = find(header->metadata, version_key);
  if (!version) return {ErrorCode::WRONG_MODEL, "it holds no probe; give the .probe.safetensors file of softalign probe"};
  if (*version != message("%", {probe_version}))
    return {ErrorCode::NEWER_FORMAT, "a newer softalign wrote this probe; update softalign"};
  Probe probe;
  if (const std::string* sha256 = find(header->metadata, weights_key)) probe.weights_sha256 = *sha256;
  probe.plane.D = config.score == Score::additive ? config.d_a : config.d_h;
  std::string wrong;
  const auto take = [&](const std::string& name, const std::vector<uint64_t>& shape, std::vector<float>& values) {
    const TensorView* view = header->find(name);
    if (view && view->shape == shape && all_finite(file, *view)) values = to_floats(file, *view);
    else if (wrong.empty()) wrong = name;
  };
  each_tensor(config, probe, take);
  std::vector<float> explained(2);
  take("plane.explained", {2}, explained);
  probe.plane.explained = {explained[0], explained[1]};
  if (wrong.empty()) return probe;
  return {ErrorCode::WRONG_MODEL,
          message("its tensor % is missing, not finite, or of another size than this model asks for", {quoted(wrong)})};
}

}  // namespace softalign
