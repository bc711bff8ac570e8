// Places labels, cells and numbers as the page does, each colour for a light and for a dark ground.
#include "native/heat_map_svg.h"

#include <cmath>
#include <vector>

#include "native/markup.h"
#include "native/ramp.h"
#include "native/terminal.h"
#include "shared/io/utf8.h"

namespace softalign {
namespace {

// As on the page.
constexpr float printed_from = 0.1f, visible_from = 0.002f;
constexpr int row_label = 74, column_label = 46, caption = 54, probability = 62, legend = 40;
constexpr int least_width = 480;
constexpr const char *space_glyph = "\u2423", *unprintable = "\uFFFD";

bool is_space(char32_t character) {
  return (character >= 9 && character <= 13) || character == ' ' || character == 0xA0 ||
         (character >= 0x2000 && character <= 0x200A) || character == 0x202F || character == 0x3000;
}

// A glyph for a code point of any text.
std::string visible(char32_t character) {
  if (is_space(character)) return space_glyph;
  std::string text;
  append_utf8(text, character);
  const bool unfit = (character & 0xFFFE) == 0xFFFE || harmless(text) != text;
  return unfit ? unprintable : escaped(text);
}
std::string visible_token(int32_t token) {
  const std::string text = token_text(token);
  return text == " " ? space_glyph : escaped(text);
}

// Coordinates of a text, and its class.
std::string label(const char* kind, double x, double y, const std::string& markup) {
  return "<text class=\"" + std::string(kind) + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\">" + markup + "</text>";
}

// Attributes of a colour for both grounds: tools without style sheets see the light one.
std::string fill(const Colour& light, const Colour& dark) {
  return "fill=\"" + hex(light) + "\" style=\"--d:" + hex(dark) + "\"";
}

class Drawing {
 public:
  Drawing(const MapPicture& picture, const std::string& id, bool captioned)
      : picture_(picture), id_(id), top_(column_label + (captioned ? caption : 0)), captioned_(captioned) {
    std::string_view rest = picture.text;
    while (!rest.empty()) characters_.push_back(take_code_point(rest));
    columns_ = static_cast<int>(characters_.size());
    rows_ = static_cast<int>(picture.decoded.tokens.size());
    cell_width_ = columns_ <= 16 ? 42 : 30;
    cell_height_ = rows_ <= 12 ? 36 : 28;
    width_ = std::max(row_label + columns_ * cell_width_ + probability, least_width);
    height_ = top_ + rows_ * cell_height_ + legend + (picture.source.unknown().empty() ? 0 : 20);
  }

  // `attributes` and `first` go into the element and before everything in it.
  std::string svg(const std::string& attributes, const std::string& first) const {
    const std::string size = std::to_string(width_), height = std::to_string(height_);
    return "<svg " + attributes + "class=\"map\" role=\"img\" aria-labelledby=\"" + id_ + "-title " + id_ +
           "-desc\" width=\"" + size + "\" height=\"" + height + "\" viewBox=\"0 0 " + size + " " + height + "\">" +
           "<title id=\"" + id_ + "-title\">" + title() + "</title><desc id=\"" + id_ + "-desc\">" + description() +
           "</desc>" + first + (captioned_ ? caption_text() : "") + column_labels() + row_labels() + cells() +
           legend_text() + "</svg>\n";
  }

 private:
  std::string quoted_text() const { return "\u201c" + escaped(picture_.text) + "\u201d"; }
  std::string output() const { return escaped(output_text(picture_.decoded.tokens)); }
  std::string title() const {
    return "What " + escaped(picture_.model) + " looks at in " + quoted_text() + " while it writes \u201c" + output() +
           "\u201d";
  }
  std::string description() const {
    std::string text = "Rows are written tokens, columns are characters of the text. The largest weight of each row:";
    for (int t = 0; t < rows_; ++t) {
      const int i = argmax(alpha().row(t));
      const int position = picture_.source.positions()[i];
      text += (t ? "; " : " ") + visible_token(picture_.decoded.tokens[t]) + " has " + fixed(alpha().row(t)[i], 2) +
              " on " + visible(characters_[position]) + " at " + std::to_string(position + 1);
    }
    return text + ".";
  }

  std::string caption_text() const {
    return label("head", 8, 24, quoted_text() + " \u2192 " + output()) +
           label("small", 8, 44,
                 "Attention of " + escaped(picture_.model) + "; log_prob " + fixed(picture_.decoded.log_prob, 6) +
                     " nats");
  }

  double column_middle(int column) const { return row_label + (column + 0.5) * cell_width_; }
  double row_middle(int t) const { return top_ + (t + 0.5) * cell_height_; }

  std::string column_labels() const {
    std::vector<bool> known(characters_.size());
    for (const int position : picture_.source.positions()) known[position] = true;
    std::string text;
    for (int i = 0; i < columns_; ++i) {
      const double x = column_middle(i);
      const bool space = is_space(characters_[i]);
      text += label("step", x, top_ - 29, std::to_string(i + 1));
      text += label(!known[i] ? "column off" : space ? "column space" : "column", x, top_ - 9, visible(characters_[i]));
      if (!known[i]) text += wave(x, top_ - 4);
    }
    return text;
  }
  // The line under a letter that the model does not know.
  static std::string wave(double x, double y) {
    return "<path class=\"off\" d=\"M" + px(x - 8) + " " + px(y) + "q2-4 4 0t4 0t4 0t4 0\"/>";
  }

