// How a sentence names one character: `letter "ä"`, `character "."`, or `character U+200B` for what cannot be seen.
#pragma once
#include <string>

namespace softalign {

std::string named(char32_t character);

}  // namespace softalign
