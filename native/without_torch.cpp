// The LibTorch side of the command line in softalign, which has none: hand over to the softalign-torch beside it.
#include <unistd.h>

#include <filesystem>

#include "native/openblas.h"
#include "native/torch_commands.h"

namespace softalign {
namespace {

constexpr const char* advice =
    "this needs LibTorch, and softalign was built without it: install libtorch-dev (Debian), or configure with "
    "-DCMAKE_PREFIX_PATH=\"$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path)')\" for your own PyTorch, "
    "and build again";

Error unreachable() { return {ErrorCode::NO_DEVICE, advice}; }

}  // namespace

Status enter_torch(const Invocation& invocation) {
  std::error_code failed;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", failed);
  const auto sibling = self.parent_path() / "softalign-torch";
  if (failed || ::access(sibling.c_str(), X_OK) != 0) return unreachable();
  std::vector<char*> arguments;
  for (const std::string& argument : invocation) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  name_processor_for_openblas();
  ::execv(sibling.c_str(), arguments.data());
  return {ErrorCode::NO_DEVICE, "cannot start " + sibling.string() + ", which has LibTorch"};
}

Result<TrainOutcome> train_with_torch(const TrainSettings&, const std::optional<TrainState>&, const TrainHooks&,
                                      const Started&) {
  return unreachable();
}
Result<TrainOutcome> overfit_with_torch(const TrainSettings&, const TrainHooks&, const Started&) { return unreachable(); }
Result<std::unique_ptr<Judge>> torch_judge(const Checkpoint&) { return unreachable(); }
std::string torch_library() { return {}; }

}  // namespace softalign
