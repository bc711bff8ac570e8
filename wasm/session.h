// What the page can ask of the core: load weights, decode a text, take a test example. Plain C++; bindings.cpp carries it to JavaScript.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "shared/eigen/inference_model.h"
#include "shared/task/dates.h"
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

class Session {
 public:
  // The model is then known as `name`; on error whatever had that name stays.
  Result<ModelInfo> load(const std::string& name, std::span<const uint8_t> weights);
  // Greedy decoding. Errors: NO_MODEL, EMPTY, TOO_LONG.
  Result<Answer> decode(const std::string& name, std::string_view text);
  // Example `index` of the test split's bucket K. BAD_VALUE outside 0..499 and 1..4.
  Result<Example> sample(int K, int index);
  // A loaded weight by its state_dict name. Errors: NO_MODEL, BAD_VALUE.
  Result<const std::vector<float>*> weight(const std::string& name, std::string_view parameter);

 private:
  Result<InferenceModel*> find(const std::string& name);

  std::vector<std::pair<std::string, std::unique_ptr<InferenceModel>>> models_;
  std::vector<Example> test_split_;  // drawn when first asked for
};

}  // namespace softalign