  std::string row_labels() const {
    std::string text = label("step", row_label + columns_ * cell_width_ + 32, top_ - 9, "p");
    const std::vector<int32_t>& tokens = picture_.decoded.tokens;
    const std::vector<float>& log_probs = picture_.decoded.log_probs;
    const size_t V = log_probs.size() / tokens.size();
    for (int t = 0; t < rows_; ++t) {
      const std::string token = visible_token(tokens[t]);
      const double y = row_middle(t);
      text += label("step of-row", 6, y + 4, std::to_string(t + 1));
      const char* kind = token.size() > 3 ? "row control" : token == space_glyph ? "row space" : "row";
      text += label(kind, row_label - 10, y + 5, token);
      text += label("small p", row_label + columns_ * cell_width_ + 52, y + 4,
                    fixed(std::exp(log_probs[t * V + tokens[t]]), 3));
    }
    return text;
  }

  std::string cells() const {
    std::string text = "<rect class=\"grid\" x=\"" + px(row_label - 0.5) + "\" y=\"" + px(top_ - 0.5) + "\" width=\"" +
                       px(columns_ * cell_width_ + 1) + "\" height=\"" + px(rows_ * cell_height_ + 1) + "\"/>";
    for (int t = 0; t < rows_; ++t)
      for (int i = 0; i < alpha().S; ++i)
        if (const float weight = alpha().row(t)[i]; weight >= visible_from)
          text += cell(t, picture_.source.positions()[i], weight);
    return text;
  }
  std::string cell(int t, int column, float weight) const {
    const Colour light = ramp_colour(weight, true), dark = ramp_colour(weight, false);
    std::string text = "<rect class=\"w\" x=\"" + px(row_label + column * cell_width_) + "\" y=\"" +
                       px(top_ + t * cell_height_) + "\" width=\"" + px(cell_width_ - 1) + "\" height=\"" +
                       px(cell_height_ - 1) + "\" " + fill(light, dark) + "/>";
    if (weight < printed_from) return text;
    return text + "<text class=\"w weight\" x=\"" + px(column_middle(column) - 0.5) + "\" y=\"" + px(row_middle(t) + 4) +
           "\" " + fill(ink_on(light), ink_on(dark)) + ">" + fixed(weight, 2) + "</text>";
  }

  std::string legend_text() const {
    const double y = top_ + rows_ * cell_height_ + 14;
    std::string text = label("small", row_label, y + 11, "0");
    for (int k = 0; k <= 10; ++k) {
      const float weight = static_cast<float>(k) / 10;
      text += "<rect class=\"w\" x=\"" + px(row_label + 12 + 12 * k) + "\" y=\"" + px(y) +
              "\" width=\"12\" height=\"14\" " + fill(ramp_colour(weight, true), ramp_colour(weight, false)) + "/>";
    }
    text += label("small", row_label + 150, y + 11, "1  alpha, the share of each row\u2019s reading");
    if (picture_.source.unknown().empty()) return text;
    return text + wave(row_label + 8, y + 29) +
           label("small", row_label + 22, y + 32, "a character that the model does not know, and skips");
  }

  const Alpha& alpha() const { return picture_.decoded.alpha; }

  const MapPicture& picture_;
  std::string id_;
  std::vector<char32_t> characters_;
  int top_;
  bool captioned_;
  int columns_ = 0, rows_ = 0, cell_width_ = 0, cell_height_ = 0, width_ = 0, height_ = 0;
};

}  // namespace

const std::string_view heat_map_style = R"(.map text{font-family:"JetBrains Mono","SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;text-anchor:middle;font-variant-ligatures:none;}.map text:where(:not(.weight)){fill:var(--ink)}
.map .step{font-size:10px;fill:var(--muted)}.map .of-row,.map .head,.map .small{text-anchor:start}.map .head{font-size:17px;font-weight:600}.map .small{font-size:12px;fill:var(--muted)}.map .p{text-anchor:end}
.map .column,.map .row{font-size:16px;font-weight:600}.map .column{fill:var(--source)}.map .row{fill:var(--target);text-anchor:end}.map .space{font-weight:400;opacity:.8}.map .control{font-size:12px}.map text.off{fill:var(--error)}.map path.off{fill:none;stroke:var(--error);stroke-width:1.5}
.map .grid{fill:none;stroke:var(--line)}.map text.weight{font-size:11px}
@media screen and (prefers-color-scheme:dark){.map rect.w,.map text.weight{fill:var(--d)}}
)";

std::string heat_map_svg(const MapPicture& picture, const std::string& id) {
  return Drawing(picture, id, false).svg("", "");
}

const std::string_view heat_map_file_start = "<svg data-from=\"softalign decode\" ";

std::string heat_map_file(const MapPicture& picture) {
  const std::string start(heat_map_file_start.substr(5));
  return Drawing(picture, "map", true)
      .svg(start + "xmlns=\"http://www.w3.org/2000/svg\" ",
           "<style>" + std::string(colour_roles) + std::string(heat_map_style) +
               "</style><rect width=\"100%\" height=\"100%\" fill=\"#faf8f4\" style=\"fill:var(--paper)\"/>");
}

}  // namespace softalign
