// How a sentence names one character: `letter "ä"`, `character "."`, or `character U+200B` for what cannot be seen.
#pragma once
#include <string>
#include <string_view>

namespace softalign {

// `character` is one code point in UTF-8.
std::string named(std::string_view character);

}  // namespace softalign
