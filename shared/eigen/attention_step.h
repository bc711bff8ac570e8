// One step of attention on plain arrays, for numbers that no model computed: worked examples, and states moved by hand.
#pragma once
#include <span>
#include <vector>

#include "shared/io/error.h"

namespace softalign {

// Everything between the scores and the context of one query.
struct AttentionStep {
  int S = 0, d = 0;
  std::vector<float> score;        // (S)  Eq. 9, or as given
  float largest = 0;               // of the scores up to the length
  std::vector<float> exponential;  // (S)  exp(score - largest), 0 on padding
  float sum = 0;                   // of the exponentials
  std::vector<float> alpha;        // (S)  exponential / sum, Eq. 6
  std::vector<float> h_bar;        // (d)  Eq. 7
};

inline constexpr int attention_step_limit = 256;  // of d; S is at most source_limit

// Positions from `length` on are padding. h is (S,d) row-major; its size says what d, or S, is.
// Errors: BAD_VALUE for shapes that do not fit, sizes beyond the limits, and numbers that are not finite.
Result<AttentionStep> masked_attention(std::span<const float> score, std::span<const float> h, int length);
// Eq. 9 first, for the query q (d).
Result<AttentionStep> dot_product_attention(std::span<const float> q, std::span<const float> h, int length);

}  // namespace softalign
