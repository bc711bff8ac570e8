// The splits, drawn once a process, and the text by which they are named.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "shared/task/dates.h"

namespace softalign {

inline const std::vector<Example>& the_test_split() {
  static const std::vector<Example> split = test_split();
  return split;
}

inline const std::vector<Example>& the_train_split() {
  static const std::vector<Example> split = train_split();
  return split;
}

// `source TAB target`, joined by LF, without a final LF: what the lab's SHA-256 is taken of.
inline std::string lines_of(std::span<const Example> examples) {
  std::string lines;
  for (const Example& example : examples) {
    if (!lines.empty()) lines += '\n';
    lines += example.source + '\t' + example.target;
  }
  return lines;
}

}  // namespace softalign
