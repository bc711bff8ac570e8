// Scales, axes, curves and labels of the report's charts.
#include "native/report_charts.h"

#include <algorithm>
#include <cmath>

#include "native/markup.h"
#include "shared/io/utf8.h"

namespace softalign {
namespace {

std::string text(const std::string& kind, double x, double y, const std::string& markup) {
  return "<text class=\"" + kind + "\" x=\"" + px(x) + "\" y=\"" + px(y) + "\">" + markup + "</text>";
}
std::string line(const std::string& kind, double x1, double y1, double x2, double y2) {
  return "<path class=\"" + kind + "\" d=\"M" + px(x1) + " " + px(y1) + "L" + px(x2) + " " + px(y2) + "\"/>";
}
std::string svg(const std::string& id, int width, int height, const std::string& title, const std::string& description,
                const std::string& body) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  return "<svg class=\"chart\" role=\"img\" aria-labelledby=\"" + id + "-title " + id + "-desc\" width=\"" + w +
         "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h + "\"><title id=\"" + id + "-title\">" + title +
         "</title><desc id=\"" + id + "-desc\">" + description + "</desc>" + body + "</svg>\n";
}

struct Curve {
  std::string name;
  std::vector<double> step, loss, smooth;
};

// Geometric means of up to 9 neighbours: single batches differ by a factor.
std::vector<double> smoothed(const std::vector<double>& loss) {
  constexpr int reach = 4;
  const int n = static_cast<int>(loss.size());
  std::vector<double> means;
  for (int i = 0; i < n; ++i) {
    const int near = std::min({reach, i, n - 1 - i});  // as many on both sides, so that the ends do not lag
    double sum = 0;
    for (int k = i - near; k <= i + near; ++k) sum += std::log(loss[k]);
    means.push_back(std::exp(sum / (2 * near + 1)));
  }
  return means;
}

// A logarithm needs positive numbers, and a curve needs two.
std::vector<Curve> curves_of(std::span<const ReportModel> models) {
  std::vector<Curve> curves;
  for (const ReportModel& model : models) {
    const Json recorded = model.manifest.is_object() ? model.manifest.value("loss", Json()) : Json();
    if (!recorded.is_object() || !recorded.contains("step") || !recorded.contains("loss")) continue;
    const Json &steps = recorded["step"], &losses = recorded["loss"];
    if (!steps.is_array() || !losses.is_array() || steps.size() != losses.size()) continue;
    Curve curve{model.name, {}, {}, {}};
    for (size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].is_number() || !losses[i].is_number() || !(losses[i] > 0)) continue;
      curve.step.push_back(steps[i]);
      curve.loss.push_back(losses[i]);
    }
    if (curve.step.size() < 2) continue;
    curve.smooth = smoothed(curve.loss);
    curves.push_back(std::move(curve));
  }
  return curves;
}

int length(std::string_view name) {
  int points = 0;
  for (; !name.empty(); ++points) take_code_point(name);
  return points;
}
// A label for a name that may be longer than a chart has room for.
std::string shortened(std::string_view name) {
  constexpr int most = 40;
  if (length(name) <= most) return std::string(name);
  std::string text;
  for (int i = 1; i < most; ++i) append_utf8(text, take_code_point(name));
  return text + "\u2026";
}

// The largest of 1, 2 and 5 times a power of ten that divides `length` into at least `parts`.
double nice_step(double length, int parts) {
  const double most = length / parts, power = std::pow(10, std::floor(std::log10(most)));
  for (const double factor : {5.0, 2.0})
    if (factor * power <= most) return factor * power;
  return power;
}

class LossChart {
 public:
  explicit LossChart(std::vector<Curve> curves) : curves_(std::move(curves)) {
    double low = 1e300, high = 0;
    for (const Curve& curve : curves_) {
      last_ = std::max(last_, curve.step.back());
      low = std::min(low, *std::min_element(curve.loss.begin(), curve.loss.end()));
      high = std::max(high, *std::max_element(curve.loss.begin(), curve.loss.end()));
    }
    low_ = std::floor(std::log10(low)), high_ = std::log10(high) + 0.05;
  }

