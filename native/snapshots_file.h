// NAME.snapshots on the disk: the file of shared/io/snapshots.h, compressed by gzip, as browsers unpack it by themselves.
#pragma once
#include <filesystem>

#include "shared/io/snapshots.h"

namespace softalign {

// Errors: those of write_snapshots and write_file.
Status write_snapshots_file(const std::filesystem::path& path, const Config& config, const Snapshots& snapshots);
// Errors: those of read_file and read_snapshots; BAD_WEIGHTS for a file that gzip cannot unpack.
Result<Snapshots> read_snapshots_file(const std::filesystem::path& path, const Config& config);

}  // namespace softalign
