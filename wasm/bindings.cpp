// Session for JavaScript: softalign.d.mts states the types. Results are plain objects, and arrays are copies that JavaScript owns.
#include <emscripten/bind.h>

#include <algorithm>
#include <cassert>
#include <cstdarg>
#include <numeric>

#include "shared/io/message.h"
#include "wasm/session.h"

using emscripten::val;

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

val to_js(const val& value) { return value; }
val to_js(int number) { return val(number); }
val to_js(double number) { return val(number); }
val to_js(bool truth) { return val(truth); }
val to_js(const std::string& text) { return val(text); }

// Arrays are made in one call each: a call an item would cost as much as a tenth of decoding.
template <class Number>
val view(std::span<const Number> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}
template <class Number>
val typed_array(std::span<const Number> numbers) {
  return view(numbers).template call<val>("slice");  // a copy
}
val to_js(std::span<const float> numbers) { return typed_array(numbers); }
template <class Number>
val number_array(std::span<const Number> numbers) {
  return val::global("Array").call<val>("from", view(numbers));
}
val to_js(std::span<const int> numbers) { return number_array(numbers); }
val to_js(std::span<const double> numbers) { return number_array(numbers); }
// No text of the task holds the separator.
val to_js(const std::vector<std::string>& texts) {
  constexpr char separator = '\0';
  if (texts.empty()) return val::array();
  std::string joined = texts.front();
  for (const std::string& text : std::span(texts).subspan(1)) (joined += separator) += text;
  return val(joined).call<val>("split", std::string(1, separator));
}

template <class Items, class Convert>
val array(const Items& items, Convert convert) {
  val result = val::array();
  for (size_t i = 0; i < items.size(); ++i) result.set(static_cast<int>(i), convert(items[i]));
  return result;
}

// An object that is filled member by member.
class Object {
 public:
  template <class T>
  Object& set(const char* name, const T& value) {
    set_value(name, to_js(value));
    return *this;
  }
  operator val() const { return object_; }

 private:
  void set_value(const char* name, const val& value) { object_.set(name, value); }
  val object_ = val::object();
};

val failure(const Error& error) {
  const val told = Object().set("code", std::string(name(error.code))).set("message", error.message);
  return Object().set("error", told);
}

// {value} or {error: {code, message}}.
template <class T, class Convert>
val outcome(const Result<T>& result, Convert convert) {
  if (!result) return failure(result.error());
  const val value = convert(result.value());
  return Object().set("value", value);
}

val model_info(const ModelInfo& info) {
  return Object()
      .set("name", info.name)
      .set("score", name(info.config.score))
      .set("ordering", name(info.config.ordering))
      .set("encoder", name(info.config.encoder))
      .set("d_emb", info.config.d_emb)
      .set("d_h", info.config.d_h)
      .set("d_a", info.config.d_a)
      .set("parameters", static_cast<int>(info.parameters))
      .set("steps", info.steps);
}

val note(const Note& note) {
  return Object()
      .set("code", std::string(name(note.code)))
      .set("message", note.message)
      .set("start", note.start)
      .set("end", note.end);
}

std::vector<std::string> token_texts(const std::vector<int32_t>& ids) {
  std::vector<std::string> texts;
  for (int32_t id : ids) texts.push_back(token_text(id));
  return texts;
}

val weights(const Alpha& alpha) { return alpha.weights.empty() ? val::null() : to_js(alpha.weights); }

// What the source is and says, the same for every way of decoding.
Object about(const std::string& model, const Source& source, const Reading& reading) {
  return Object()
      .set("model", model)
      .set("source", val(source.text()).call<val>("split", std::string()))
      .set("positions", source.positions())
      .set("expected", reading.expected ? to_js(*reading.expected) : val::null())
      .set("K", reading.K)
      .set("notes", array(reading.notes, note));
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
      .set("probabilities", answer.probabilities);
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

val sample(int K, int index, const Example& example) {
  return Object().set("source", example.source).set("target", example.target).set("K", K).set("index", index);
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

val measurement(const Measurement& measured) {
  return Object()
      .set("n", measured.n)
      .set("exact_match", measured.exact_match)
      .set("per_date", array(measured.per_date, [](std::span<const double> rates) { return to_js(rates); }))
      .set("well_formed", measured.well_formed);
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
      .function("decode_test", emscripten::optional_override([](Session& self, const std::string& name, int first, int count) {
                  return outcome(self.decode_test(name, first, count), [](const auto& outputs) { return to_js(outputs); });
                }))
      .function("measure", emscripten::optional_override([](Session& self, const val& outputs) {
                  return outcome(self.measure(emscripten::vecFromJSArray<std::string>(outputs)), measurement);
                }))
      .function("sample", emscripten::optional_override([](Session& self, int K, int index) {
                  return outcome(self.sample(K, index), [&](const Example& e) { return sample(K, index, e); });
                }))
      .function("weight", emscripten::optional_override([](Session& self, const std::string& name, const std::string& parameter) {
                  return outcome(self.weight(name, parameter), [](const std::vector<float>* weight) { return to_js(*weight); });
                }));
  emscripten::function("target_vocabulary", +[] {
    std::vector<int32_t> ids(target_vocabulary_size);
    std::iota(ids.begin(), ids.end(), 0);
    return to_js(token_texts(ids));
  });
  emscripten::function("source_limit", +[] { return source_limit; });
}

}  // namespace
}  // namespace softalign
