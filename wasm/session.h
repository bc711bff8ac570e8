// What the page can ask of the core: load weights, decode a text greedily, with interventions or with a beam, unfold one
// step of it, measure a model on the test split.
// Plain C++; bindings.cpp carries it to JavaScript.
#pragma once
#include <array>
#include <forward_list>
#include <memory>
#include <string>
#include <vector>

#include "shared/eigen/inference_model.h"
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
  // Greedy decoding. Errors: NO_MODEL, EMPTY, TOO_LONG.
  Result<Answer> decode(const std::string& name, std::string_view text);
  // The same with edited rows of weights or a forced beginning; also BAD_VALUE where they cannot be.
  Result<Answer> intervene(const std::string& name, std::string_view text, const Edits& edits);
  // Token t of the greedy decoding of `text`, with these edits, unfolded. Errors: those of intervene; BAD_VALUE for a t that
  // the decoding does not reach.
  Result<Inspection> inspect(const std::string& name, std::string_view text, int t, const Edits& edits = {});
  // Beam search; max_len is decode's, whatever the settings say. Errors: those of decode, BAD_VALUE, OUT_OF_MEMORY.
  Result<BeamAnswer> beam(const std::string& name, std::string_view text, BeamSettings settings);
  // Example `index` of the test split's bucket K. BAD_VALUE outside 0..499 and 1..4.
  Result<Example> sample(int K, int index);
  // The outputs for the sources `first` and following of the test split, `count` of them, of at most lab_max_len tokens
  // each. Errors: NO_MODEL; BAD_VALUE unless all of them are in the split.
  Result<std::vector<std::string>> decode_test(const std::string& name, int first, int count);
  // `outputs` for all of the test split, in its order. BAD_VALUE for another number of them.
  Result<Measurement> measure(std::span<const std::string> outputs);
  // A loaded weight by its state_dict name. Errors: NO_MODEL, BAD_VALUE.
  Result<const std::vector<float>*> weight(const std::string& name, std::string_view parameter);

 private:
  // The model and the source that a call speaks of.
  struct Asked {
    InferenceModel* model;
    Source source;
    int max_len;
  };
  Result<InferenceModel*> find(const std::string& name);
  Result<Asked> ask(const std::string& name, std::string_view text);
  const std::vector<Example>& examples();

  std::forward_list<std::pair<std::string, std::unique_ptr<InferenceModel>>> models_;
  std::vector<Example> test_split_;  // drawn when first asked for
};

}  // namespace softalign
