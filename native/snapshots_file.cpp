// Packs and unpacks snapshots with zlib.
#include "native/snapshots_file.h"

#include <zlib.h>

#include "native/file.h"

namespace softalign {
namespace {

constexpr int gzip_window = 15 + 16;  // the largest window, in gzip's framing

Result<std::vector<uint8_t>> packed(std::span<const uint8_t> bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return {ErrorCode::OUT_OF_MEMORY, "there is not enough memory to pack the snapshots"};
  std::vector<uint8_t> out(deflateBound(&stream, bytes.size()));
  stream.next_in = const_cast<uint8_t*>(bytes.data()), stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = out.data(), stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<std::vector<uint8_t>> unpacked(std::span<const uint8_t> bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK)
    return {ErrorCode::OUT_OF_MEMORY, "there is not enough memory to unpack the snapshots"};
  stream.next_in = const_cast<uint8_t*>(bytes.data()), stream.avail_in = static_cast<uInt>(bytes.size());
  std::vector<uint8_t> out, piece(1 << 16);
  int state = Z_OK;
  while (state == Z_OK && out.size() <= file_limit) {
    stream.next_out = piece.data(), stream.avail_out = static_cast<uInt>(piece.size());
    state = inflate(&stream, Z_NO_FLUSH);
    out.insert(out.end(), piece.begin(), piece.end() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (state == Z_STREAM_END && stream.avail_in == 0) return out;
  return {ErrorCode::BAD_WEIGHTS, "it is no whole gzip file; fetch it again, or train with --snapshots"};
}

}  // namespace

Status write_snapshots_file(const std::filesystem::path& path, const Config& config, const Snapshots& snapshots) {
  auto bytes = write_snapshots(config, snapshots);
  if (!bytes) return bytes.error();
  auto file = packed(*bytes);
  return file ? write_file(path, *file) : Status(file.error());
}

Result<Snapshots> read_snapshots_file(const std::filesystem::path& path, const Config& config) {
  auto file = read_file(path);
  if (!file) return file.error();
  auto bytes = unpacked(*file);
  auto snapshots = bytes ? read_snapshots(config, *bytes) : Result<Snapshots>(bytes.error());
  if (!snapshots) return {snapshots.error().code, path.string() + ": " + snapshots.error().message};
  return snapshots;
}

}  // namespace softalign
