// An unfinished training run as one file (.ckpt): with it and the same flags, training goes on as if it had never stopped.
#pragma once
#include <span>

#include "native/trainer.h"

namespace softalign {

// The format that is written, and the newest that is read.
inline constexpr int training_checkpoint_version = 2;

// A safetensors file in F32: every weight by its name, Adam's means as first_moment/NAME and second_moment/NAME, the losses
// so far as log (n,3: step, loss, seconds), and the snapshots so far behind snapshots/; in the metadata the last step's loss,
// the words of the batch order's generator, the seed, the model, whose GRU learns, and a SHA-256 over the numbers.
// NOT_FINITE when a number is NaN or infinite: such a run is not worth going on with.
Result<std::vector<uint8_t>> write_training_checkpoint(const TrainSettings& settings, const TrainState& state);

// Errors: those of read_header; NEWER_FORMAT; WRONG_MODEL when the run had another model, seed or GRU than `settings`
// ask for, or took no snapshots where they do; BAD_WEIGHTS when numbers are missing or changed.
Result<TrainState> read_training_checkpoint(std::span<const uint8_t> file, const TrainSettings& settings);

}  // namespace softalign
