// The program: declares the commands, parses the flags, runs one command, turns errors into sentences and exit codes.
#include <cstdio>
#include <iostream>
#include <map>
#include <new>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/version.h"

namespace softalign {
namespace {

const Error no_output{ErrorCode::CANNOT_WRITE, "cannot write to standard output"};
const Error no_memory{ErrorCode::OUT_OF_MEMORY, "there is not enough memory for this"};

std::string listed(const std::vector<std::string>& words) { return CLI::detail::join(words, ", "); }

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional()) names.push_back("--" + option->get_lnames().front());
  return names;
}

int refuse(const std::string& command, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", command.c_str(), sentence.c_str());
  return exit_code::usage;
}

}  // namespace

int run(int argc, char** argv) {
  const Invocation invocation(argv, argv + argc);
  CLI::App app("Trains and runs a sequence-to-sequence model that reads written dates and writes them in ISO form",
               "softalign");
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", version(), "Print the version, and the commit that it was built at");
  app.footer(exit_code::listed);
  app.require_subcommand(1);
  std::map<std::string, Run> commands;
  commands["train"] = add_train(app, invocation);
  commands["evaluate"] = add_evaluate(app, invocation);
  commands["decode"] = add_decode(app, invocation);
  commands["intervene"] = add_intervene(app);
  commands["data"] = add_data(app);
  commands["table"] = add_table(app);
  commands["verify"] = add_verify(app);
  commands["snapshots"] = add_snapshots(app);
  commands["probe"] = add_probe(app);

  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (argc < 2) return refuse("softalign", "say what to do: " + listed(names) + "; softalign --help says more");
  if (const std::string first = argv[1]; !commands.contains(first) && first != "-h" && first != "--help" &&
                                         first != "--version")
    return refuse("softalign", "there is no command \"" + first + "\"; there are " + listed(names));

  auto current = [&]() -> const CLI::App& {
    return app.get_subcommands().empty() ? app : *app.get_subcommands().front();
  };
  auto called = [&] { return (&current() == &app ? "" : "softalign ") + current().get_name(); };
  try {
    app.parse(shielded(invocation));
  } catch (const CLI::Success& help_or_version) {
    const int code = app.exit(help_or_version);
    if (std::cout.flush()) return code;
    std::fprintf(stderr, "softalign: %s: %s\n", name(no_output.code), no_output.message.c_str());
    return exit_code::failed;
  } catch (const CLI::ExtrasError&) {
    return refuse(called(), "unknown argument " + listed(app.remaining(true)) + "; allowed: " +
                                listed(option_names(current())));
  } catch (const CLI::ParseError& error) {
    return refuse(called(), error.what());
  }
  const std::string command = app.get_subcommands().front()->get_name();
  Result<int> result = no_memory;
  try {
    result = commands.at(command)();
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& error) {  // LibTorch's, such as a GPU that is full; a backtrace follows the first line
    const std::string_view text = error.what();
    result = {ErrorCode::NO_DEVICE, std::string(text.substr(0, text.find('\n')))};
  }
  if ((std::fflush(stdout) != 0 || std::ferror(stdout)) && result)
    result = no_output;
  if (result) return *result;
  std::fprintf(stderr, "softalign %s: %s: %s\n", command.c_str(), name(result.error().code),
               result.error().message.c_str());
  return result.error().code == ErrorCode::NOT_FINITE ? exit_code::not_learnt : exit_code::failed;
}

}  // namespace softalign

int main(int argc, char** argv) { return softalign::run(argc, argv); }
