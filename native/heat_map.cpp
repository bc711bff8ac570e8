// Lays the weights out in cells of one, two or three columns and colours them on the page's own ramps.
#include "native/heat_map.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "native/ramp.h"

namespace softalign {
namespace {

constexpr int label_width = 7, p_width = 8;
constexpr float shown_weight = 0.1f;   // smaller ones carry no number
constexpr float hidden_weight = 0.01f;  // and these no colour

// Much the same walk through the 256-colour palette, picked by eye: its nearest entries jump between hues.
constexpr std::array<int, 11> palette_on_dark{234, 235, 237, 94, 94, 136, 136, 178, 178, 221, 222};
constexpr std::array<int, 11> palette_on_light{231, 230, 223, 222, 215, 172, 172, 166, 130, 94, 88};

int palette_index(float weight, bool light) {
  return (light ? palette_on_light : palette_on_dark)[std::min(std::max(std::lround(weight * 10), 0L), 10L)];
}

class Layout {
 public:
  Layout(const Source& source, const Decoded& decoded, const TerminalStyle& style)
      : source_(source), decoded_(decoded), style_(style), S_(decoded.alpha.S) {
    const int room = std::max(style.width - label_width - p_width, 10);
    cell_ = S_ * 3 <= room && style.colour ? 3 : S_ * 2 <= room ? 2 : 1;
    per_block_ = std::min(S_, room / cell_);
  }

  std::string text() const {
    if (S_ == 0) return block(0, 0, true);
    std::string text;
    for (int begin = 0; begin < S_; begin += per_block_) {
      const int end = std::min(begin + per_block_, S_);
      if (S_ > per_block_)
        text += (begin ? "\n" : "") +
                dim("Characters " + std::to_string(begin + 1) + " to " + std::to_string(end)) + "\n";
      text += block(begin, end, end == S_);
    }
    return text + legend();
  }

 private:
  std::string block(int begin, int end, bool last) const {
    std::string text(label_width, ' ');
    for (int i = begin; i < end; ++i)
      text += std::string(cell_ / 2, ' ') + visible(std::string(1, source_.text()[i])) + (cell_ == 3 ? " " : "");
    text += last ? dim("       p") + "\n" : "\n";
    for (int t = 0; t < static_cast<int>(decoded_.tokens.size()); ++t) {
      text += label(decoded_.tokens[t]);
      for (int i = begin; i < end; ++i) text += cell(decoded_.alpha.row(t)[i]);
      text += last ? dim(probability(t)) + "\n" : "\n";
    }
    return text;
  }

  static std::string visible(const std::string& character) { return character == " " ? "␣" : character; }

  static std::string label(int32_t token) {
    const std::string text = token_text(token);
    const int columns = static_cast<int>(text.size());
    return std::string(std::max(label_width - 2 - columns, 0), ' ') + visible(text) + "  ";
  }

  std::string probability(int t) const {
    const int V = static_cast<int>(decoded_.log_probs.size() / decoded_.tokens.size());
    const float log_prob = decoded_.log_probs[static_cast<size_t>(t) * V + decoded_.tokens[t]];
    char text[32];
    std::snprintf(text, sizeof text, "   %.3f", std::exp(log_prob));
    return text;
  }

  // Hundredths in three columns, tenths in fewer; nothing under shown_weight.
  std::string number(float weight) const {
    if (weight < shown_weight) return std::string(cell_, ' ');
    if (cell_ < 3) return std::string(cell_ - 1, ' ') + tenths(weight);
    char text[16];
    std::snprintf(text, sizeof text, "%3ld", std::lround(weight * 100));
    return text;
  }
  static char tenths(float weight) { return static_cast<char>('0' + std::min(static_cast<int>(weight * 10), 9)); }

  std::string cell(float weight) const {
    if (!style_.colour)
      return std::string(cell_ - 1, ' ') + (weight < shown_weight ? '.' : tenths(weight));
    if (weight < hidden_weight) return std::string(cell_, ' ');
    return painted(weight, number(weight));
  }

  std::string painted(float weight, const std::string& text) const {
    const bool light = style_.light_background;
    const Colour ground = ramp_colour(weight, light);
    const bool dark_ink = 299 * ground[0] + 587 * ground[1] + 114 * ground[2] > 120'000;
    std::string code;
    if (style_.truecolour) {
      code = "48;2";
      for (const int channel : ground) code += ";" + std::to_string(channel);
    } else {
      code = "48;5;" + std::to_string(palette_index(weight, light));
    }
    return "\x1b[" + code + ";38;5;" + (dark_ink ? "16" : "231") + "m" + text + "\x1b[0m";
  }
  std::string dim(const std::string& text) const { return style_.colour ? "\x1b[2m" + text + "\x1b[0m" : text; }

  std::string legend() const {
    const std::string p = "; p is the token's probability";
    if (!style_.colour) return "\n" + wrapped("Weights in tenths, a point is below 0.1" + p, style_.width, 0) + "\n";
    std::string ramp;
    for (int i = 1; i <= 20; ++i) ramp += painted(static_cast<float>(i) / 20, " ");
    const std::string margin(label_width, ' ');
    const std::string words = (cell_ == 3 ? "hundredths" : "tenths") + p;
    return "\n" + margin + dim("0 ") + ramp + dim(" 1") +
           (style_.width < 75 ? "\n" + margin + dim(wrapped(words, style_.width - label_width, label_width))
                              : "  " + dim(words)) +
           "\n";
  }

  const Source& source_;
  const Decoded& decoded_;
  const TerminalStyle& style_;
  int S_;
  int cell_ = 1, per_block_ = 1;
};

}  // namespace

std::string heat_map(const Source& source, const Decoded& decoded, const TerminalStyle& style) {
  return decoded.tokens.empty() ? std::string() : Layout(source, decoded, style).text();
}

}  // namespace softalign
