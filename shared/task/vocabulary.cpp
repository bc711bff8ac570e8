// Characters to ids and ids to text.
#include "shared/task/vocabulary.h"

#include <cassert>

namespace softalign {

int source_id(char32_t character) {
  if (character >= 0x80) return -1;
  const size_t place = source_characters.find(static_cast<char>(character));
  return place == std::string_view::npos ? -1 : static_cast<int>(place) + 1;
}

std::string token_text(int32_t id) {
  assert(0 <= id && id < target_vocabulary_size && "token_text: a target id");
  switch (id) {
    case pad: return "<pad>";
    case bos: return "<bos>";
    case eos: return "<eos>";
    default: return std::string(1, target_characters[static_cast<size_t>(id - first_target_character)]);
  }
}

std::vector<int32_t> target_ids(std::string_view target) {
  std::vector<int32_t> ids;
  ids.reserve(target.size());
  for (char character : target) {
    const size_t place = target_characters.find(character);
    assert(place != std::string_view::npos && "target_ids: a target character");
    ids.push_back(static_cast<int32_t>(place) + first_target_character);
  }
  return ids;
}

std::string output_text(std::span<const int32_t> ids) {
  std::string text;
  for (int32_t id : ids) {
    if (id == eos) break;
    if (id >= first_target_character) text += token_text(id);
  }
  return text;
}

}  // namespace softalign