  std::string svg() const {
    std::string description = "Loss in nats per token over training steps, on a logarithmic axis. At the end:";
    for (size_t c = 0; c < curves_.size(); ++c)
      description += (c ? "; " : " ") + escaped(curves_[c].name) + " " + number(curves_[c].smooth.back());
    int letters = 0;
    for (const Curve& curve : curves_) letters = std::max(letters, length(shortened(curve.name)));
    std::string body = axes();
    for (size_t c = 0; c < curves_.size(); ++c) body += path("raw", c, curves_[c].loss);
    for (size_t c = 0; c < curves_.size(); ++c) body += path("smooth", c, curves_[c].smooth);
    return softalign::svg("loss", right + label_start + letter * letters + 4, height, "Training loss of " + std::to_string(curves_.size()) + " models",
                          description + ".", body + labels());
  }

 private:
  static constexpr int height = 420, left = 84, plot = 606, right = left + plot, top = 14, bottom = 46;
  static constexpr int label_height = 17, label_start = 48, letter = 8;

  double x(double step) const { return left + step / last_ * plot; }
  double y(double loss) const {
    return height - bottom - (std::log10(loss) - low_) / (high_ - low_) * (height - top - bottom);
  }
  static std::string number(double value) {
    const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(value))));
    return fixed(value, digits);
  }
  static std::string series(size_t c) { return " series s" + std::to_string(c % 8) + " d" + std::to_string((c + c / 8) % 4); }

  std::string axes() const {
    std::string marks;
    for (int decade = static_cast<int>(low_); decade <= high_; ++decade)
      for (const double factor : {1.0, 2.0, 5.0}) {
        const double value = factor * std::pow(10, decade);
        if (std::log10(value) > high_) continue;
        marks += line(factor == 1 ? "tick" : "tick faint", left, y(value), right, y(value));
        if (factor == 1) marks += text("left", left - 8, y(value) + 4, fixed(value, std::max(0, -decade)));
      }
    const double step = nice_step(last_, 4);
    for (double at = 0; at <= last_ + 0.5; at += step)
      marks += text("middle", x(at), height - bottom + 18, with_commas(static_cast<size_t>(at))) +
               line("tick", x(at), height - bottom, x(at), height - bottom + 4);
    return marks + text("middle axis", left + plot / 2.0, height - 8, "training step") +
           "<text class=\"middle axis\" transform=\"translate(16 " + px((height - bottom + top) / 2.0) +
           ") rotate(-90)\">loss, nats per token</text>";
  }

  std::string path(const std::string& kind, size_t c, const std::vector<double>& values) const {
    std::string d;
    for (size_t i = 0; i < values.size(); ++i)
      d += (i ? " " : "M") + px(x(curves_[c].step[i])) + " " + px(y(values[i]));
    return "<path class=\"" + kind + series(c) + "\" d=\"" + d + "\"/>";
  }

  // Each beside its curve's end; those that would overlap move apart, and a thin line leads back.
  std::string labels() const {
    std::vector<size_t> order(curves_.size());
    for (size_t c = 0; c < order.size(); ++c) order[c] = c;
    const auto end = [&](size_t c) { return y(curves_[c].smooth.back()); };
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return end(a) < end(b); });
    std::vector<double> at;
    for (const size_t c : order) at.push_back(std::max(end(c), at.empty() ? 0 : at.back() + label_height));
    double floor = height - bottom;
    for (size_t k = at.size(); k-- > 0; floor = at[k] - label_height) at[k] = std::min(at[k], floor);
    std::string marks;
    for (size_t k = 0; k < order.size(); ++k) {
      const size_t c = order[k];
      const double from = x(curves_[c].step.back()), to = right + 18.0;
      marks += line("leader" + series(c), from, end(c), to, at[k]) +
               line("smooth" + series(c), to + 2, at[k], to + 24, at[k]) +
               text("name" + series(c), right + label_start, at[k] + 4, escaped(shortened(curves_[c].name)));
    }
    return marks;
  }

  std::vector<Curve> curves_;
  double last_ = 1, low_ = 0, high_ = 0;
};

}  // namespace

