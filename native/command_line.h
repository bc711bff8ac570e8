// How flags are declared: every option shows its default in --help and is refused with what is allowed.
#pragma once
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

// An option with a value; `variable` holds the default, and `value` names the value in --help.
template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, T& variable, const std::string& value,
                       const std::string& description) {
  return command.add_option(name, variable, description)->capture_default_str()->type_name(value);
}

// One of a list of words, which --help shows in place of the value's name.
template <class Words>
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& variable, const Words& words,
                        const std::string& description) {
  std::string shown;
  for (const std::string_view word : words) shown += (shown.empty() ? "" : "|") + std::string(word);
  auto one_of = [allowed = std::vector<std::string>(std::begin(words), std::end(words))](const std::string& word) {
    if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return std::string();
    return "\"" + word + "\" is not one of " + CLI::detail::join(allowed, ", ");
  };
  return command.add_option(name, variable, description)->capture_default_str()->type_name(shown)->check(one_of);
}

// Whole numbers of a range.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& variable, long long low, long long high,
                        const std::string& description) {
  auto in_range = [low, high](const std::string& word) {
    long long number = 0;
    if (CLI::detail::lexical_cast(word, number) && number >= low && number <= high) return std::string();
    return "\"" + word + "\" is not a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  };
  return command.add_option(name, variable, description)->capture_default_str()->type_name("N")->check(in_range);
}

// A switch that is off unless given.
inline CLI::Option* add_switch(CLI::App& command, const std::string& name, bool& variable,
                               const std::string& description) {
  return command.add_flag(name, variable, description)->default_str("off");
}

// The arguments as App::parse takes them, protected from its list syntax: texts are to be read as they were typed.
std::vector<std::string> shielded(const std::vector<std::string>& arguments);
std::string unshielded(std::string argument);

// Shows the default of every option in brackets.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// The options of a command as they were given, without those of `without`: a command line that repeats the run.
std::string given_options(const CLI::App& command, const std::vector<std::string>& without);

}  // namespace softalign
