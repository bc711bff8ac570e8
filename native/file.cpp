// Whole files over POSIX calls: std::ofstream can neither flush to the disk nor say why it failed.
#include "native/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <tuple>
#include <utility>

namespace softalign {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::generic_category().message(errno); }

Error cannot_write(const fs::path& path) {
  return {ErrorCode::CANNOT_WRITE, "cannot write " + path.string() + ": " + reason()};
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  bool ok() const { return number_ >= 0; }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// What stands between a path and the six letters of the file that is to take its place.
constexpr std::string_view aside_mark = ".writing-";

// A file beside `path` that is removed again unless it was renamed to it.
class Aside {
 public:
  explicit Aside(const fs::path& path)
      : path_(path), name_(path.string() + std::string(aside_mark) + "XXXXXX"), file_(::mkstemp(name_.data())) {}
  ~Aside() {
    if (file_.ok() || written_) ::unlink(name_.c_str());
  }
  bool ok() const { return file_.ok(); }

  Status write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_.number(), bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return cannot_write(path_);
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return success();
  }

  Status take_place() {
    const mode_t mask = ::umask(0);  // mkstemp made the file private
    ::umask(mask);
    if (::fchmod(file_.number(), 0666 & ~mask) != 0 || ::fsync(file_.number()) != 0) return cannot_write(path_);
    written_ = true;
    if (!file_.close() || ::rename(name_.c_str(), path_.c_str()) != 0) return cannot_write(path_);
    written_ = false;
    Descriptor folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY));
    // Some file systems have no flush of folders; the file itself is safe by now.
    if (folder.ok() && ::fsync(folder.number()) != 0 && errno != EINVAL && errno != EROFS) return cannot_write(path_);
    return success();
  }

 private:
  fs::path path_;
  std::string name_;
  Descriptor file_;
  bool written_ = false;
};

}  // namespace

Result<std::vector<uint8_t>> read_file(const fs::path& path) {
  auto unreadable = [&] { return Error{ErrorCode::NO_FILE, "cannot read " + path.string() + ": " + reason()}; };
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return unreadable();
  std::vector<uint8_t> bytes;
  struct stat status {};
  if (::fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
    bytes.reserve(std::min(static_cast<size_t>(status.st_size), file_limit) + 1);
  for (std::vector<uint8_t> piece(1 << 16);;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable();
    if (count == 0) return bytes;
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + count);
    if (bytes.size() > file_limit)
      return {ErrorCode::TOO_LONG, path.string() + " is longer than the " + std::to_string(file_limit >> 20) +
                                       " MiB that are read of one file"};
  }
}

Status write_file(const fs::path& path, std::string_view bytes) {
  Aside aside(path);
  if (!aside.ok()) return cannot_write(path);
  if (auto written = aside.write(bytes); !written) return written;
  return aside.take_place();
}

Status write_file(const fs::path& path, std::span<const uint8_t> bytes) {
  return write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Status check_writable(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return {ErrorCode::CANNOT_WRITE, "cannot write " + path.string() + ": it is a folder"};
  // The new file would take the place of a device such as /dev/full or /dev/stdout.
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored))
    return {ErrorCode::CANNOT_WRITE, "cannot write " + path.string() + ": it is no regular file"};
  if (fs::exists(path, ignored) && !overwrite)
    return {ErrorCode::CANNOT_WRITE,
            path.string() + " exists already; --force overwrites it, --out and --name choose another file"};
  if (const fs::path folder = folder_of(path); !fs::is_directory(folder, ignored))
    return {ErrorCode::CANNOT_WRITE, "cannot write " + path.string() + ": there is no folder " + folder.string()};
  if (Aside probe(path); !probe.ok()) return cannot_write(path);
  return success();
}

void remove_leftovers(const fs::path& path) {
  const std::string start = path.filename().string() + std::string(aside_mark);
  std::error_code failed;
  for (fs::directory_iterator entry(folder_of(path), failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(start) && name.size() == start.size() + 6) fs::remove(entry->path(), ignored);
  }
}

// The file may be removed by its holder between this process's open and its lock: then another one bears the name.
Result<std::unique_ptr<FileLock>> FileLock::take(const fs::path& path) {
  for (;;) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!file.ok()) return cannot_write(path);
    if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return cannot_write(path);
      char digits[16] = {};
      const ssize_t count = ::pread(file.number(), digits, sizeof digits - 1, 0);
      return {ErrorCode::CANNOT_WRITE, path.string() + " is held by " +
                                           (count > 0 ? "process " + std::string(digits) : "another process")};
    }
    struct stat held {}, named {};
    if (::fstat(file.number(), &held) != 0) return cannot_write(path);
    if (::stat(path.c_str(), &named) != 0 || held.st_ino != named.st_ino || held.st_dev != named.st_dev) continue;
    const std::string process = std::to_string(::getpid());
    // A full disk takes no number; the lock holds without.
    if (::ftruncate(file.number(), 0) == 0) std::ignore = ::pwrite(file.number(), process.data(), process.size(), 0);
    return std::unique_ptr<FileLock>(new FileLock(path, file.release()));
  }
}

FileLock::~FileLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

Status check_replaceable(const fs::path& path, std::string_view start, bool force) {
  if (auto writable = check_writable(path, true); !writable) return writable;
  std::error_code ignored;
  if (force || !fs::exists(path, ignored)) return success();
  const auto bytes = read_file(path);
  const bool ours = bytes && bytes->size() >= start.size() && std::equal(start.begin(), start.end(), bytes->begin());
  if (ours) return success();
  return {ErrorCode::CANNOT_WRITE, path.string() + " exists already, and softalign did not write it; --force overwrites it"};
}

}  // namespace softalign
