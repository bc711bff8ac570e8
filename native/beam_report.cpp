// Lays out the outputs and the tree of a beam search.
#include "native/beam_report.h"

#include <algorithm>
#include <cstdio>

#include "shared/task/vocabulary.h"

namespace softalign {
namespace {

constexpr int shown_kept = 10, shown_dropped = 3;  // of each step

template <class... Values>
std::string formatted(const char* pattern, Values... values) {
  char text[128];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

std::string visible(int32_t token) {
  const std::string text = token_text(token);
  return text == " " ? "␣" : text;
}

// Two outputs may differ in nothing but a space at the end.
std::string visible_output(std::span<const int32_t> tokens) {
  std::string text;
  for (const char c : output_text(tokens)) text += c == ' ' ? "␣" : std::string(1, c);
  return text;
}

int columns(const std::string& text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A tree's nodes, step by step, as lines.
class TreeText {
 public:
  TreeText(const BeamSearch& found, const TerminalStyle& style) : tree_(found.tree), style_(style) {
    if (!found.best.empty()) best_ = path_to(tree_, found.best[0].node);
  }

  std::string text() const {
    const auto kept = std::count_if(tree_.begin(), tree_.end(), [](const BeamNode& node) { return node.kept; });
    const int steps = tree_.empty() ? 0 : tree_.back().length;
    std::string text = formatted("What the beam tried: %zu candidates in %d step%s, %td of them kept\n", tree_.size(), steps,
                                 steps == 1 ? "" : "s", kept);
    text += wrapped("Each with its value, the log_prob of its tokens; * leads to the best output, + was kept, - was dropped",
                    style_.width, 0) + "\n";
    for (int first = 0, last; first < static_cast<int>(tree_.size()); first = last) {
      for (last = first; last < static_cast<int>(tree_.size()) && tree_[last].length == tree_[first].length;) ++last;
      text += step(first, last);
    }
    return text;
  }

 private:
  // Nodes [first, last): what was kept, then what was dropped, each by value.
  std::string step(int first, int last) const {
    std::vector<int> nodes;
    for (int node = first; node < last; ++node) nodes.push_back(node);
    std::stable_sort(nodes.begin(), nodes.end(), [&](int a, int b) {
      const BeamNode &left = tree_[a], &right = tree_[b];
      if (left.kept != right.kept) return left.kept;
      return left.value != right.value ? left.value > right.value : left.token < right.token;
    });
    const auto kept = std::partition_point(nodes.begin(), nodes.end(), [&](int node) { return tree_[node].kept; });
    std::string text = formatted("\nStep %d: %d candidates, %td kept\n", tree_[first].length, last - first,
                                 kept - nodes.begin());
    text += lines({nodes.begin(), kept}, shown_kept, "kept");
    return text + lines({kept, nodes.end()}, shown_dropped, "dropped");
  }

  std::string lines(std::span<const int> nodes, int most, const char* what) const {
    std::string text;
    int left_out = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const bool leads = on_best(nodes[i]);
      if (static_cast<int>(i) < most || leads)
        text += line(nodes[i], leads);
      else
        ++left_out;
    }
    return left_out ? text + formatted("    and %d more %s\n", left_out, what) : text;
  }

  std::string line(int node, bool leads) const {
    const char* mark = leads ? "*" : tree_[node].kept ? "+" : "-";
    const bool strong = leads && style_.colour, dim = !tree_[node].kept && style_.colour;
    return formatted("%s  %s %12.6f  ", strong ? "\x1b[1m" : dim ? "\x1b[2m" : "", mark, tree_[node].value) +
           spelled(node) + (strong || dim ? "\x1b[0m" : "") + "\n";
  }

  // Its tokens, or as many of the last ones as the width holds.
  std::string spelled(int node) const {
    const int room = std::max(style_.width - 18, 10);
    std::string text;
    for (; node >= 0; node = tree_[node].parent) {
      const std::string longer = visible(tree_[node].token) + text;
      if (columns(longer) > room - 1) return "…" + text;
      text = longer;
    }
    return text;
  }

  bool on_best(int node) const { return std::find(best_.begin(), best_.end(), node) != best_.end(); }

  const std::vector<BeamNode>& tree_;
  const TerminalStyle& style_;
  std::vector<int> best_;  // nodes on the way to the best output
};

}  // namespace

std::string best_outputs(const BeamSearch& found, const BeamSettings& settings) {
  std::string text = formatted("The best of a beam of %d, by %s\n", settings.B,
                               settings.plain_values ? "value" : "value / length");
  std::vector<std::string> outputs;
  int widest = 0;
  for (const Hypothesis& each : found.best) {
    outputs.push_back(visible_output(each.tokens));
    widest = std::max(widest, columns(outputs.back()));
  }
  int place = 0;
  for (const Hypothesis& each : found.best) {
    const std::string& output = outputs[place];
    text += formatted("%4d  ", ++place) + output + std::string(widest - columns(output), ' ') +
            formatted("  log_prob %11.6f / %3zu = %10.6f%s\n", each.log_prob, each.tokens.size(), each.value_per_length,
                      each.finished ? "" : "  unfinished");
  }
  return text;
}

std::string explored_tree(const BeamSearch& found, const TerminalStyle& style) { return TreeText(found, style).text(); }

Json best_json(const BeamSearch& found) {
  Json list = Json::array();
  for (const Hypothesis& each : found.best) {
    Json tokens = Json::array();
    for (const int32_t id : each.tokens) tokens.push_back(token_text(id));
    list.push_back({{"output", output_text(each.tokens)},
                    {"tokens", std::move(tokens)},
                    {"log_prob", each.log_prob},
                    {"length", each.tokens.size()},
                    {"value_per_length", each.value_per_length},
                    {"finished", each.finished},
                    {"node", each.node}});
  }
  return list;
}

Json tree_json(const BeamSearch& found) {
  Json json;
  for (const char* member : {"token", "value", "parent", "length", "kept", "finished"}) json[member] = Json::array();
  for (const BeamNode& node : found.tree) {
    json["token"].push_back(token_text(node.token));
    json["value"].push_back(node.value);
    json["parent"].push_back(node.parent);
    json["length"].push_back(node.length);
    json["kept"].push_back(node.kept);
    json["finished"].push_back(node.finished);
  }
  return json;
}

}  // namespace softalign
