// Plain arrays through the model's own attention on the inference backend.
#include "shared/eigen/attention_step.h"

#include <algorithm>
#include <cmath>

#include "shared/eigen/inference_backend.h"
#include "shared/io/message.h"
#include "shared/task/source.h"

namespace softalign {
namespace {

Error refused(std::string sentence) { return {ErrorCode::BAD_VALUE, std::move(sentence)}; }

bool all_finite(std::span<const float> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](float number) { return std::isfinite(number); });
}

// One of S and d is known from another array; the states must have a row, or a column, for each of its entries.
Status check_shapes(std::span<const float> given, std::span<const float> h, size_t S, size_t d, int length) {
  if (given.empty() || h.empty()) return refused("there is nothing to attend to: the scores, query or states are empty");
  if (S * d != h.size()) return refused("the states do not fit: h holds one row of d numbers for each of the S scores");
  if (S > source_limit || d > attention_step_limit)
    return refused(message("at most % states of at most % entries can be attended to", {source_limit, attention_step_limit}));
  if (length < 1 || static_cast<size_t>(length) > S) return refused(message("the length is a number from 1 to %", {S}));
  if (!all_finite(given) || !all_finite(h)) return refused("every number must be finite, and a single-precision float");
  return success();
}

bool take(BufferTensor& tensor, int T, int D, std::span<const float> numbers) {
  if (!tensor.buffer.reserve(static_cast<size_t>(T) * D)) return false;
  tensor.shape(1, T, D);
  std::copy(numbers.begin(), numbers.end(), tensor.buffer.data());
  return true;
}

std::vector<float> copy(const BufferTensor& tensor) {
  return {tensor.buffer.data(), tensor.buffer.data() + tensor.size()};
}

// With a query the scores are computed, else they are given.
Result<AttentionStep> attend(std::span<const float> q, std::span<const float> score, std::span<const float> h, int S, int d,
                             int length) {
  InferenceBackend be;
  BufferTensor query;
  Step<InferenceBackend> step;
  Memory<InferenceBackend> memory;
  memory.lengths = {&length, 1};
  if (!take(memory.h, S, d, h) || !take(query, 1, d, q) || !take(step.score, 1, S, score) ||
      !step.alpha.buffer.reserve(S) || !step.h_bar.buffer.reserve(d))
    return {ErrorCode::OUT_OF_MEMORY, "there is not enough memory for these states"};
  if (q.empty())
    masked_attention(be, step.alpha, step.h_bar, step.score, memory.h, memory.lengths);
  else
    dot_product_attention(be, step, query, memory);
  AttentionStep told;
  told.S = S, told.d = d;
  told.score = copy(step.score);
  told.exponential.resize(S);
  told.largest = largest(told.score.data(), length);
  told.sum = exponentials(told.exponential.data(), told.score.data(), told.largest, length);
  told.alpha = copy(step.alpha);
  told.h_bar = copy(step.h_bar);
  if (!all_finite(told.score) || !all_finite(told.h_bar)) return refused("the numbers are too large: a sum of them is not finite");
  return told;
}

}  // namespace

Result<AttentionStep> masked_attention(std::span<const float> score, std::span<const float> h, int length) {
  const size_t S = score.size(), d = S ? h.size() / S : 0;
  if (auto fits = check_shapes(score, h, S, d, length); !fits) return fits.error();
  return attend({}, score, h, static_cast<int>(S), static_cast<int>(d), length);
}

Result<AttentionStep> dot_product_attention(std::span<const float> q, std::span<const float> h, int length) {
  const size_t d = q.size(), S = d ? h.size() / d : 0;
  if (auto fits = check_shapes(q, h, S, d, length); !fits) return fits.error();
  return attend(q, {}, h, static_cast<int>(S), static_cast<int>(d), length);
}

}  // namespace softalign
