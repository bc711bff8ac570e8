// What a model is: its sizes, its score function, its ordering and its encoder; illegal combinations are refused here.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "shared/io/error.h"
#include "shared/io/message.h"

namespace softalign {

enum class Score { none, dot, general, additive };  // none = the plain encoder-decoder, without attention
enum class Ordering { luong, bahdanau };            // attend after the cell with s_t, or before it with s_{t-1}
enum class Encoder { uni, bi, reversed };           // h_i has read x_1..x_i, all of x around i, or x_S..x_i

inline constexpr std::array<std::string_view, 4> score_names{"none", "dot", "general", "additive"};
inline constexpr std::array<std::string_view, 2> ordering_names{"luong", "bahdanau"};
inline constexpr std::array<std::string_view, 3> encoder_names{"uni", "bi", "reversed"};
inline std::string name(Score score) { return std::string(score_names[static_cast<int>(score)]); }
inline std::string name(Ordering ordering) { return std::string(ordering_names[static_cast<int>(ordering)]); }
inline std::string name(Encoder encoder) { return std::string(encoder_names[static_cast<int>(encoder)]); }

struct Config {
  Score score = Score::dot;
  Ordering ordering = Ordering::luong;
  Encoder encoder = Encoder::uni;
  int V_src = 44;   // source vocabulary, <pad> included
  int V_tgt = 15;   // target vocabulary, <pad> <bos> <eos> included
  int d_emb = 32;   // embedding size of both vocabularies
  int d_h = 128;    // state size of encoder and decoder
  int d_a = 64;     // attention size of the additive score

  bool attends() const { return score != Score::none; }
  // Size of an encoder state h_i: a bi encoder joins the states of its two directions.
  int d_enc() const { return encoder == Encoder::bi ? 2 * d_h : d_h; }
  bool operator==(const Config&) const = default;
};

// The largest size a config may state, so that a damaged file cannot ask for the machine's memory.
inline constexpr int max_size = 4096;

// Why no model has this config, or nothing.
inline std::string objection(const Config& config) {
  for (int size : {config.V_src, config.V_tgt, config.d_emb, config.d_h, config.d_a})
    if (size < 1 || size > max_size)
      return message("every size of a model lies between 1 and %, but one is %", {max_size, size});
  if (config.V_tgt < 3) return "the target vocabulary needs <pad>, <bos> and <eos>";
  if (config.score == Score::dot && config.encoder == Encoder::bi)
    return "the dot score needs s_t and h_i of equal size, and h_i of a bi encoder has twice that; use general or additive";
  if (config.score == Score::none && config.ordering == Ordering::bahdanau)
    return "the bahdanau ordering feeds a context to the cell, and score none has no context";
  return "";
}

// The config itself, or BAD_VALUE with the reason.
inline Result<Config> checked(const Config& config) {
  std::string reason = objection(config);
  if (!reason.empty()) return {ErrorCode::BAD_VALUE, std::move(reason)};
  return config;
}

}  // namespace softalign
