// Checks, locks and writes the files of a training run.
#include "native/train_files.h"

#include <unistd.h>

#include "native/training_checkpoint.h"

namespace softalign {

namespace fs = std::filesystem;

Status check_outputs(const TrainFlags& flags) {
  if (flags.model_name().find_first_of("/|\n") != std::string::npos)
    return {ErrorCode::BAD_VALUE, "a model's name has no '/', '|' or line break; --out chooses the folder"};
  if (flags.weights_path().extension() != weights_extension)
    return {ErrorCode::BAD_VALUE, "--out names a file that ends with .safetensors, not " + flags.out};
  // Weights beside a checkpoint are those that its own run may replace.
  std::vector<fs::path> outputs{flags.weights_path(), flags.manifest_path()};
  if (flags.snapshots) outputs.push_back(flags.snapshots_path());
  for (const fs::path& path : outputs)
    if (auto writable = check_writable(path, flags.force || flags.resume); !writable) return writable;
  const fs::path checkpoint = flags.checkpoint_path();
  if (flags.resume) return check_writable(checkpoint, true);
  if (auto writable = check_writable(checkpoint, flags.force); !writable)
    return {writable.error().code, writable.error().message + ", and --resume goes on from it"};
  return success();
}

Status check_folder(const TrainFlags& flags) { return check_writable(fs::path(flags.folder) / "dot.ckpt", true); }

Result<std::unique_ptr<FileLock>> hold_outputs(const TrainFlags& flags) {
  auto lock = FileLock::take(flags.lock_path());
  if (!lock)
    return {lock.error().code, "no other run may write " + flags.weights_path().string() + " meanwhile: " + lock.error().message};
  for (const fs::path& path : {flags.weights_path(), flags.manifest_path(), flags.snapshots_path(), flags.checkpoint_path()})
    remove_leftovers(path);
  return lock;
}

Result<std::optional<TrainState>> read_state(const TrainFlags& flags, const TrainSettings& settings) {
  std::optional<TrainState> state;
  if (!flags.resume) return state;
  const std::string path = flags.checkpoint_path().string();
  auto bytes = read_file(path);
  if (!bytes) return {bytes.error().code, "no run to resume: " + bytes.error().message};
  auto read = read_training_checkpoint(*bytes, settings);
  if (!read) return {read.error().code, path + ": " + read.error().message};
  if (read->learning.step > settings.steps)
    return {ErrorCode::BAD_VALUE, path + " is at step " + std::to_string(read->learning.step) + " already, beyond the " +
                                      std::to_string(settings.steps) + " steps asked for"};
  state = std::move(*read);
  return state;
}

Status Checkpoints::write(const TrainState& state) {
  auto bytes = write_training_checkpoint(settings_, state);
  if (!bytes) return bytes.error();
  step_ = state.learning.step;
  auto written = write_file(flags_.checkpoint_path(), *bytes);
  if (!written) {
    unsaved_ = std::move(*bytes);
    return written;
  }
  unsaved_.clear();
  saved_step_ = step_;
  log_.write("checkpoint", {{"step", step_}, {"file", flags_.checkpoint_path().string()}});
  return success();
}

std::string Checkpoints::where_they_are() const {
  const std::string checkpoint = flags_.checkpoint_path().string(), all = "all " + std::to_string(step_) + " steps are in ";
  if (unsaved_.empty()) return all + checkpoint + ", and --resume goes on from there";
  std::error_code failed;
  const fs::path folder = fs::temp_directory_path(failed);
  const fs::path spare = folder / (flags_.model_name() + "." + std::to_string(::getpid()) + ".ckpt");
  if (!failed && write_file(spare, unsaved_))
    return all + spare.string() + "; moved to " + checkpoint + ", --resume goes on from there";
  if (saved_step_ == 0) return "the steps are lost, for " + spare.string() + " cannot be written either";
  return checkpoint + " is as it was after step " + std::to_string(saved_step_) + ", and --resume goes on from there; the steps "
         "since are lost, for " + spare.string() + " cannot be written either";
}

Error Checkpoints::rescued(const Error& error) const { return {error.code, error.message + "; " + where_they_are()}; }

}  // namespace softalign
