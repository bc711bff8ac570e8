// The session for JavaScript: softalign.d.mts states the types.
#include <algorithm>
#include <cassert>
#include <cstdarg>
#include <numeric>

#include "shared/io/message.h"
#include "wasm/bindings.h"

// Embind's one use of printf: the address of a type that is not bound, for the message about that mistake. The C library's
// would be 2.5 kB of a module of 50.
extern "C" int siprintf(char* text, [[maybe_unused]] const char* pattern, ...) {
  assert(std::string_view(pattern) == "%p" && "siprintf: prints addresses only");
  va_list parts;
  va_start(parts, pattern);
  const std::string address = softalign::message("%", {va_arg(parts, uintptr_t)});
  va_end(parts);
  text[address.copy(text, address.size())] = '\0';
  return static_cast<int>(address.size());
}

namespace softalign {
namespace {

val span(const Span& span) {
  const int ends[] = {span.start, span.end};
  return to_js(std::span<const int>(ends));
}

val place(const DatePlace& place) {
  const Fields& fields = place.fields;
  return Object()
      .set("date", span(place.span))
      .set("year", span(fields.year))
      .set("month", span(fields.month))
      .set("day", span(fields.day));
}

Object decoding(const std::string& model, const Answer& answer) {
  const Decoded& decoded = answer.decoded;
  return about(model, answer.source, answer.reading)
      .set("tokens", token_texts(decoded.tokens))
      .set("ids", decoded.tokens)
      .set("output", output_text(decoded.tokens))
      .set("finished", decoded.finished)
      .set("log_prob", decoded.log_prob)
      .set("alpha", weights(decoded.alpha))
      .set("probabilities", answer.probabilities)
      .set("fields", answer.reading.places.empty() ? val::null() : array(answer.reading.places, place));
}

val intervention(const std::string& model, const Answer& answer) {
  return decoding(model, answer).set("alpha_read", weights(answer.decoded.alpha_read));
}

val hypothesis(const Hypothesis& each) {
  return Object()
      .set("tokens", token_texts(each.tokens))
      .set("ids", each.tokens)
      .set("output", output_text(each.tokens))
      .set("finished", each.finished)
      .set("log_prob", each.log_prob)
      .set("value_per_length", each.value_per_length)
      .set("node", each.node);
}

// One member of every node, as an array.
template <class Number, class Member>
val column(const std::vector<BeamNode>& tree, Member BeamNode::*member) {
  std::vector<Number> numbers;
  numbers.reserve(tree.size());
  for (const BeamNode& node : tree) numbers.push_back(static_cast<Number>(node.*member));
  return typed_array(std::span<const Number>(numbers));
}

val beam(const std::string& model, const BeamAnswer& answer) {
  const std::vector<BeamNode>& tree = answer.found.tree;
  const val columns = Object()
                          .set("token", column<int>(tree, &BeamNode::token))
                          .set("value", column<double>(tree, &BeamNode::value))
                          .set("parent", column<int>(tree, &BeamNode::parent))
                          .set("length", column<int>(tree, &BeamNode::length))
                          .set("kept", column<uint8_t>(tree, &BeamNode::kept))
                          .set("finished", column<uint8_t>(tree, &BeamNode::finished));
  return about(model, answer.source, answer.reading)
      .set("B", answer.settings.B)
      .set("plain_values", answer.settings.plain_values)
      .set("best", array(answer.found.best, hypothesis))
      .set("tree", columns);
}

val inspection(const std::string& model, const Inspection& inspection) {
  return Object()
      .set("model", model)
      .set("t", inspection.t)
      .set("token", token_text(inspection.token))
      .set("S", inspection.S)
      .set("V", inspection.V)
      .set("d_h", inspection.d_h)
      .set("d_enc", inspection.d_enc)
      .set("d_k", inspection.d_k)
      .set("q", inspection.q)
      .set("k", inspection.k)
      .set("score", inspection.score)
      .set("largest", double{inspection.largest})
      .set("exponential", inspection.exponential)
      .set("sum", double{inspection.sum})
      .set("alpha", inspection.alpha)
      .set("alpha_read", inspection.alpha_read)
      .set("h", inspection.h)
      .set("s", inspection.s)
      .set("h_bar", inspection.h_bar)
      .set("s_t", inspection.s_t)
      .set("s_tilde", inspection.s_tilde)
      .set("z", inspection.z)
      .set("log_probs", inspection.log_probs);
}

// A member of an object that JavaScript gave, where it has that member.
template <class Value>
void take(const val& object, const char* name, Value& value) {
  if (const val member = object[name]; !member.isUndefined()) value = member.as<Value>();
}

Result<Edits> edits_of(const val& given) {
  Edits edits;
  std::string prefix;
  take(given, "prefix", prefix);
  auto ids = prefix_ids(prefix);
  if (!ids) return ids.error();
  edits.prefix = std::move(*ids);
  std::vector<val> list;
  if (const val rows = given["rows"]; !rows.isUndefined()) list = emscripten::vecFromJSArray<val>(rows);
  for (const val& item : list) {
    Edits::Rows rows;
    take(item, "first", rows.first);
    take(item, "last", rows.last);
    std::string kind;
    take(item, "kind", kind);
    const auto known = std::find(edit_kind_names.begin(), edit_kind_names.end(), kind);
    if (known == edit_kind_names.end())
      return {ErrorCode::BAD_VALUE, message("no row of weights can be edited by %", {quoted(kind)})};
    rows.edit.kind = static_cast<RowEdit::Kind>(known - edit_kind_names.begin());
    take(item, "position", rows.edit.position);
    take(item, "by", rows.edit.by);
    take(item, "temperature", rows.edit.temperature);
    if (const val row = item["row"]; !row.isUndefined()) rows.edit.row = emscripten::convertJSArrayToNumberVector<float>(row);
    edits.rows.push_back(std::move(rows));
  }
  return edits;
}

EMSCRIPTEN_BINDINGS(softalign) {
  SessionClass session("Session");
  session.constructor<>()
      .function("load", emscripten::optional_override([](Session& self, const std::string& name, const std::string& weights) {
                  return outcome(self.load(name, bytes(weights)), model_info);
                }))
      .function("decode", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text) {
                  return outcome(self.decode(name, text), [&](const Answer& a) -> val { return decoding(name, a); });
                }))
      .function("intervene", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, const val& given) {
                  const auto edits = edits_of(given);
                  if (!edits) return failure(edits.error());
                  return outcome(self.intervene(name, text, *edits), [&](const Answer& a) { return intervention(name, a); });
                }))
      .function("beam", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, int B, int n_best, bool plain_values) {
                  const BeamSettings settings{.B = B, .plain_values = plain_values, .n_best = n_best};
                  return outcome(self.beam(name, text, settings), [&](const BeamAnswer& a) { return beam(name, a); });
                }))
      .function("inspect", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, int t) {
                  return outcome(self.inspect(name, text, t), [&](const Inspection& i) { return inspection(name, i); });
                }))
      .function("inspect", emscripten::optional_override([](Session& self, const std::string& name, const std::string& text, int t, const val& given) {
                  const auto edits = edits_of(given);
                  if (!edits) return failure(edits.error());
                  return outcome(self.inspect(name, text, t, *edits), [&](const Inspection& i) { return inspection(name, i); });
                }))
      .function("weight", emscripten::optional_override([](Session& self, const std::string& name, const std::string& parameter) {
                  return outcome(self.weight(name, parameter), [](const std::vector<float>* weight) { return to_js(*weight); });
                }));
  bind_states(session);
  bind_test_split(session);
  emscripten::function("target_vocabulary", +[] {
    std::vector<int32_t> ids(target_vocabulary_size);
    std::iota(ids.begin(), ids.end(), 0);
    return to_js(token_texts(ids));
  });
  emscripten::function("source_limit", +[] { return source_limit; });
}

}  // namespace
}  // namespace softalign
