// What the page can ask of the core: load weights, decode a text greedily, with interventions or with a beam, unfold one
// step of it, score a given target, draw its states, measure a model on the test split.
// Plain C++; the bindings carry it to JavaScript.
#pragma once
#include <array>
#include <forward_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shared/eigen/inference_model.h"
#include "shared/io/probe.h"
#include "shared/task/dates.h"
#include "shared/task/metrics.h"
#include "shared/task/reading.h"

namespace softalign {

struct ModelInfo {
  std::string name;
  Config config;
  size_t parameters = 0;
  int steps = 0;  // training steps that the file states, 0 when it states none
};

struct Answer {
  Source source;
  Decoded decoded;
  std::vector<float> probabilities;  // (T,V) P(token | tokens before it, source), Eq. 4
  Reading reading;                   // what the text says by the grammar of the task, and notes on it
};

struct BeamAnswer {
  Source source;
  BeamSettings settings;
  BeamSearch found;
  Reading reading;
};

// A target that is given, scored under teacher forcing: each token after the right ones before it.
struct ForcedAnswer {
  Source source;
  Decoded decoded;                   // its tokens are the target's, with <eos>
  std::vector<int32_t> tgt_in;       // (T) <bos>, then the target shifted right
  std::vector<int32_t> predicted;    // (T) the most probable token of each step
  std::vector<float> loss;           // (T) -log P(y_t | y_<t, source)
  std::vector<float> probabilities;  // (T,V)
};

// What the score compares in a decoding, in the plane of the model's probe: two coordinates a state.
struct PlaneAnswer {
  Source source;
  Decoded decoded;
  std::vector<float> k, q;  // (S,2), (T,2)
  std::array<float, 2> explained{};
};

// Outputs for some sources of the test split.
struct TestOutputs {
  std::vector<std::string> outputs;
  std::vector<uint8_t> right;  // 1 where all of an output is its target
};

// One rate of the test split by tolerance, over all examples and over those of each K.
struct TestRate {
  std::array<double, tolerances.size()> all{};
  std::array<std::array<double, max_trained_K>, tolerances.size()> by_K{};
};
struct TestAlignment {
  TestRate alignment_hit_rate, field_hit_rate, chance_hit_rate, chance_field_rate;
};

// What outputs for the whole test split are worth; entry K - 1 speaks of the sources with K dates.
struct Measurement {
  std::array<int, max_trained_K> n{};
  std::array<double, max_trained_K> exact_match{}, well_formed{};
  std::array<std::vector<double>, max_trained_K> per_date;
};

class Session {
 public:
  // The model is then known as `name`; on error whatever had that name stays.
  Result<ModelInfo> load(const std::string& name, std::span<const uint8_t> weights);
  // An untrained model, known as `name`, of the config of `like`: drawn from `seed` as training draws its first weights.
  Result<ModelInfo> untrained(const std::string& name, const std::string& like, uint64_t seed);
  // The probe of the model `name`, which forgets it when it is loaded again. Errors: NO_MODEL; those of read_probe;
  // WRONG_MODEL when it was fitted to other weights than those of this SHA-256, which is not compared where it is empty:
  // to compute it here would cost each model half of its loading time.
  Result<const Plane*> load_probe(const std::string& name, std::span<const uint8_t> probe, std::string_view weights_sha256);
  // Greedy decoding. Errors: NO_MODEL, EMPTY, TOO_LONG.
  Result<Answer> decode(const std::string& name, std::string_view text);
  // The same with edited rows of weights or a forced beginning; also BAD_VALUE where they cannot be.
  Result<Answer> intervene(const std::string& name, std::string_view text, const Edits& edits);
  // Token t of the greedy decoding of `text`, with these edits, unfolded. Errors: those of intervene; BAD_VALUE for a t that
  // the decoding does not reach.
  Result<Inspection> inspect(const std::string& name, std::string_view text, int t, const Edits& edits = {});
  // Teacher forcing with a target that is text. Errors: those of decode; BAD_VALUE for a target that is empty, of other
  // characters than answers, or of more than live_max_len_limit tokens with <eos>.
  Result<ForcedAnswer> teacher_force(const std::string& name, std::string_view text, std::string_view target);
  // Greedy decoding in the probe's plane. Errors: those of decode, NO_MODEL where there is no probe.
  Result<PlaneAnswer> plane(const std::string& name, std::string_view text);
  // Beam search; max_len is decode's, whatever the settings say. Errors: those of decode, BAD_VALUE, OUT_OF_MEMORY.
  Result<BeamAnswer> beam(const std::string& name, std::string_view text, BeamSettings settings);
  // Example `index` of the test split's bucket K. BAD_VALUE outside 0..499 and 1..4.
  Result<Example> sample(int K, int index);
  // All of the test split, in its order.
  const std::vector<Example>& examples();
  // The outputs for the sources `first` and following of the test split, `count` of them, of at most lab_max_len tokens
  // each. Errors: NO_MODEL; BAD_VALUE unless all of them are in the split.
  Result<TestOutputs> decode_test(const std::string& name, int first, int count);
  // `outputs` for all of the test split, in its order. BAD_VALUE for another number of them.
  Result<Measurement> measure(std::span<const std::string> outputs);
  // For the same examples under teacher forcing the positions that append_positions names, one example behind the other.
  // Errors: those of decode_test; BAD_VALUE for a model without attention.
  Result<std::vector<int>> align_test(const std::string& name, int first, int count);
  // Such positions for all of the test split. BAD_VALUE for another number of them, or for one outside its source.
  Result<TestAlignment> measure_alignment(std::span<const int> positions);
  // A loaded weight by its state_dict name. Errors: NO_MODEL, BAD_VALUE.
  Result<const std::vector<float>*> weight(const std::string& name, std::string_view parameter);

 private:
  struct Held {
    std::string name;
    std::unique_ptr<InferenceModel> model;
    std::optional<Plane> plane;
  };
  // The model and the source that a call speaks of.
  struct Asked {
    Held* held;
    InferenceModel* model;
    Source source;
    int max_len;
  };
  Result<ModelInfo> keep(Held held);
  Result<Held*> find(const std::string& name);
  Result<Asked> ask(const std::string& name, std::string_view text);
  // The examples that a slice of the test split asks for.
  Result<std::span<const Example>> slice(int first, int count);

  std::forward_list<Held> models_;
  std::vector<Example> test_split_;  // drawn when first asked for
};

}  // namespace softalign
