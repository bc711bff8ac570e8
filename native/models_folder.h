// A folder of trained models: weights files, the manifests that describe them, and the README that lists them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "native/json.h"
#include "shared/io/error.h"

namespace softalign {

// The files of a folder with this extension, in the order of their names, but for probes. NO_FILE, with the system's reason.
Result<std::vector<std::filesystem::path>> files_of(const std::filesystem::path& folder, std::string_view extension);

// NO_FILE; BAD_VALUE when the file is no manifest that this version reads.
Result<Json> read_manifest(const std::filesystem::path& path);

// The README of a folder of models, in Markdown, printed from their manifests alone.
// NO_FILE when there is none, BAD_VALUE when one lacks a value or has no evaluation.
Result<std::string> models_readme(const std::filesystem::path& folder);

}  // namespace softalign
