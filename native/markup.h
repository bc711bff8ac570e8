// Text for SVG and HTML: escaped, and numbers as short as they may be.
#pragma once
#include <string>
#include <string_view>

namespace softalign {

// Any text as markup that shows it: what could end a tag, an attribute or a line is replaced.
std::string escaped(std::string_view text);
// A length or a coordinate in pixels, to a tenth.
std::string px(double length);
// So many decimals.
std::string fixed(double number, int decimals);

// The roles of colour as CSS variables, as the page has them: light, and dark where a screen asks for it.
extern const std::string_view colour_roles;

}  // namespace softalign
