// The files of one training run: what may be written is asked first, one run at a time holds them, and what was learnt
// outlives a disk that takes no more.
#pragma once
#include <memory>
#include <optional>

#include "native/file.h"
#include "native/run_log.h"
#include "native/train_flags.h"

namespace softalign {

// CANNOT_WRITE when a file of the run cannot be written, or exists and neither --force nor --resume was given.
Status check_outputs(const TrainFlags& flags);

// CANNOT_WRITE when the folder of all models takes no file.
Status check_folder(const TrainFlags& flags);

// Holds the run's files against other runs, and removes what killed ones left half written.
Result<std::unique_ptr<FileLock>> hold_outputs(const TrainFlags& flags);

// The state that --resume goes on from; nothing without --resume.
Result<std::optional<TrainState>> read_state(const TrainFlags& flags, const TrainSettings& settings);

// Writes a run's checkpoints. One that could not be written is kept in memory, for the case that it was the last.
class Checkpoints {
 public:
  Checkpoints(const TrainFlags& flags, const TrainSettings& settings, int saved_step, RunLog& log)
      : flags_(flags), settings_(settings), saved_step_(saved_step), log_(log) {}
  Status write(const TrainState& state);
  // What ends a run whose last files could not be written: says where the steps are now. They are in the checkpoint or, where
  // that could not be written either, in a file of the system's temporary folder.
  Error rescued(const Error& error) const;

 private:
  std::string where_they_are() const;

  const TrainFlags& flags_;
  const TrainSettings& settings_;
  int saved_step_, step_ = 0;      // of the file, and of the last state; 0: none
  std::vector<uint8_t> unsaved_;  // the last state, where its file could not be written
  RunLog& log_;
};

}  // namespace softalign
