// Reads the JSON header of a safetensors file strictly, for safetensors.cpp alone; safetensors.h numbers the rules.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "shared/io/message.h"
#include "shared/io/safetensors.h"

namespace softalign {

inline constexpr std::string_view metadata_key = "__metadata__";

// Knows the one shape of JSON that a header may have. Each part returns false after a problem, told in `problem`.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  bool read(Header& header);  // offsets of the tensors count from the start of the data, as in the file
  std::string problem;        // a clause about the file

 private:
  bool fail(const char* pattern, std::initializer_list<MessagePart> parts);
  bool wrong(const char* wanted);
  bool twice(std::string_view key);

  void skip_space();
  bool take(char c);
  bool expect(char c);
  // Steps through an object whose '{' is read: true with each key, false after its '}' or a problem.
  bool member(std::string& key, bool& first);
  bool string(std::string& out);
  bool escape(std::string& out);
  uint32_t hex4(size_t from) const;
  bool number(uint64_t& out);
  bool numbers(std::vector<uint64_t>& out, size_t limit);

  bool metadata(Metadata& out);
  bool tensor(std::string name, Header& header);
  bool field(std::string_view key, TensorView& view, unsigned& seen);
  bool dtype(TensorView& view);
  bool offsets(TensorView& view);
  bool check_size(const TensorView& view);

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace softalign
