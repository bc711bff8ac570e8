// The two vocabularies: the characters that the model reads, and the tokens that it writes.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

inline constexpr int32_t pad = 0, bos = 1, eos = 2;

// Source ids 1..43, in code point order; 0 is <pad>.
inline constexpr std::string_view source_characters = " ,/0123456789;ADFJMNOSabcdefghilmnoprstuvwy";
// Target ids 3..14; 0, 1 and 2 are <pad>, <bos> and <eos>.
inline constexpr std::string_view target_characters = "0123456789- ";
inline constexpr int32_t first_target_character = 3;

// 44 and 15.
inline constexpr int32_t source_vocabulary_size = 1 + static_cast<int32_t>(source_characters.size());
inline constexpr int32_t target_vocabulary_size =
    first_target_character + static_cast<int32_t>(target_characters.size());

// The source id of a code point; -1 when the model does not know it.
int source_id(char32_t character);
// How a target token is shown: "<pad>", "<bos>", "<eos>", "0", ..., "9", "-", " ".
std::string token_text(int32_t id);
// The target tokens of a text of `target_characters`, without <eos>.
std::vector<int32_t> target_ids(std::string_view target);
// The text that tokens spell: up to <eos>, with <pad> and <bos> as nothing.
std::string output_text(std::span<const int32_t> ids);

}  // namespace softalign
