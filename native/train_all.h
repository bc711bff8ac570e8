// One model's training, and that of all pinned models one after another.
#pragma once
#include <string>

#include "native/run_log.h"
#include "native/train_flags.h"

namespace softalign {

// Trains, writes and evaluates one model in a process that has LibTorch; gives the exit code. `command` repeats the run.
Result<int> train_one(const TrainFlags& flags, const std::string& command, RunLog& log);

// The pinned models into `flags.folder`: those that are finished are left, those with a checkpoint resumed. `given` is what
// the command line said for all of them. A model that fails does not keep the next one from its turn.
Result<int> train_all(const TrainFlags& flags, const std::string& given, RunLog& log);

}  // namespace softalign
