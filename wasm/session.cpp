// Session: the models by name, and the test split.
#include "wasm/session.h"

#include "shared/io/message.h"

namespace softalign {
namespace {

constexpr int test_examples = max_trained_K * test_examples_per_K;

}  // namespace

Result<ModelInfo> Session::load(const std::string& name, std::span<const uint8_t> weights) {
  auto checkpoint = read_checkpoint(weights);
  if (!checkpoint) return checkpoint.error();
  auto model = InferenceModel::create(std::move(*checkpoint));
  if (!model) return model.error();
  const ModelInfo info{name, (*model)->config(), parameter_count((*model)->config()), (*model)->steps()};
  for (auto& [known, held] : models_)
    if (known == name) {
      held = std::move(*model);
      return info;
    }
  models_.emplace_front(name, std::move(*model));
  return info;
}

Result<InferenceModel*> Session::find(const std::string& name) {
  for (auto& [known, held] : models_)
    if (known == name) return held.get();
  return {ErrorCode::NO_MODEL, message("no model named % is loaded", {name})};
}

Result<Session::Asked> Session::ask(const std::string& name, std::string_view text) {
  auto model = find(name);
  if (!model) return model.error();
  auto source = make_source(text);
  if (!source) return source.error();
  const int max_len = live_max_len(static_cast<int>(source->ids().size()));
  return Asked{*model, std::move(*source), max_len};
}

Result<Answer> Session::decode(const std::string& name, std::string_view text) { return intervene(name, text, {}); }

Result<Answer> Session::intervene(const std::string& name, std::string_view text, const Edits& edits) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  auto decoded = asked->model->greedy(asked->source, asked->max_len, edits);
  if (!decoded) return decoded.error();
  Reading reading = read_dates(asked->source);
  Answer answer{std::move(asked->source), std::move(*decoded), {}, std::move(reading)};
  const auto& log_probs = answer.decoded.log_probs;
  answer.probabilities.resize(log_probs.size());
  exponentials(answer.probabilities.data(), log_probs.data(), 0, static_cast<int>(log_probs.size()));
  if (!answer.decoded.finished)
    answer.reading.notes.push_back(unfinished_note(static_cast<int>(answer.decoded.tokens.size())));
  return answer;
}

Result<Inspection> Session::inspect(const std::string& name, std::string_view text, int t, const Edits& edits) {
  auto asked = ask(name, text);
  if (!asked) return asked.error();
  return asked->model->inspect(asked->source, t, asked->max_len, edits);
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

const std::vector<Example>& Session::examples() {
  if (test_split_.empty()) test_split_ = test_split();
  return test_split_;
}

Result<Example> Session::sample(int K, int index) {
  if (K < 1 || K > max_trained_K || index < 0 || index >= test_examples_per_K)
    return {ErrorCode::BAD_VALUE, "the test split has 500 examples, 0 to 499, for each K from 1 to 4"};
  return examples()[static_cast<size_t>(K - 1) * test_examples_per_K + index];
}

Result<std::vector<std::string>> Session::decode_test(const std::string& name, int first, int count) {
  auto model = find(name);
  if (!model) return model.error();
  if (first < 0 || count < 0 || first > test_examples || count > test_examples - first)
    return {ErrorCode::BAD_VALUE, "the test split has 2,000 sources, 0 to 1999"};
  std::vector<std::string> outputs;
  for (const Example& example : std::span(examples()).subspan(first, count))
    outputs.push_back(output_text((*model)->greedy(make_source(example.source).value(), lab_max_len).tokens));
  return outputs;
}

Result<Measurement> Session::measure(std::span<const std::string> outputs) {
  if (outputs.size() != test_examples)
    return {ErrorCode::BAD_VALUE, "a measurement takes one output for each of the 2,000 sources of the test split"};
  Measurement measured;
  for (int K = 1; K <= max_trained_K; ++K) {
    const size_t begin = static_cast<size_t>(K - 1) * test_examples_per_K;
    std::vector<std::string> targets(test_examples_per_K);
    for (size_t i = 0; i < targets.size(); ++i) targets[i] = examples()[begin + i].target;
    OutputMetrics bucket = measure_outputs(outputs.subspan(begin, targets.size()), targets, K);
    measured.n[K - 1] = bucket.n;
    measured.exact_match[K - 1] = bucket.exact_match;
    measured.per_date[K - 1] = std::move(bucket.per_date);
    measured.well_formed[K - 1] = bucket.well_formed;
  }
  return measured;
}

Result<const std::vector<float>*> Session::weight(const std::string& name, std::string_view parameter) {
  auto model = find(name);
  if (!model) return model.error();
  if (const auto* weight = (*model)->weight(parameter)) return weight;
  return {ErrorCode::BAD_VALUE, message("this model has no weight named %", {parameter})};
}

}  // namespace softalign
