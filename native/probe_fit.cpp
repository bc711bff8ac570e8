// Collects states through InferenceModel::inspect, and fits.
#include "native/probe_fit.h"

#include <algorithm>

#include "native/evaluation.h"
#include "shared/eigen/linear_fit.h"

namespace softalign {
namespace {

constexpr int readouts = static_cast<int>(readout_infos.size());

// The class of each readout for a date.
std::array<int, readouts> classes_of(const Date& date) {
  const int years = date.year;
  return {date.month - 1, date.day - 1, years / 1000, years / 100 % 10, years / 10 % 10, years % 10};
}

// Calls each(state, position in its date, classes) for every encoder state that lies in a date.
template <class Each>
Status each_state(InferenceModel& model, const Example& example, Each each) {
  const auto inside = model.inspect(make_source(example.source).value(), 0, lab_max_len);
  if (!inside) return inside.error();
  for (size_t k = 0; k < example.spans.size(); ++k)
    for (int i = example.spans[k].start; i < example.spans[k].end; ++i)
      each(std::span(inside->h).subspan(static_cast<size_t>(i) * inside->d_enc, inside->d_enc), i - example.spans[k].start,
           classes_of(example.dates[k]));
  return success();
}

// Keys of the whole source, and the query of every step of the answer; states h and s where no score compares anything.
Status add_compared(InferenceModel& model, const Example& example, std::vector<float>& rows) {
  const Source source = make_source(example.source).value();
  const auto add = [&](const std::vector<float>& values) { rows.insert(rows.end(), values.begin(), values.end()); };
  const int T = static_cast<int>(model.greedy(source, lab_max_len).tokens.size());
  for (int t = 0; t < T; ++t) {
    const auto inside = model.inspect(source, t, lab_max_len);
    if (!inside) return inside.error();
    const bool compares = inside->d_k > 0;
    if (t == 0) add(compares ? inside->k : inside->h);
    add(compares ? inside->q : inside->s);
  }
  return success();
}

Result<std::optional<Plane>> fit_plane(InferenceModel& model, const std::function<bool()>& go_on) {
  const Config& config = model.config();
  const int D = config.score == Score::additive ? config.d_a : config.d_h;
  // Without a score nothing says how h_i and s_t are to be compared, which a bi encoder makes of different sizes.
  if (!config.attends() && config.d_enc() != D)
    return {ErrorCode::BAD_VALUE, "the encoder and decoder states of this model have different sizes, and no score compares them"};
  std::vector<float> rows;
  for (const Example& example : examples_of("train", plane_sources_per_K)) {
    if (auto added = add_compared(model, example, rows); !added) return added.error();
    if (!go_on()) return std::optional<Plane>();
  }
  PrincipalAxes found = principal_axes(rows, D);
  return std::optional(Plane{D, std::move(found.mean), std::move(found.axes), found.explained});
}

// Every class of every readout is a column of 0 and 1, so that one least squares fit serves all of them.
Result<bool> fit_readouts(InferenceModel& model, Probe& probe, const std::function<bool()>& go_on) {
  int columns = 0;
  for (const ReadoutInfo& info : readout_infos) columns += info.classes;
  std::vector<float> rows, targets;
  for (const Example& example : examples_of("train", probe_sources_per_K)) {
    auto read = each_state(model, example, [&](std::span<const float> h, int, const std::array<int, readouts>& classes) {
      rows.insert(rows.end(), h.begin(), h.end());
      const size_t at = targets.size();
      targets.resize(at + columns);
      for (int i = 0, column = 0; i < readouts; column += readout_infos[i++].classes) targets[at + column + classes[i]] = 1;
    });
    if (!read) return read.error();
    if (!go_on()) return false;
  }
  const int D = model.config().d_enc();
  const LinearFit fit = ridge_fit(rows, D, targets, columns, readout_penalty);
  for (int i = 0, column = 0; i < readouts; column += readout_infos[i++].classes) {
    const int classes = readout_infos[i].classes;
    const auto weight = fit.weight.begin() + static_cast<ptrdiff_t>(column) * D;
    probe.readouts[i].weight.assign(weight, weight + static_cast<ptrdiff_t>(classes) * D);
    probe.readouts[i].bias.assign(fit.bias.begin() + column, fit.bias.begin() + column + classes);
  }
  return true;
}

int guess(const Readout& readout, std::span<const float> h) {
  std::vector<float> scores = readout.bias;
  for (size_t c = 0; c < scores.size(); ++c)
    for (size_t d = 0; d < h.size(); ++d) scores[c] += readout.weight[c * h.size() + d] * h[d];
  return argmax(scores);
}

// The most frequent class of each readout among the dates of the training split.
std::array<int, readouts> majority_classes() {
  std::array<std::vector<int>, readouts> counts;
  for (int i = 0; i < readouts; ++i) counts[i].resize(readout_infos[i].classes);
  for (const Example& example : examples_of("train", probe_sources_per_K))
    for (const Date& date : example.dates)
      for (int i = 0; i < readouts; ++i) ++counts[i][classes_of(date)[i]];
  std::array<int, readouts> found{};
  for (int i = 0; i < readouts; ++i)
    found[i] = static_cast<int>(std::max_element(counts[i].begin(), counts[i].end()) - counts[i].begin());
  return found;
}

}  // namespace

Result<bool> measure_probe(InferenceModel& model, Probe& probe, const ProbeProgress& go_on) {
  const std::array<int, readouts> most = majority_classes();
  const std::vector<Example> examples = examples_of("test", 0);
  probe.count.assign(probe_positions, 0);
  for (Readout& readout : probe.readouts) readout.accuracy = readout.majority = probe.count;
  int done = 0;
  for (const Example& example : examples) {
    auto read = each_state(model, example, [&](std::span<const float> h, int position, const std::array<int, readouts>& classes) {
      ++probe.count[position];
      for (int i = 0; i < readouts; ++i) {
        probe.readouts[i].accuracy[position] += guess(probe.readouts[i], h) == classes[i];
        probe.readouts[i].majority[position] += most[i] == classes[i];
      }
    });
    if (!read) return read.error();
    if (!go_on(++done, static_cast<int>(examples.size()))) return false;
  }
  for (Readout& readout : probe.readouts)
    for (int position = 0; position < probe_positions; ++position) {
      const float count = std::max(probe.count[position], 1.0f);
      readout.accuracy[position] /= count, readout.majority[position] /= count;
    }
  return true;
}

Result<std::optional<Probe>> fit_probe(InferenceModel& model, const std::string& weights_sha256, const ProbeProgress& go_on) {
  const int to_fit = max_trained_K * (plane_sources_per_K + probe_sources_per_K);
  const int total = to_fit + max_trained_K * test_examples_per_K;
  int done = 0;
  const auto next = [&] { return go_on(++done, total); };
  Probe probe;
  probe.weights_sha256 = weights_sha256;
  auto plane = fit_plane(model, next);
  if (!plane) return plane.error();
  if (!*plane) return std::optional<Probe>();
  probe.plane = std::move(**plane);
  auto fitted = fit_readouts(model, probe, next);
  if (!fitted) return fitted.error();
  if (!*fitted) return std::optional<Probe>();
  auto measured = measure_probe(model, probe, [&](int, int) { return next(); });
  if (!measured) return measured.error();
  return *measured ? std::optional(std::move(probe)) : std::nullopt;
}

}  // namespace softalign
