// Lays a config out as JSON, and hashes the lab's splits and its order of batches.
#include "native/manifest_facts.h"

#include "native/trainer.h"
#include "shared/io/sha256.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

class LineHash {
 public:
  void add(std::string_view line) {
    if (!first_) hash_.add("\n");
    first_ = false;
    hash_.add(line);
  }
  std::string hex() { return hash_.hex(); }

 private:
  Sha256 hash_;
  bool first_ = true;
};

std::string split_hash(const std::vector<Example>& examples) {
  LineHash hash;
  for (const Example& example : examples) hash.add(example.source + "\t" + example.target);
  return hash.hex();
}

std::string batch_order_hash() {
  LineHash hash;
  BatchOrder order;
  for (int step = 0; step < full_budget; ++step) {
    std::string line;
    for (const uint32_t index : order.next()) line += (line.empty() ? "" : " ") + std::to_string(index);
    hash.add(line);
  }
  return hash.hex();
}

}  // namespace

Json to_json(const Config& config) {
  return {{"score", name(config.score)}, {"ordering", name(config.ordering)}, {"encoder", name(config.encoder)},
          {"V_src", config.V_src},       {"V_tgt", config.V_tgt},             {"d_emb", config.d_emb},
          {"d_h", config.d_h},           {"d_a", config.d_a}};
}

const Json& data_hashes() {
  static const Json hashes = {{"test_split", split_hash(test_split())},
                              {"train_split", split_hash(train_split())},
                              {"batch_order", batch_order_hash()}};
  return hashes;
}

}  // namespace softalign
