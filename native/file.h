// Whole files: read into memory, and written so that a reader sees the old file or the new one, never half of one.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/io/error.h"

namespace softalign {

// More than any weights file of ours; stops a read of an endless device.
inline constexpr size_t file_limit = 256u << 20;

// Errors: NO_FILE with the system's reason, TOO_LONG over file_limit.
Result<std::vector<uint8_t>> read_file(const std::filesystem::path& path);

// Writes a file beside `path`, flushes it to the disk, renames it to `path` and flushes the folder.
// CANNOT_WRITE, with the path and the system's reason and with the old file untouched, when any of it fails.
Status write_file(const std::filesystem::path& path, std::string_view bytes);
Status write_file(const std::filesystem::path& path, std::span<const uint8_t> bytes);

// CANNOT_WRITE when write_file could not even begin, or when the file exists and `overwrite` is false:
// to be asked before hours of work.
Status check_writable(const std::filesystem::path& path, bool overwrite);

// Removes what a write_file of this path left beside it when its process was killed. Only for who holds a lock on the path.
void remove_leftovers(const std::filesystem::path& path);

// A file that no two processes hold at once. The lock ends with its process, however that ends; the file may outlive it.
class FileLock {
 public:
  // CANNOT_WRITE, naming the process that holds it, or with the system's reason.
  static Result<std::unique_ptr<FileLock>> take(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;

 private:
  FileLock(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::filesystem::path path_;
  int descriptor_;
};

// The same for a file that is written again and again: one that begins with `start` may be replaced without `force`.
Status check_replaceable(const std::filesystem::path& path, std::string_view start, bool force);

}  // namespace softalign
