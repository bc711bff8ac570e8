// Every legal model in a size that the plain reference computes at once, with random weights.
#pragma once
#include <vector>

#include "shared/model/parameters.h"
#include "shared/task/random.h"

namespace softalign {

inline constexpr Score every_score[] = {Score::none, Score::dot, Score::general, Score::additive};

// Small, and no size equal to another, so that a mistaken one shows.
inline Config small_config(Score score, Ordering ordering = Ordering::luong, Encoder encoder = Encoder::uni) {
  return {.score = score, .ordering = ordering, .encoder = encoder, .V_src = 9, .V_tgt = 7, .d_emb = 5, .d_h = 12, .d_a = 4};
}
// Every legal combination of score, ordering and encoder.
inline std::vector<Config> every_config() {
  std::vector<Config> configs;
  for (Score score : every_score)
    for (Ordering ordering : {Ordering::luong, Ordering::bahdanau})
      for (Encoder encoder : {Encoder::uni, Encoder::bi, Encoder::reversed})
        if (const Config config = small_config(score, ordering, encoder); checked(config).ok()) configs.push_back(config);
  return configs;
}
inline std::string name(const Config& config) {
  return name(config.score) + " " + name(config.ordering) + " " + name(config.encoder);
}
inline PlainParameters random_weights(const Config& config, uint64_t seed) {
  Random random(seed);
  return initialise(config, random);
}

}  // namespace softalign
