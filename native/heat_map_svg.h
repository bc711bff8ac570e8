// Attention weights as a picture: source characters as columns, output tokens as rows.
#pragma once
#include <string>
#include <string_view>

#include "shared/decoding/greedy.h"
#include "shared/task/source.h"

namespace softalign {

struct MapPicture {
  std::string_view text;  // that was read; its code points are the columns
  const Source& source;   // the text as the model reads it
  const Decoded& decoded;  // with attention
  std::string model;       // its name
};

// One <svg> element with a title and a description; `id` is its own among those of a page. Its look is in heat_map_style.
std::string heat_map_svg(const MapPicture& picture, const std::string& id);
// The same as a whole file, with a caption, that is dark where a screen asks for it.
std::string heat_map_file(const MapPicture& picture);
// What heat_map_file begins with.
extern const std::string_view heat_map_file_start;
// CSS, which asks for colour_roles.
extern const std::string_view heat_map_style;

}  // namespace softalign
