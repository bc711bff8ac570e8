// The program: declares the commands, parses the flags, runs one command, and turns errors into sentences and exit codes.
#include <cstdio>
#include <map>

#include "native/command_line.h"
#include "native/commands.h"

namespace softalign {
namespace {

std::string listed(const std::vector<std::string>& words) { return CLI::detail::join(words, ", "); }

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    if (option->nonpositional()) names.push_back("--" + option->get_lnames().front());
  return names;
}

int refuse(const std::string& sentence) {
  std::fprintf(stderr, "softalign: %s\n", sentence.c_str());
  return exit_code::usage;
}

// What was not understood and what could stand there instead.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  if (error.get_name() != "ExtrasError") return error.what();
  std::vector<std::string> extras = command.remaining();
  if (extras.empty()) extras = app.remaining(true);
  return command.get_name() + " does not know " + listed(extras) + "; it takes " + listed(option_names(command));
}

}  // namespace

int run(int argc, char** argv) {
  const Invocation invocation(argv, argv + argc);
  CLI::App app("Trains and runs a sequence-to-sequence model that reads written dates and writes them in ISO form",
               "softalign");
  app.formatter(help_formatter());
  app.set_help_flag("-h,--help", "Print this help");
  app.require_subcommand(1);
  std::map<std::string, Run> commands;
  commands["train"] = add_train(app, invocation);
  commands["evaluate"] = add_evaluate(app, invocation);
  commands["decode"] = add_decode(app, invocation);
  commands["data"] = add_data(app);
  commands["table"] = add_table(app);

  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (argc < 2) return refuse("say what to do: " + listed(names) + "; softalign --help says more");
  const std::string first = argv[1];
  if (!first.starts_with("-") && !commands.contains(first))
    return refuse("there is no command \"" + first + "\"; there are " + listed(names));

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return refuse(usage_sentence(app, error));
  }
  const std::string command = app.get_subcommands().front()->get_name();
  const Result<int> result = commands.at(command)();
  if (result) return *result;
  std::fflush(stdout);
  std::fprintf(stderr, "softalign %s: %s: %s\n", command.c_str(), name(result.error().code),
               result.error().message.c_str());
  return exit_code::failed;
}

}  // namespace softalign

int main(int argc, char** argv) { return softalign::run(argc, argv); }
