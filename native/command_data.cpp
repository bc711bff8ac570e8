// `softalign data`: the lab's splits, one example a line.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/evaluation.h"

namespace softalign {

Run add_data(CLI::App& app) {
  auto split = std::make_shared<std::string>("test");
  CLI::App& data = *app.add_subcommand("data", "Print a split of the task: source, tab, target, a line an example");
  add_choice(data, "--split", *split, split_names, "2,000 test examples, or 100,000 training examples");
  return [split]() -> Result<int> {
    for (const Example& example : examples_of(*split, 0)) {
      const std::string line = example.source + "\t" + example.target + "\n";
      std::fwrite(line.data(), 1, line.size(), stdout);
    }
    return exit_code::ok;
  };
}

}  // namespace softalign
