// An intervention on one row of attention weights: what the decoder is made to read with instead of its own alpha_t.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

namespace softalign {

struct RowEdit {
  enum class Kind {
    one_hot,      // all on `position`
    uniform,      // the same on every character of the source
    shift,        // moved `by` positions to the right, or left when negative; what would leave the source stays at its end
    temperature,  // softmax(score / temperature) in place of Eq. 6
    row,          // the weights of `row`, divided by their sum
    none,         // all 0, so that h_bar is 0
  };
  static constexpr int largest = -1;  // the position of the row's own largest weight

  Kind kind = Kind::uniform;
  int position = largest;
  int by = 0;
  float temperature = 1;   // > 0
  std::vector<float> row{};  // at least one above 0, none below; positions behind its end get 0
};

// The edited row of every kind but temperature, which needs the scores: `alpha_read` and `alpha` are rows of S weights, of
// which the first `length` belong to the source; padding keeps weight 0.
inline void edit_row(std::span<float> alpha_read, std::span<const float> alpha, int length, const RowEdit& edit) {
  std::fill(alpha_read.begin(), alpha_read.end(), 0.0f);
  if (length == 0) return;
  switch (edit.kind) {
    case RowEdit::Kind::one_hot: {
      const auto top = std::max_element(alpha.begin(), alpha.begin() + length) - alpha.begin();
      alpha_read[edit.position == RowEdit::largest ? top : std::clamp(edit.position, 0, length - 1)] = 1;
      break;
    }
    case RowEdit::Kind::uniform:
      std::fill_n(alpha_read.begin(), length, 1.0f / static_cast<float>(length));
      break;
    case RowEdit::Kind::shift: {
      const int by = std::clamp(edit.by, -length, length);
      for (int i = 0; i < length; ++i) alpha_read[std::clamp(i + by, 0, length - 1)] += alpha[i];
      break;
    }
    case RowEdit::Kind::row: {
      const int n = std::min(length, static_cast<int>(edit.row.size()));
      float sum = 0;
      for (int i = 0; i < n; ++i) sum += edit.row[i];
      for (int i = 0; i < n && sum > 0; ++i) alpha_read[i] = edit.row[i] / sum;
      break;
    }
    case RowEdit::Kind::temperature:
    case RowEdit::Kind::none:
      break;
  }
}

}  // namespace softalign
