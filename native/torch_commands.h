// What only LibTorch can do. softalign-torch does it; softalign, which starts without LibTorch in a few milliseconds,
// becomes softalign-torch where this is asked for.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "native/commands.h"
#include "native/judge.h"
#include "native/trainer.h"

namespace softalign {

// Returns in a process that has LibTorch; elsewhere replaces the process by softalign-torch with the same arguments.
// NO_DEVICE, with what to install, when there is none. To be called after the flags are checked and before any output.
Status enter_torch(const Invocation& invocation);

using Started = std::function<void(const std::string& device)>;

// The trainer's run, from the start or from a state, once `enter_torch` returned. `started` hears the device once it is
// known to work, before the data are drawn.
Result<TrainOutcome> train_with_torch(const TrainSettings& settings, const std::optional<TrainState>& resumed,
                                      const TrainHooks& hooks, const Started& started);
// The same for one batch alone.
Result<TrainOutcome> overfit_with_torch(const TrainSettings& settings, const TrainHooks& hooks, const Started& started);

Result<std::unique_ptr<Judge>> torch_judge(const Checkpoint& checkpoint);

// For manifests: version and BLAS of the library.
std::string torch_library();

}  // namespace softalign
