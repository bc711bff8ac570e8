// The commands of softalign: each declares its flags, once, and gives back what runs it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "shared/io/error.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace softalign {

// How the program was called, its own name first.
using Invocation = std::vector<std::string>;

// What the program gives back to its caller; a signal that ended it adds its number to 128.
namespace exit_code {
inline constexpr int ok = 0, failed = 1, usage = 2, not_learnt = 3, signalled = 128;
// For --help.
inline constexpr const char* listed =
    "Exit codes:\n"
    "  0    done\n"
    "  1    failed; standard error says why\n"
    "  2    a command, flag or value that is not allowed\n"
    "  3    a number that is NaN or infinite, or --overfit-one-batch did not learn its batch\n"
    "  130  stopped by SIGINT (Ctrl-C); 143 by SIGTERM, 129 by SIGHUP: 128 and the signal's number";
}  // namespace exit_code

// Runs a command whose flags are parsed; the result is the exit code.
using Run = std::function<Result<int>()>;

// Each adds one command to the app.
Run add_train(CLI::App& app, const Invocation& invocation);
Run add_evaluate(CLI::App& app, const Invocation& invocation);
Run add_decode(CLI::App& app, const Invocation& invocation);
Run add_intervene(CLI::App& app);
Run add_data(CLI::App& app);
Run add_table(CLI::App& app);
Run add_verify(CLI::App& app);
Run add_snapshots(CLI::App& app);
Run add_probe(CLI::App& app);

}  // namespace softalign
