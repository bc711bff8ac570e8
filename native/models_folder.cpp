// Finds the files of a folder of models and reads its manifests.
#include "native/models_folder.h"

#include <algorithm>

#include "native/file.h"
#include "native/manifest.h"

namespace softalign {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_of(const fs::path& folder, std::string_view extension) {
  std::error_code failed;
  std::vector<fs::path> paths;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    if (entry->path().extension() == extension && !entry->path().string().ends_with(".probe.safetensors")) paths.push_back(entry->path());
  if (failed) return {ErrorCode::NO_FILE, "cannot read the folder " + folder.string() + ": " + failed.message()};
  std::sort(paths.begin(), paths.end());
  return paths;
}

Result<Json> read_manifest(const fs::path& path) {
  auto bytes = read_file(path);
  if (!bytes) return bytes.error();
  Json json = Json::parse(bytes->begin(), bytes->end(), nullptr, false);
  if (!json.is_object() || !json.contains("softalign_manifest") || json["softalign_manifest"] != manifest_version)
    return {ErrorCode::BAD_VALUE, path.string() + " is no manifest that this version reads"};
  return json;
}

}  // namespace softalign
