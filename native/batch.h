// A padded batch of examples as plain arrays: what the LibTorch model trains on and is compared on.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "shared/io/error.h"
#include "shared/task/source.h"
#include "shared/task/vocabulary.h"

namespace softalign {

// Token ids of one example; the target ends with <eos>.
struct EncodedExample {
  std::vector<int32_t> source, target;
};

inline Result<EncodedExample> encode_example(std::string_view source, std::string_view target) {
  auto read = make_source(source);
  if (!read) return read.error();
  EncodedExample example{read->ids(), target_ids(target)};
  example.target.push_back(eos);
  return example;
}

struct Batch {
  int B = 0, S = 0, T = 0;
  std::vector<int32_t> src;      // (B,S), <pad> behind each source
  std::vector<int32_t> lengths;  // (B), each at least 1
  std::vector<int32_t> tgt_in;   // (B,T), <bos> and the target without its last token
  std::vector<int32_t> tgt_out;  // (B,T), the target with <eos>, then <pad>
};

// Pads the examples to the longest. EMPTY when one of them has no source character: it would have nothing to attend to.
inline Result<Batch> make_batch(std::span<const EncodedExample* const> examples) {
  Batch batch;
  batch.B = static_cast<int>(examples.size());
  for (const EncodedExample* example : examples) {
    if (example->source.empty()) return {ErrorCode::EMPTY, "a source of this batch has no character to read"};
    batch.S = std::max(batch.S, static_cast<int>(example->source.size()));
    batch.T = std::max(batch.T, static_cast<int>(example->target.size()));
  }
  batch.src.assign(static_cast<size_t>(batch.B) * batch.S, pad);
  batch.tgt_in.assign(static_cast<size_t>(batch.B) * batch.T, pad);
  batch.tgt_out.assign(static_cast<size_t>(batch.B) * batch.T, pad);
  for (int b = 0; b < batch.B; ++b) {
    const auto& [source, target] = *examples[b];
    batch.lengths.push_back(static_cast<int32_t>(source.size()));
    std::copy(source.begin(), source.end(), batch.src.begin() + static_cast<ptrdiff_t>(b) * batch.S);
    const auto row = static_cast<ptrdiff_t>(b) * batch.T;
    if (target.empty()) continue;
    batch.tgt_in[row] = bos;
    std::copy(target.begin(), target.end() - 1, batch.tgt_in.begin() + row + 1);
    std::copy(target.begin(), target.end(), batch.tgt_out.begin() + row);
  }
  return batch;
}

}  // namespace softalign
