// A trained model ready to run: a checkpoint with its derived forms and its workspace, behind a face of plain data.
#pragma once
#include <memory>
#include <span>
#include <string_view>

#include "shared/decoding/greedy.h"
#include "shared/eigen/inference_backend.h"
#include "shared/io/checkpoint.h"
#include "shared/task/source.h"

namespace softalign {

// One written token of a greedy decoding, unfolded: everything between its decoder state and its context.
struct Inspection {
  int t = 0, S = 0, d_h = 0;
  std::vector<float> score;        // (S)      Eq. 9-11
  float largest = 0;               // of the scores
  std::vector<float> exponential;  // (S)      exp(score - largest)
  float sum = 0;                   // of the exponentials
  std::vector<float> alpha;        // (S)      exponential / sum, Eq. 6: row t of the decoding's alpha
  std::vector<float> h;            // (S,d_h)  encoder states, Eq. 2
  std::vector<float> s;            // (d_h)    decoder state, Eq. 3
  std::vector<float> h_bar;        // (d_h)    Eq. 7
};

class InferenceModel {
 public:
  // Prepares and tests the model: when the checkpoint carries a golden vector, the logits must match it (WRONG_MODEL).
  // Errors: OUT_OF_MEMORY, WRONG_MODEL (golden vector, or another vocabulary than the task's).
  static Result<std::unique_ptr<InferenceModel>> create(Checkpoint checkpoint);

  const Config& config() const { return config_; }
  int steps() const { return steps_; }  // training steps that the file states, 0 when it states none
  // A weight by its state_dict name, or null.
  const std::vector<float>* weight(std::string_view name);

  // At most max_len <= live_max_len_limit tokens.
  Decoded greedy(const Source& source, int max_len);
  // What greedy computes for the token that it writes at place t, counted from 0.
  // BAD_VALUE when the model does not attend, or when greedy(source, max_len) writes no such token.
  Result<Inspection> inspect(const Source& source, int t, int max_len);
  // Teacher forcing; `target` holds at most live_max_len_limit ids and ends with <eos>.
  Decoded score_target(const Source& source, std::span<const int32_t> target);

  // Logits of the last step of `3 March 2021` -> `2021-03-03`, as hexadecimal float bits: tells a damaged or permuted file.
  std::string golden_vector();

 private:
  InferenceModel() = default;
  std::vector<float> golden_logits();  // (V)
  SourceBatch<InferenceBackend> batch(const Source& source);

  Config config_;
  int steps_ = 0;
  int length_ = 0;  // of the source that `batch` was last given
  Parameters<InferenceBackend> params_;
  Workspace<InferenceBackend> workspace_;
  InferenceBackend backend_;
};

// The bytes of a weights file with the task's vocabularies and with the golden vector that its rounded weights compute.
Result<std::vector<uint8_t>> write_with_golden_vector(Checkpoint checkpoint, DType dtype);

}  // namespace softalign
