// `softalign table`: the README of a folder of models, printed from their manifests.
#include <cstdio>

#include "native/command_line.h"
#include "native/commands.h"
#include "native/models_folder.h"

namespace softalign {

Run add_table(CLI::App& app) {
  auto folder = std::make_shared<std::string>("models");
  CLI::App& table = *app.add_subcommand("table", "Print the README of a folder of models from their manifests");
  table.add_option("FOLDER", *folder, "Folder with the manifests")->capture_default_str()->type_name("");
  return [folder]() -> Result<int> {
    auto text = models_readme(*folder);
    if (!text) return text.error();
    std::printf("%s", text->c_str());
    return exit_code::ok;
  };
}

}  // namespace softalign
