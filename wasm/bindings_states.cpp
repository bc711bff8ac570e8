// A model's numbers for JavaScript: a given target's losses, states in a plane, untrained weights, attention on plain arrays.
#include <cmath>

#include "shared/eigen/attention_step.h"
#include "wasm/bindings.h"

namespace softalign {
namespace {

constexpr double most_seed = 9007199254740991.0;  // 2^53 - 1

Object source_of(const std::string& model, const Source& source) {
  return Object()
      .set("model", model)
      .set("source", val(source.text()).call<val>("split", std::string()))
      .set("positions", source.positions());
}

val forced(const std::string& model, const ForcedAnswer& answer) {
  const Decoded& decoded = answer.decoded;
  return source_of(model, answer.source)
      .set("tokens", token_texts(decoded.tokens))
      .set("ids", decoded.tokens)
      .set("tgt_in", token_texts(answer.tgt_in))
      .set("predicted", token_texts(answer.predicted))
      .set("loss", answer.loss)
      .set("sum", -decoded.log_prob)
      .set("mean", -decoded.log_prob / static_cast<double>(decoded.tokens.size()))
      .set("alpha", weights(decoded.alpha))
      .set("probabilities", answer.probabilities);
}

val in_plane(const std::string& model, const PlaneAnswer& answer) {
  return source_of(model, answer.source)
      .set("tokens", token_texts(answer.decoded.tokens))
      .set("k", answer.k)
      .set("q", answer.q)
      .set("alpha", weights(answer.decoded.alpha))
      .set("explained", number_array(std::span<const float>(answer.explained)));
}

val plane(const Plane* plane) {
  return Object().set("explained", number_array(std::span<const float>(plane->explained))).set("d", plane->D);
}

val attention_step(const AttentionStep& step) {
  return Object()
      .set("S", step.S)
      .set("d", step.d)
      .set("score", step.score)
      .set("largest", double{step.largest})
      .set("exponential", step.exponential)
      .set("sum", double{step.sum})
      .set("alpha", step.alpha)
      .set("h_bar", step.h_bar);
}

using Attention = Result<AttentionStep> (*)(std::span<const float> given, std::span<const float> h, int length);

val attended(Attention attention, const val& given, const val& h, int length) {
  constexpr size_t most = size_t{source_limit} * attention_step_limit;
  const auto numbers = floats_of(given, most), states = floats_of(h, most);
  if (!numbers) return failure(numbers.error());
  if (!states) return failure(states.error());
  return outcome(attention(*numbers, *states, length), attention_step);
}

}  // namespace

void bind_states(SessionClass& session) {
  session
      .function("untrained", emscripten::optional_override([](Session& self, const std::string& name, const std::string& like, double seed) {
                  if (!(seed >= 0 && seed <= most_seed && seed == std::floor(seed)))
                    return failure({ErrorCode::BAD_VALUE, "a seed is a whole number from 0 to 9007199254740991"});
                  return outcome(self.untrained(name, like, static_cast<uint64_t>(seed)), model_info);
                }))
      .function("load_probe", emscripten::optional_override([](Session& self, const std::string& name, const std::string& file, const std::string& weights_sha256) {
                  return outcome(self.load_probe(name, bytes(file), weights_sha256), plane);
                }))
      .function("plane", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text) {
                  return outcome(self.plane(name, text), [&](const PlaneAnswer& a) { return in_plane(name, a); });
                }))
      .function("teacher_force", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, const std::string& target) {
                  return outcome(self.teacher_force(name, text, target), [&](const ForcedAnswer& a) { return forced(name, a); });
                }));
  emscripten::function("masked_attention", +[](const val& score, const val& h, int length) {
    return attended(masked_attention, score, h, length);
  });
  emscripten::function("dot_product_attention", +[](const val& q, const val& h, int length) {
    return attended(dot_product_attention, q, h, length);
  });
}

}  // namespace softalign
