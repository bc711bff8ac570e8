// What the command line knows about its terminal: colours, width, a progress line, and the signals that end a run.
#pragma once
#include <chrono>
#include <string>
#include <string_view>

namespace softalign {

struct TerminalStyle {
  bool colour = false;
  bool truecolour = false;       // else the 256-colour palette
  bool light_background = false;  // as far as COLORFGBG tells
  int width = 100;                // columns
};

// Of standard output. `when`: auto (a terminal without NO_COLOR), always or never.
TerminalStyle output_style(std::string_view when);

// The text broken between words so that no line is wider than `width` columns, where words allow; later lines are
// indented by `indent`.
std::string wrapped(std::string_view text, int width, int indent);

// The text on one line: controls, line separators and direction marks, with which a text could steer a terminal, become
// spaces, and bytes that are no UTF-8 become U+FFFD.
std::string harmless(std::string_view text);

// "41 s", "3 min 20 s", "1 h 5 min".
std::string duration(double seconds);

// Progress of known length on standard error: a line that rewrites itself on a terminal; elsewhere a line at the start
// and at every tenth, or nothing.
class Progress {
 public:
  enum class Elsewhere { lines, nothing };
  Progress(int total, Elsewhere elsewhere);
  ~Progress();
  Progress(const Progress&) = delete;
  // `text` says the rest: numbers, rate, time left.
  void show(int done, const std::string& text);
  // Takes the line off the terminal, for what is printed next.
  void clear();

 private:
  int total_;
  Elsewhere elsewhere_;
  int tenths_ = -1;  // printed so far, where lines do not rewrite themselves; -1: none
  bool rewrites_;
  bool open_ = false;  // the cursor stands in an unfinished line
  std::chrono::steady_clock::time_point shown_{};
};

// While one lives, the first SIGINT, SIGTERM or SIGHUP is only noted; a second one ends the process as usual. Output that
// nobody reads any more and files at their allowed size are errors to whoever writes, not signals that end the process.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  // Lets signals wait for the program that is about to take this one's place: its own watch then notes them.
  void hand_over();
  // The opposite, where no program did.
  void take_back();
  // The signal's number, or 0.
  static int caught();
};

}  // namespace softalign
