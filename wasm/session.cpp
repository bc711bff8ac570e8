// Session: the models by name, and what they make of a text.
#include "wasm/session.h"

#include "shared/io/message.h"
#include "shared/task/random.h"

namespace softalign {
namespace {

std::vector<float> probabilities_of(const Decoded& decoded) {
  std::vector<float> probabilities(decoded.log_probs.size());
  exponentials(probabilities.data(), decoded.log_probs.data(), 0, static_cast<int>(probabilities.size()));
  return probabilities;
}

// Row by row, the two coordinates of states (n,D) in a plane.
std::vector<float> drawn(const Plane& plane, const std::vector<float>& states) {
  std::vector<float> points;
  const size_t D = static_cast<size_t>(plane.D);
  for (size_t row = 0; row < states.size(); row += D)
    for (size_t axis = 0; axis < 2; ++axis) {
      float sum = 0;
      for (size_t j = 0; j < D; ++j) sum += plane.axes[axis * D + j] * (states[row + j] - plane.mean[j]);
      points.push_back(sum);
    }
  return points;
}

}  // namespace

Result<ModelInfo> Session::load(const std::string& name, std::span<const uint8_t> weights) {
  auto checkpoint = read_checkpoint(weights);
  if (!checkpoint) return checkpoint.error();
  auto model = InferenceModel::create(std::move(*checkpoint));
  if (!model) return model.error();
  return keep({name, std::move(*model), {}});
}

Result<ModelInfo> Session::untrained(const std::string& name, const std::string& like, uint64_t seed) {
  auto held = find(like);
  if (!held) return held.error();
  const Config config = (*held)->model->config();
  Random random(seed);
  auto model = InferenceModel::create({config, initialise(config, random), 0, {}});
  if (!model) return model.error();
  return keep({name, std::move(*model), {}});
}

Result<ModelInfo> Session::keep(Held held) {
  const ModelInfo info{held.name, held.model->config(), parameter_count(held.model->config()), held.model->steps()};
  if (auto known = find(held.name); known)
    **known = std::move(held);
  else
    models_.push_front(std::move(held));
  return info;
}

Result<const Plane*> Session::load_probe(const std::string& name, std::span<const uint8_t> file, std::string_view weights_sha256) {
  auto held = find(name);
  if (!held) return held.error();
  auto probe = read_probe((*held)->model->config(), file);
  if (!probe) return probe.error();
  if (!weights_sha256.empty() && probe->weights_sha256 != weights_sha256)
    return {ErrorCode::WRONG_MODEL, message("the probe was fitted to other weights than those of %", {name})};
  return &(*held)->plane.emplace(std::move(probe->plane));
}

Result<Session::Held*> Session::find(const std::string& name) {
  for (Held& held : models_)
    if (held.name == name) return &held;
  return {ErrorCode::NO_MODEL, message("no model named % is loaded", {name})};
}

Result<Session::Asked> Session::ask(const std::string& name, std::string_view text) {
  auto held = find(name);
  if (!held) return held.error();
  auto source = make_source(text);
  if (!source) return source.error();
  const int max_len = live_max_len(static_cast<int>(source->ids().size()));
  return Asked{*held, (*held)->model.get(), std::move(*source), max_len};
}

Result<Answer> Session::decode(const std::string& name, std::string_view text) { return intervene(name, text, {}); }

Result<Answer> Session::intervene(const std::string& name, std::string_view text, const Edits& edits) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  auto decoded = asked->model->greedy(asked->source, asked->max_len, edits);
  if (!decoded) return decoded.error();
  Reading reading = read_dates(asked->source);
  Answer answer{std::move(asked->source), std::move(*decoded), {}, std::move(reading)};
  answer.probabilities = probabilities_of(answer.decoded);
  if (!answer.decoded.finished)
    answer.reading.notes.push_back(unfinished_note(static_cast<int>(answer.decoded.tokens.size())));
  return answer;
}

Result<Inspection> Session::inspect(const std::string& name, std::string_view text, int t, const Edits& edits) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  return asked->model->inspect(asked->source, t, asked->max_len, edits);
}

Result<ForcedAnswer> Session::teacher_force(const std::string& name, std::string_view text, std::string_view target) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  if (target.empty()) return {ErrorCode::BAD_VALUE, "there is no target to score: give a text such as 2021-03-03"};
  if (target.size() >= live_max_len_limit)
    return {ErrorCode::BAD_VALUE, message("a target has at most % characters", {live_max_len_limit - 1})};
  auto tokens = prefix_ids(target);
  if (!tokens) return tokens.error();
  tokens->push_back(eos);
  Decoded decoded = asked->model->score_target(asked->source, *tokens);
  ForcedAnswer answer{std::move(asked->source), std::move(decoded), {bos}, {}, {}, {}};
  const size_t V = static_cast<size_t>(asked->model->config().V_tgt);
  for (size_t t = 0; t < tokens->size(); ++t) {
    const std::span<const float> row = std::span(answer.decoded.log_probs).subspan(t * V, V);
    answer.loss.push_back(-row[(*tokens)[t]]);
    answer.predicted.push_back(argmax(row));
  }
  answer.tgt_in.insert(answer.tgt_in.end(), tokens->begin(), tokens->end() - 1);
  answer.probabilities = probabilities_of(answer.decoded);
  return answer;
}

Result<PlaneAnswer> Session::plane(const std::string& name, std::string_view text) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  const std::optional<Plane>& plane = asked->held->plane;
  if (!plane) return {ErrorCode::NO_MODEL, message("no probe of % is loaded", {name})};
  Decoded decoded = asked->model->greedy(asked->source, asked->max_len);
  const Compared compared = asked->model->compared(asked->source, decoded.tokens);
  return PlaneAnswer{std::move(asked->source), std::move(decoded), drawn(*plane, compared.k), drawn(*plane, compared.q),
                     plane->explained};
}

Result<BeamAnswer> Session::beam(const std::string& name, std::string_view text, BeamSettings settings) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  settings.max_len = asked->max_len;
  auto found = asked->model->beam(asked->source, settings);
  if (!found) return found.error();
  Reading reading = read_dates(asked->source);
  if (!found->best[0].finished) reading.notes.push_back(unfinished_note(asked->max_len));
  return BeamAnswer{std::move(asked->source), settings, std::move(*found), std::move(reading)};
}

Result<const std::vector<float>*> Session::weight(const std::string& name, std::string_view parameter) {
  auto held = find(name);
  if (!held) return held.error();
  if (const auto* weight = (*held)->model->weight(parameter)) return weight;
  return {ErrorCode::BAD_VALUE, message("this model has no weight named %", {parameter})};
}

}  // namespace softalign
