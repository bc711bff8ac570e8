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

std::string given_options(const CLI::App& command, const std::vector<std::string>& without) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
    if (option->count() == 0 || std::find(without.begin(), without.end(), name) != without.end()) continue;
    text += " " + name;
    if (option->get_type_size() != 0) text += " " + CLI::detail::join(option->results(), " ");
  }
  return text;
}

}  // namespace softalign
