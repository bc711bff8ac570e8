// From the core's results to plain JavaScript objects; arrays are copies that JavaScript owns.
#pragma once
#include <emscripten/bind.h>

#include "shared/io/message.h"
#include "wasm/session.h"

namespace softalign {

using emscripten::val;

inline val to_js(const val& value) { return value; }
inline val to_js(int number) { return val(number); }
inline val to_js(double number) { return val(number); }
inline val to_js(bool truth) { return val(truth); }
inline val to_js(const std::string& text) { return val(text); }

// Arrays are made in one call each: a call an item would cost as much as a tenth of decoding.
template <class Number>
val view(std::span<const Number> numbers) {
  return val(emscripten::typed_memory_view(numbers.size(), numbers.data()));
}
template <class Number>
val typed_array(std::span<const Number> numbers) {
  return view(numbers).template call<val>("slice");  // a copy
}
inline val to_js(std::span<const float> numbers) { return typed_array(numbers); }
template <class Number>
val number_array(std::span<const Number> numbers) {
  return val::global("Array").call<val>("from", view(numbers));
}
inline val to_js(std::span<const int> numbers) { return number_array(numbers); }
inline val to_js(std::span<const double> numbers) { return number_array(numbers); }
// No text of the task holds the separator.
inline val to_js(const std::vector<std::string>& texts) {
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

inline val failure(const Error& error) {
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

inline val model_info(const ModelInfo& info) {
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

inline val note(const Note& note) {
  return Object()
      .set("code", std::string(name(note.code)))
      .set("message", note.message)
      .set("start", note.start)
      .set("end", note.end);
}

inline std::vector<std::string> token_texts(const std::vector<int32_t>& ids) {
  std::vector<std::string> texts;
  for (int32_t id : ids) texts.push_back(token_text(id));
  return texts;
}

inline val weights(const Alpha& alpha) { return alpha.weights.empty() ? val::null() : to_js(alpha.weights); }

// What the source is and says, the same for every way of decoding.
inline Object about(const std::string& model, const Source& source, const Reading& reading) {
  return Object()
      .set("model", model)
      .set("source", val(source.text()).call<val>("split", std::string()))
      .set("positions", source.positions())
      .set("expected", reading.expected ? to_js(*reading.expected) : val::null())
      .set("K", reading.K)
      .set("notes", array(reading.notes, note));
}

// An array of numbers that JavaScript gave, no longer than `most`.
inline Result<std::vector<float>> floats_of(const val& given, size_t most) {
  if (given["length"].as<size_t>() > most) return {ErrorCode::BAD_VALUE, message("an array may have % numbers at most", {most})};
  return emscripten::convertJSArrayToNumberVector<float>(given);
}

// embind copies a Uint8Array into a std::string byte by byte, without reading it as text.
inline std::span<const uint8_t> bytes(const std::string& copied) {
  return {reinterpret_cast<const uint8_t*>(copied.data()), copied.size()};
}

// What each file of bindings adds to the class.
using SessionClass = emscripten::class_<Session>;
void bind_test_split(SessionClass& session);
void bind_states(SessionClass& session);

}  // namespace softalign
