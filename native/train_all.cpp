// `softalign train --all`.
#include "native/train_all.h"

#include <cstdio>

#include "native/commands.h"
#include "native/manifest_facts.h"
#include "native/models_folder.h"
#include "native/terminal.h"

namespace softalign {
namespace {

TrainFlags flags_of(const PinnedModel& model, const TrainFlags& shared) {
  TrainFlags flags = shared;
  flags.name = model.name, flags.score = model.score, flags.ordering = model.ordering, flags.encoder = model.encoder;
  flags.seed = model.seed, flags.gru = model.gru, flags.snapshots = model.snapshots;
  std::error_code ignored;
  flags.resume = std::filesystem::exists(flags.checkpoint_path(), ignored);
  return flags;
}

// The command that trains this model alone.
std::string command_of(const TrainFlags& flags, const std::string& given) {
  const TrainFlags usual;
  std::string text = "softalign train --score " + flags.score;
  if (flags.ordering != usual.ordering) text += " --ordering " + flags.ordering;
  if (flags.encoder != usual.encoder) text += " --encoder " + flags.encoder;
  if (flags.seed != usual.seed) text += " --seed " + std::to_string(flags.seed) + " --name " + flags.name;
  if (flags.gru != usual.gru) text += " --gru " + flags.gru;
  if (flags.snapshots) text += " --snapshots";
  return text + given;
}

// Whether the folder holds this very model, trained to the end and evaluated.
bool finished(const TrainFlags& flags) {
  std::error_code ignored;
  if (flags.resume || !std::filesystem::exists(flags.weights_path(), ignored)) return false;
  if (flags.snapshots && !std::filesystem::exists(flags.snapshots_path(), ignored)) return false;
  const auto manifest = read_manifest(flags.manifest_path());
  if (!manifest) return false;
  const TrainSettings settings = flags.settings();
  const auto states = [&](const char* key, const Json& value) { return manifest->value(key, Json()) == value; };
  return states("config", to_json(settings.config)) && states("steps", settings.steps) && states("seed", settings.seed) &&
         states("gru", settings.torch.gru) && !states("evaluation", Json());
}

}  // namespace

Result<int> train_all(const TrainFlags& shared, const std::string& given, RunLog& log) {
  int code = exit_code::ok, turn = 0, failed = 0;
  for (const PinnedModel& model : pinned_models) {
    const TrainFlags flags = flags_of(model, shared);
    std::printf("%s%d of %zu   %s", turn ? "\n" : "", turn + 1, std::size(pinned_models), flags.name.c_str());
    ++turn;
    if (finished(flags)) {
      std::printf(" is finished: %s\n", flags.manifest_path().c_str());
      continue;
    }
    std::printf("\n");
    std::fflush(stdout);
    const Result<int> result = train_one(flags, command_of(flags, given), log);
    if (SignalWatch::caught() != 0) return result;
    if (result && *result == exit_code::ok) continue;
    ++failed;
    if (!result)
      std::fprintf(stderr, "softalign train: %s: %s: %s\n", flags.name.c_str(), name(result.error().code),
                   result.error().message.c_str());
    code = !result && result.error().code == ErrorCode::NOT_FINITE ? exit_code::not_learnt : exit_code::failed;
  }
  if (failed > 0) std::fprintf(stderr, "softalign train: %d of %zu models failed\n", failed, std::size(pinned_models));
  return code;
}

}  // namespace softalign