std::string loss_chart(std::span<const ReportModel> models) {
  std::vector<Curve> curves = curves_of(models);
  return curves.empty() ? std::string() : LossChart(std::move(curves)).svg();
}

std::string answers_chart(const ReportModel& model, const std::string& id) {
  constexpr int left = 30, top = 24, room = 96, step = 41, bar = 27, bottom = 22;
  const Metrics& metrics = model.evaluation.metrics;
  const int width = left + step * static_cast<int>(metrics.n.size()) + 6, base = top + room;
  std::string body, told;
  for (const double level : {0.0, 0.5, 1.0})
    body += line(level == 0 ? "base" : "tick faint", left, base - level * room, width, base - level * room) +
            text("left", left - 5, base - level * room + 4, level == 0.5 ? ".5" : fixed(level, 0));
  double x = left + 6;
  for (const auto& [K, share] : metrics.exact_match) {
    const double accuracy = model.evaluation.teacher_forced.token_accuracy.by_K.at(K);
    const double height = share * room, tip = base - height;
    body += "<rect class=\"bar\" x=\"" + px(x) + "\" y=\"" + px(tip) + "\" width=\"" + px(bar) + "\" height=\"" +
            px(height) + "\"/>" + line("forced", x - 3, base - accuracy * room, x + bar + 3, base - accuracy * room);
    // Above the line, where both are near each other.
    const bool near = accuracy > share && (accuracy - share) * room < 16;
    body += text("middle value", x + bar / 2.0, (near ? base - accuracy * room : tip) - 5, fixed(share, 3));
    body += text("middle", x + bar / 2.0, base + 16, "K=" + std::to_string(K));
    told += (told.empty() ? "" : "; ") + ("K = " + std::to_string(K)) + ": " + fixed(share, 3) +
            ", token accuracy given the right tokens " + fixed(accuracy, 3);
    x += step;
  }
  return svg(id, width, base + bottom, "Exact match of " + escaped(model.name) + ", free running", told + ".", body);
}

// Hues that stay apart for the common colour blindnesses, after Okabe and Ito, darker on light; dashes tell the rest.
const std::string_view chart_style = R"(.chart{display:block;max-width:none}.chart text{font-family:"JetBrains Mono","SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px;fill:var(--muted)}
.chart path{fill:none;stroke-linejoin:round}.chart .middle{text-anchor:middle}.chart .left{text-anchor:end}.chart .value{fill:var(--ink);font-size:11.5px}.chart .axis{fill:var(--ink)}
.chart .tick{stroke:var(--line)}.chart .faint{opacity:.55}.chart .base{stroke:var(--edge)}.chart .bar{fill:var(--target);opacity:.78}.chart .forced{stroke:var(--ink);stroke-width:2}
.series{--c:#0060a8}.s1{--c:#a84300}.s2{--c:#00705a}.s3{--c:#8a3a74}.s4{--c:#766000}.s5{--c:#1f73a3}.s6{--c:#1d1a16}.s7{--c:#a3124f}
@media screen and (prefers-color-scheme:dark){.series{--c:#6db6ff}.s1{--c:#ff9d5c}.s2{--c:#4fd6b0}.s3{--c:#e0a0cf}.s4{--c:#f0e442}.s5{--c:#a8dcf5}.s6{--c:#ece7de}.s7{--c:#ff9dbd}}
.chart .raw{stroke:var(--c);stroke-width:.7;opacity:.28}.chart .smooth{stroke:var(--c);stroke-width:2.2}.chart .leader{stroke:var(--c);stroke-width:.8;opacity:.6}.chart .name{fill:var(--c);font-weight:600;font-size:13px}
.chart .smooth.d1{stroke-dasharray:9 3}.chart .smooth.d2{stroke-dasharray:3 2.5}.chart .smooth.d3{stroke-dasharray:10 3 2 3}
)";

}  // namespace softalign
