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

// One written token of a greedy decoding, unfolded: everything between the encoder states and its probability.
// s is the state that asks: s_t, or s_{t-1} in the bahdanau ordering, which attends before the cell. What a model does not
// compute is empty: from q to h_bar without attention, s_tilde without Eq. 8.
struct Inspection {
  int t = 0, S = 0, V = 0;
  int d_h = 0, d_enc = 0, d_k = 0;
  int32_t token = 0;                // written at this step
  std::vector<float> h;             // (S,d_enc)  encoder states, Eq. 2
  std::vector<float> s;             // (d_h)      Eq. 3
  std::vector<float> q;             // (d_k)      what the score compares: W_q s, or s itself ...
  std::vector<float> k;             // (S,d_k)    ... with W_k h_i, W_a h_i, or h_i itself
  std::vector<float> score;         // (S)        Eq. 9-11
  float largest = 0;                // of the scores
  std::vector<float> exponential;   // (S)        exp(score - largest)
  float sum = 0;                    // of the exponentials
  std::vector<float> alpha;         // (S)        exponential / sum, Eq. 6: row t of the decoding's alpha
  std::vector<float> alpha_read;    // (S)        what h is read through: alpha, or what an edit made of it
  std::vector<float> h_bar;         // (d_enc)    Eq. 7
  std::vector<float> s_t;           // (d_h)      the state after the cell: s itself, but for the bahdanau ordering
  std::vector<float> s_tilde;       // (d_h)      Eq. 8
  std::vector<float> z;             // (V)        logits, Eq. 4: of s_tilde, or of s_t where there is no s_tilde
  std::vector<float> log_probs;     // (V)        log softmax(z)
};

// What the score compares over a whole decoding: keys W_k h_i, W_a h_i or h_i, and queries W_q s or s, of the states that
// ask; h and s where the model has no score.
struct Compared {
  int S = 0, T = 0, d = 0;
  std::vector<float> k;  // (S,d)
  std::vector<float> q;  // (T,d)
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
  // The same with interventions. BAD_VALUE for edits that the model cannot apply to this source.
  Result<Decoded> greedy(const Source& source, int max_len, const Edits& edits);
  // What greedy computes for the token that it writes at place t, counted from 0.
  // BAD_VALUE when it writes no such token, and for edits as above.
  Result<Inspection> inspect(const Source& source, int t, int max_len, const Edits& edits = {});
  // Beam search; memory for B hypotheses is reserved when they are first asked for, and kept.
  // Errors: BAD_VALUE for settings out of range, OUT_OF_MEMORY.
  Result<BeamSearch> beam(const Source& source, const BeamSettings& settings);
  // Teacher forcing; `target` holds at most live_max_len_limit ids and ends with <eos>.
  Decoded score_target(const Source& source, std::span<const int32_t> target);

  // The same for what the score compares; encoder and decoder states are of one size, or a score makes them so.
  Compared compared(const Source& source, std::span<const int32_t> target);

  // Logits of the last step of `3 March 2021` -> `2021-03-03`, as hexadecimal float bits: tells a damaged or permuted file.
  std::string golden_vector();

 private:
  InferenceModel() = default;
  std::vector<float> golden_logits();  // (V)
  SourceBatch<InferenceBackend> batch(const Source& source);
  Decoded decode(const Source& source, int max_len, const Edits& edits);  // edits are checked
  void inspect_attention(const Step<InferenceBackend>& step, Inspection& inspection);

  Config config_;
  int steps_ = 0;
  int length_ = 0;  // of the source that `batch` was last given
  Parameters<InferenceBackend> params_;
  Workspace<InferenceBackend> workspace_;
  BeamWorkspace<InferenceBackend> beam_workspace_;
  InferenceBackend backend_;
};

// The bytes of a weights file with the task's vocabularies and with the golden vector that its rounded weights compute.
Result<std::vector<uint8_t>> write_with_golden_vector(Checkpoint checkpoint, DType dtype);

}  // namespace softalign
