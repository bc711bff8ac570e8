// Session for JavaScript: softalign.d.mts states the types. Results are plain objects, and arrays are copies that JavaScript owns.
#include <emscripten/bind.h>

#include "wasm/session.h"

using emscripten::val;

namespace softalign {
namespace {

val copy(const std::vector<float>& numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data())).call<val>("slice");
}

template <class Items, class Convert>
val array(const Items& items, Convert convert) {
  val result = val::array();
  int next = 0;
  for (const auto& item : items) result.set(next++, convert(item));
  return result;
}
template <class Items>
val array(const Items& items) {
  return array(items, [](const auto& item) { return item; });
}

// {value} or {error: {code, message}}.
template <class T, class Convert>
val outcome(const Result<T>& result, Convert convert) {
  val object = val::object();
  if (result) {
    object.set("value", convert(result.value()));
  } else {
    val error = val::object();
    error.set("code", std::string(name(result.error().code)));
    error.set("message", result.error().message);
    object.set("error", error);
  }
  return object;
}

val model_info(const ModelInfo& info) {
  val object = val::object();
  object.set("name", info.name);
  object.set("score", name(info.config.score));
  object.set("ordering", name(info.config.ordering));
  object.set("encoder", name(info.config.encoder));
  object.set("d_emb", info.config.d_emb);
  object.set("d_h", info.config.d_h);
  object.set("d_a", info.config.d_a);
  object.set("parameters", static_cast<int>(info.parameters));
  object.set("steps", info.steps);
  return object;
}

val note(const Note& note) {
  val object = val::object();
  object.set("code", std::string(name(note.code)));
  object.set("message", note.message);
  object.set("start", note.start);
  object.set("end", note.end);
  return object;
}

val decoding(const std::string& model, const Answer& answer) {
  const Decoded& decoded = answer.decoded;
  val object = val::object();
  object.set("model", model);
  object.set("source", array(answer.source.characters()));
  object.set("positions", array(answer.source.positions()));
  object.set("tokens", array(decoded.tokens, token_text));
  object.set("ids", array(decoded.tokens));
  object.set("output", output_text(decoded.tokens));
  object.set("finished", decoded.finished);
  object.set("log_prob", decoded.log_prob);
  object.set("alpha", decoded.alpha.weights.empty() ? val::null() : copy(decoded.alpha.weights));
  object.set("probabilities", copy(answer.probabilities));
  object.set("expected", answer.reading.expected ? val(*answer.reading.expected) : val::null());
  object.set("K", answer.reading.K);
  object.set("notes", array(answer.reading.notes, note));
  return object;
}

val sample(int K, int index, const Example& example) {
  val object = val::object();
  object.set("source", example.source);
  object.set("target", example.target);
  object.set("K", K);
  object.set("index", index);
  return object;
}

val inspection(const std::string& model, const Inspection& inspection) {
  val object = val::object();
  object.set("model", model);
  object.set("t", inspection.t);
  object.set("S", inspection.S);
  object.set("d_h", inspection.d_h);
  object.set("score", copy(inspection.score));
  object.set("largest", inspection.largest);
  object.set("exponential", copy(inspection.exponential));
  object.set("sum", inspection.sum);
  object.set("alpha", copy(inspection.alpha));
  object.set("h", copy(inspection.h));
  object.set("s", copy(inspection.s));
  object.set("h_bar", copy(inspection.h_bar));
  return object;
}

val measurement(const std::vector<OutputMetrics>& buckets) {
  val object = val::object();
  object.set("n", array(buckets, [](const OutputMetrics& bucket) { return bucket.n; }));
  object.set("exact_match", array(buckets, [](const OutputMetrics& bucket) { return bucket.exact_match; }));
  object.set("per_date", array(buckets, [](const OutputMetrics& bucket) { return array(bucket.per_date); }));
  object.set("well_formed", array(buckets, [](const OutputMetrics& bucket) { return bucket.well_formed; }));
  return object;
}

// embind copies a Uint8Array into a std::string byte by byte, without reading it as text.
std::span<const uint8_t> bytes(const std::string& copied) {
  return {reinterpret_cast<const uint8_t*>(copied.data()), copied.size()};
}

EMSCRIPTEN_BINDINGS(softalign) {
  emscripten::class_<Session>("Session")
      .constructor<>()
      .function("load", emscripten::optional_override([](Session& self, const std::string& name, const std::string& weights) {
                  return outcome(self.load(name, bytes(weights)), model_info);
                }))
      .function("decode", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text) {
                  return outcome(self.decode(name, text), [&](const Answer& a) { return decoding(name, a); });
                }))
      .function("inspect", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, int t) {
                  return outcome(self.inspect(name, text, t), [&](const Inspection& i) { return inspection(name, i); });
                }))
      .function("decode_test", emscripten::optional_override([](Session& self, const std::string& name, int first, int count) {
                  return outcome(self.decode_test(name, first, count), [](const auto& outputs) { return array(outputs); });
                }))
      .function("measure", emscripten::optional_override([](Session& self, const val& outputs) {
                  return outcome(self.measure(emscripten::vecFromJSArray<std::string>(outputs)), measurement);
                }))
      .function("sample", emscripten::optional_override([](Session& self, int K, int index) {
                  return outcome(self.sample(K, index), [&](const Example& e) { return sample(K, index, e); });
                }))
      .function("weight", emscripten::optional_override([](Session& self, const std::string& name, const std::string& parameter) {
                  return outcome(self.weight(name, parameter), [](const std::vector<float>* weight) { return copy(*weight); });
                }));
  emscripten::function("target_vocabulary", +[] {
    std::vector<int32_t> ids;
    for (int32_t id = 0; id < target_vocabulary_size; ++id) ids.push_back(id);
    return array(ids, token_text);
  });
  emscripten::function("source_limit", +[] { return source_limit; });
}

}  // namespace
}  // namespace softalign
