// Terminal facts from the environment and the system, and output that follows them.
#include "native/terminal.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>

#include "shared/io/utf8.h"

namespace softalign {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

int width_of(int descriptor, int otherwise) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

// COLORFGBG ends with the background's number in the 16-colour palette: 7 and 15 are light.
bool background_is_light() {
  const std::string_view colours = environment("COLORFGBG");
  const std::string_view background = colours.substr(colours.rfind(';') + 1);
  return background == "7" || background == "15";
}

// A signal may arrive in any thread.
std::atomic<int> signal_number = 0;
static_assert(decltype(signal_number)::is_always_lock_free, "else a handler may not write it");

// The first is noted; the next one, whichever it is, does what it does to other programs.
extern "C" void note_signal(int number) {
  if (signal_number.exchange(number) == 0) return;
  ::signal(number, SIG_DFL);
  ::raise(number);
}

constexpr int noted[] = {SIGINT, SIGTERM, SIGHUP}, ignored[] = {SIGPIPE, SIGXFSZ};
struct sigaction before[std::size(noted) + std::size(ignored)];

void mask_noted(int how) {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : noted) sigaddset(&set, number);
  ::pthread_sigmask(how, &set, nullptr);
}

}  // namespace

TerminalStyle output_style(std::string_view when) {
  TerminalStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) != 0;
  if (terminal) style.width = width_of(STDOUT_FILENO, 80);
  style.colour = when == "always" ||
                 (when == "auto" && terminal && environment("NO_COLOR").empty() && environment("TERM") != "dumb");
  style.truecolour = environment("COLORTERM") == "truecolor" || environment("COLORTERM") == "24bit";
  style.light_background = background_is_light();
  return style;
}

std::string wrapped(std::string_view text, int width, int indent) {
  std::string lines;
  int column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    const auto columns = static_cast<int>(std::count_if(word.begin(), word.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;  // one column a code point
    }));
    if (column > 0 && column + 1 + columns > width) {
      lines += "\n" + std::string(static_cast<size_t>(indent), ' ');
      column = indent;
    } else if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += columns;
  }
  return lines;
}

std::string harmless(std::string_view text) {
  const auto steers = [](char32_t c) {
    return c < 0x20 || (0x7F <= c && c < 0xA0) || c == 0x61C || c == 0x200E || c == 0x200F ||
           (0x2028 <= c && c <= 0x202E) || (0x2066 <= c && c <= 0x2069);
  };
  std::string shown;
  while (!text.empty()) {
    const char32_t code_point = take_code_point(text);
    append_utf8(shown, steers(code_point) ? U' ' : code_point);
  }
  return shown;
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(std::ceil(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

Progress::Progress(int total, Elsewhere elsewhere)
    : total_(total),
      elsewhere_(elsewhere),
      rewrites_(::isatty(STDERR_FILENO) != 0 && environment("TERM") != "dumb") {}

Progress::~Progress() {
  if (open_) std::fputs("\n", stderr);
}

void Progress::show(int done, const std::string& text) {
  const int width = static_cast<int>(std::to_string(total_).size());
  if (!rewrites_) {
    const int tenths = static_cast<int>(10LL * done / total_);
    if (elsewhere_ == Elsewhere::nothing || tenths == tenths_) return;
    tenths_ = tenths;
    std::fprintf(stderr, "%*d / %d  %s\n", width, done, total_, text.c_str());
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (done < total_ && now - shown_ < std::chrono::milliseconds(100)) return;
  shown_ = now;
  constexpr int cells = 20;
  const int filled = static_cast<int>(static_cast<long long>(cells) * done / total_);
  std::string bar;
  for (int cell = 0; cell < cells; ++cell) bar += cell < filled ? "━" : "─";
  const int room = width_of(STDERR_FILENO, 80) - 2 * width - cells - 7;  // a wrapped line could not be rewritten
  std::fprintf(stderr, "\r\x1b[K%*d / %d  %s  %.*s", width, done, total_, bar.c_str(), std::max(room, 0), text.c_str());
  std::fflush(stderr);
  open_ = true;
}

void Progress::clear() {
  if (open_) std::fputs("\r\x1b[K", stderr);
  open_ = false;
}

SignalWatch::SignalWatch() {
  signal_number = 0;
  struct sigaction note {}, ignore {};
  note.sa_handler = note_signal;
  note.sa_flags = SA_RESTART;
  ignore.sa_handler = SIG_IGN;
  auto old = std::begin(before);
  for (const int number : noted) {
    ::sigaction(number, &note, old);
    if (number == SIGHUP && old->sa_handler == SIG_IGN) ::sigaction(number, old, nullptr);  // as nohup wants it
    ++old;
  }
  for (const int number : ignored) ::sigaction(number, &ignore, old++);
  take_back();  // what waited since a hand-over
}

SignalWatch::~SignalWatch() {
  auto old = std::begin(before);
  for (const int number : noted) ::sigaction(number, old++, nullptr);
  for (const int number : ignored) ::sigaction(number, old++, nullptr);
}

void SignalWatch::hand_over() { mask_noted(SIG_BLOCK); }
void SignalWatch::take_back() { mask_noted(SIG_UNBLOCK); }
int SignalWatch::caught() { return signal_number; }

}  // namespace softalign
