// A whole model as one weights file: config and weights, checked against each other before any weight is loaded.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "shared/io/error.h"
#include "shared/io/safetensors.h"
#include "shared/model/config.h"
#include "shared/model/parameters.h"

namespace softalign {

// The format that this version writes, and the newest that it reads.
inline constexpr int format_version = 1;

// Keys of the file's metadata, all optional: a file of another library has none of them.
namespace metadata_keys {
inline constexpr std::string_view format = "softalign.format";
inline constexpr std::string_view score = "softalign.score";
inline constexpr std::string_view ordering = "softalign.ordering";
inline constexpr std::string_view encoder = "softalign.encoder";
inline constexpr std::string_view steps = "softalign.steps";
inline constexpr std::string_view source_vocabulary = "softalign.source_vocabulary";  // without <pad>
inline constexpr std::string_view target_vocabulary = "softalign.target_vocabulary";  // without <pad>, <bos>, <eos>
inline constexpr std::string_view golden = "softalign.golden";                        // outputs to expect; opaque here
}  // namespace metadata_keys

struct Checkpoint {
  Config config;
  PlainParameters params;
  int steps = 0;      // training steps; 0 when the file states none
  Metadata metadata;  // all that the file states; write_checkpoint itself sets format, score, ordering, encoder, steps
};

// The sizes come from the shapes; score, ordering and encoder from the metadata, or from the names where it is silent.
// Errors: BAD_WEIGHTS, NEWER_FORMAT; WRONG_MODEL listing every missing and extra name, or both shapes; NOT_FINITE.
Result<Checkpoint> read_checkpoint(std::span<const uint8_t> file);

// Errors: BAD_VALUE for a config that no model has, and those of write().
Result<std::vector<uint8_t>> write_checkpoint(const Checkpoint& checkpoint, DType dtype = DType::F16);

// WRONG_MODEL unless the model reads and writes exactly these characters, as far as its sizes and metadata tell.
Status check_vocabularies(const Checkpoint& checkpoint, std::string_view source, std::string_view target);

}  // namespace softalign
