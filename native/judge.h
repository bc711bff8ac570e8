// A trained model that can be asked for its answers, whichever library computes them.
#pragma once
#include <array>
#include <filesystem>
#include <memory>
#include <string>

#include "native/commands.h"
#include "shared/decoding/beam_search.h"
#include "shared/decoding/greedy.h"
#include "shared/io/checkpoint.h"
#include "shared/task/source.h"

namespace softalign {

class Judge {
 public:
  virtual ~Judge() = default;
  // Free running: the model reads its own tokens.
  virtual Decoded greedy(const Source& source, int max_len) = 0;
  // Teacher forcing: the record of each token of `target`, which ends with <eos>, given the tokens before it.
  virtual Decoded score_target(const Source& source, std::span<const int32_t> target) = 0;
  // Beam search. BAD_VALUE for settings out of range, and from a judge that only decodes greedily.
  virtual Result<BeamSearch> beam(const Source&, const BeamSettings&) {
    return {ErrorCode::BAD_VALUE, "beams run on Eigen only: leave out --backend " + name()};
  }
  // For people: "eigen" or "torch on cpu, 1 thread".
  virtual std::string name() const = 0;
  // Another one of the same weights, to work beside this one in another thread; null where there can be none.
  virtual std::unique_ptr<Judge> twin() const { return nullptr; }
};

// Reads and checks a weights file; an error says which file.
Result<Checkpoint> load_checkpoint(const std::filesystem::path& path);

inline constexpr std::array<std::string_view, 2> backend_names{"eigen", "torch"};

// The model of the file `path` on a backend of backend_names, once it computes the file's golden vector; torch may turn
// this process into one that has LibTorch (enter_torch).
Result<std::unique_ptr<Judge>> make_judge(const std::string& backend, const std::filesystem::path& path,
                                          Checkpoint checkpoint, const Invocation& invocation);

// "dot score, luong ordering, uni encoder, 161,135 parameters, 500 steps".
std::string describe(const Checkpoint& checkpoint);
// 161,135
std::string with_commas(size_t number);

}  // namespace softalign
