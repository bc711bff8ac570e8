// Writes the lines of a training log, each with one call, so that no line is ever half another's.
#include "native/run_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <system_error>

namespace softalign {
namespace {

std::string reason() { return std::generic_category().message(errno); }

// Whether an event's line has the listed fields and no others.
[[maybe_unused]] bool as_listed(std::string_view event, const Json& line) {
  const auto belongs = [&](const LogField& field) { return field.event == "every" || field.event == event; };
  const auto listed = std::count_if(std::begin(log_fields), std::end(log_fields), belongs);
  return static_cast<size_t>(listed) == line.size() &&
         std::all_of(std::begin(log_fields), std::end(log_fields),
                     [&](const LogField& field) { return !belongs(field) || line.contains(field.name); });
}

}  // namespace

std::string log_schema() {
  std::string text, event;
  for (const LogField& field : log_fields) {
    if (field.event != event) text += (event.empty() ? "  " : "\n  ") + (event = field.event) + ":";
    text += " " + std::string(field.name) + " " + std::string(field.type) + " (" + std::string(field.meaning) + ")";
    text += &field + 1 != std::end(log_fields) && (&field + 1)->event == event ? "," : "";
  }
  return text;
}

Result<std::unique_ptr<RunLog>> RunLog::open(const std::filesystem::path& path) {
  int descriptor = -1;
  if (!path.empty()) {
    descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return {ErrorCode::CANNOT_WRITE, "cannot write " + path.string() + ": " + reason()};
  }
  return std::unique_ptr<RunLog>(new RunLog(path, descriptor));
}

RunLog::~RunLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::write(std::string_view event, Json fields) {
  if (descriptor_ < 0) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Json line = {{"event", event}, {"time", std::chrono::duration_cast<std::chrono::milliseconds>(now).count() / 1e3}};
  line["model"] = model_;
  line.update(fields);
  assert(as_listed(event, line) && "RunLog: the fields of log_fields");
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size())) return;
  std::fprintf(stderr, "warning: cannot write %s: %s; training goes on without a log\n", path_.c_str(), reason().c_str());
  ::close(std::exchange(descriptor_, -1));
}

}  // namespace softalign
