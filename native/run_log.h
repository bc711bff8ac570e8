// The log of training as JSON lines (--log): one object a line, and the list of all that it may hold.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "native/json.h"
#include "shared/io/error.h"

namespace softalign {

struct LogField {
  std::string_view event, name, type, meaning;
};

// Every event has the fields of "every" and its own, and no others. Types are JSON's; "?" says that it may be null.
inline constexpr LogField log_fields[] = {
    {"every", "event", "string", "which of these it is"},
    {"every", "time", "number", "seconds since 1970"},
    {"every", "model", "string", "its name"},
    {"start", "command", "string", "that repeats the run"},
    {"start", "config", "object", "score, ordering, encoder and sizes, as in the manifest"},
    {"start", "steps", "number", "the budget"},
    {"start", "seed", "number", "of the untrained weights"},
    {"start", "device", "string", "that was chosen"},
    {"start", "gru", "string", "whose GRU learns"},
    {"start", "resumed_at", "number?", "the step of the checkpoint that the run goes on from"},
    {"start", "softalign", "string", "version and commit"},
    {"start", "torch", "string", "LibTorch's version and BLAS"},
    {"step", "step", "number", "steps done; a line for the first, every tenth and the last"},
    {"step", "loss", "number", "of this step's batch, in nats per token"},
    {"step", "gradient_norm", "number", "before it is clipped to 1"},
    {"step", "seconds", "number", "of training, over all sittings"},
    {"step", "steps_per_second", "number", "over all sittings"},
    {"checkpoint", "step", "number", "steps that the file holds"},
    {"checkpoint", "file", "string", "its path"},
    {"snapshot", "step", "number", "when it was taken"},
    {"warning", "message", "string", "what went wrong without ending the run"},
    {"end", "why", "string", "done, signal or error"},
    {"end", "step", "number", "steps done"},
    {"end", "seconds", "number", "of training, over all sittings"},
    {"end", "message", "string?", "the error"},
};

// The list as text for --help: a line an event.
std::string log_schema();

class RunLog {
 public:
  // Appends to the file; an empty path writes nothing. CANNOT_WRITE.
  static Result<std::unique_ptr<RunLog>> open(const std::filesystem::path& path);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  void set_model(const std::string& name) { model_ = name; }
  // One line, at once. `fields` are those of the event. A log that cannot be written ends no training: it says so once.
  void write(std::string_view event, Json fields);

 private:
  RunLog(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::filesystem::path path_;
  int descriptor_;  // -1: no log
  std::string model_;
};

}  // namespace softalign
