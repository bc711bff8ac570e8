// How --help looks, and how given flags are written down.
#include "native/command_line.h"

namespace softalign {
namespace {

// CLI11's own layout, with every default in brackets: also those of switches, which it leaves out.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(34); }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text;
    if (option->get_type_size() != 0 && !option->get_type_name().empty()) text += " " + option->get_type_name();
    if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += "...";
    return text;
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string preset = option->get_default_str();
    return option->get_description() + (preset.empty() ? "" : " [" + preset + "]");
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

// CLI11 would split [a,b] at its commas; this character behind it, which no argument holds, stops that.
constexpr char shield = '\x01';

std::vector<std::string> shielded(const std::vector<std::string>& arguments) {
  std::vector<std::string> list;
  for (size_t i = arguments.size(); i-- > 1;) {
    list.push_back(arguments[i]);  // CLI11 takes them from the back
    if (list.back().starts_with('[') && list.back().ends_with(']')) list.back() += shield;
  }
  return list;
}

std::string unshielded(std::string argument) {
  if (argument.ends_with(shield)) argument.pop_back();
  return argument;
}

std::string given_options(const CLI::App& command, const std::vector<std::string>& without) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
    if (option->count() == 0 || std::find(without.begin(), without.end(), name) != without.end()) continue;
    text += " " + name;
    if (option->get_expected_min() != 0) text += " " + CLI::detail::join(option->results(), " ");
  }
  return text;
}

}  // namespace softalign
