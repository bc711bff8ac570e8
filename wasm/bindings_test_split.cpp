// The test split for JavaScript: its examples, and what models make of them.
#include "wasm/bindings.h"

namespace softalign {
namespace {

val sample(int K, int index, const Example& example) {
  return Object().set("source", example.source).set("target", example.target).set("K", K).set("index", index);
}

val measurement(const Measurement& measured) {
  return Object()
      .set("n", measured.n)
      .set("exact_match", measured.exact_match)
      .set("per_date", array(measured.per_date, [](std::span<const double> rates) { return to_js(rates); }))
      .set("well_formed", measured.well_formed);
}

val test_outputs(const TestOutputs& told) {
  return Object().set("outputs", told.outputs).set("right", typed_array(std::span<const uint8_t>(told.right)));
}

val rate(const TestRate& rate) {
  return Object()
      .set("all", std::span<const double>(rate.all))
      .set("by_K", array(rate.by_K, [](std::span<const double> rates) { return to_js(rates); }));
}

val alignment(const TestAlignment& told) {
  return Object()
      .set("alignment_hit_rate", rate(told.alignment_hit_rate))
      .set("field_hit_rate", rate(told.field_hit_rate))
      .set("chance_hit_rate", rate(told.chance_hit_rate))
      .set("chance_field_rate", rate(told.chance_field_rate));
}

val all_examples(const std::vector<Example>& examples) {
  std::vector<std::string> sources, targets;
  for (const Example& example : examples) sources.push_back(example.source), targets.push_back(example.target);
  return Object().set("sources", sources).set("targets", targets);
}

}  // namespace

void bind_test_split(SessionClass& session) {
  session
      .function("sample", emscripten::optional_override([](Session& self, int K, int index) {
                  return outcome(self.sample(K, index), [&](const Example& e) { return sample(K, index, e); });
                }))
      .function("test_split", emscripten::optional_override([](Session& self) { return all_examples(self.examples()); }))
      .function("decode_test", emscripten::optional_override([](Session& self, const std::string& name, int first, int count) {
                  return outcome(self.decode_test(name, first, count), test_outputs);
                }))
      .function("measure", emscripten::optional_override([](Session& self, const val& outputs) {
                  return outcome(self.measure(emscripten::vecFromJSArray<std::string>(outputs)), measurement);
                }))
      .function("align_test", emscripten::optional_override([](Session& self, const std::string& name, int first, int count) {
                  return outcome(self.align_test(name, first, count),
                                 [](const std::vector<int>& positions) { return typed_array(std::span<const int>(positions)); });
                }))
      .function("measure_alignment", emscripten::optional_override([](Session& self, const val& positions) {
                  return outcome(self.measure_alignment(emscripten::convertJSArrayToNumberVector<int>(positions)), alignment);
                }));
}

}  // namespace softalign
