// The operations on Eigen: the suite that every backend passes, and the kernels behind it.
#include "eigen_lab.h"
#include "ops_suite.h"

namespace softalign {
INSTANTIATE_TYPED_TEST_SUITE_P(Eigen, Ops, EigenLab);
namespace {

TEST(Kernels, ExpLogSigmoidAreAccurate) {
  for (double x = -86; x < 88; x += 0.0137) {
    const auto value = static_cast<float>(x);
    const double exact = std::exp(static_cast<double>(value));
    EXPECT_NEAR(exp_float(value) / exact, 1, 2e-7) << x;
  }
  for (double x = 1e-3; x < 1e3; x *= 1.0003) {
    const auto value = static_cast<float>(x);
    EXPECT_NEAR(log_float(value), std::log(static_cast<double>(value)), 4e-7 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
  for (float x : {0.0f, 0.5f, -3.0f, 44.0f, -44.0f, 100.0f, -100.0f, 1e4f, -1e4f}) {  // L26
    const float found = sigmoid_float(x);
    EXPECT_TRUE(std::isfinite(found));
    EXPECT_NEAR(found, 1 / (1 + std::exp(-static_cast<double>(x))), 2e-7) << x;
  }
  EXPECT_TRUE(std::isnan(exp_float(NAN)));
}

// Sizes that fill blocks and sizes that do not.
TEST(Kernels, PackedProductAndDotEqualPlainLoops) {
  Random random(1);
  for (auto [rows, cols] : {std::pair{1, 1}, {15, 128}, {32, 32}, {33, 31}, {384, 128}, {5, 70}}) {
    std::vector<float> W(static_cast<size_t>(rows) * cols), x(cols), y(rows);
    for (float& w : W) w = static_cast<float>(random.uniform(-1, 1));
    for (float& v : x) v = static_cast<float>(random.uniform(-1, 1));
    PackedMatrix packed;
    ASSERT_TRUE(packed.pack(W.data(), rows, cols));
    packed.multiply(y.data(), x.data(), nullptr);
    std::vector<float> products(rows);
    dots(products.data(), x.data(), W.data(), rows, cols);
    for (int row = 0; row < rows; ++row) {
      double sum = 0;
      for (int col = 0; col < cols; ++col) sum += static_cast<double>(W[static_cast<size_t>(row) * cols + col]) * x[col];
      EXPECT_NEAR(y[row], sum, 1e-5);
      EXPECT_NEAR(products[row], sum, 1e-5);
    }
  }
}

std::vector<float> drawn(int n, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.uniform(-3, 3));
  return values;
}

// Bit by bit what one number at a time gives, in blocks that are filled, overlap, or are too short for lanes.
TEST(Kernels, LanesGiveTheBitsOfSingleNumbers) {
  for (int n : {1, 12, 15, 16, 17, 35, 128}) {
    const auto x = drawn(n, 1), h = drawn(n, 2), x_gates = drawn(3 * n, 3), h_gates = drawn(3 * n, 4);
    std::vector<float> out(n), expected(n);
    tanh(out.data(), x.data(), n);
    for (int j = 0; j < n; ++j) expected[j] = tanh_float(x[j]);
    EXPECT_EQ(out, expected) << n;

    float sum = 0;
    for (int j = 0; j < n; ++j) sum += expected[j] = exp_float(x[j] - 3.0f);
    EXPECT_EQ(exponentials(out.data(), x.data(), 3.0f, n), sum) << n;
    EXPECT_EQ(out, expected) << n;

    gru_cell(out.data(), h.data(), x_gates.data(), h_gates.data(), n);
    for (int j = 0; j < n; ++j) {
      const float r = sigmoid_float(x_gates[j] + h_gates[j]), z = sigmoid_float(x_gates[n + j] + h_gates[n + j]);
      const float new_h = tanh_float(x_gates[2 * n + j] + r * h_gates[2 * n + j]);
      expected[j] = (1.0f - z) * new_h + z * h[j];
    }
    EXPECT_EQ(out, expected) << n;
  }
}

// Sums go in the order of their terms, whatever the sizes: columns of a product, rows of a weighted sum.
TEST(Kernels, SumsKeepTheirOrder) {
  for (auto [rows, cols] : {std::pair{1, 1}, {15, 128}, {16, 7}, {40, 12}, {384, 128}}) {
    const auto W = drawn(rows * cols, 5), x = drawn(cols, 6), bias = drawn(rows, 7), alpha = drawn(rows, 8);
    std::vector<float> y(rows), product(rows), h_bar(cols), sums(cols);
    PackedMatrix packed;
    ASSERT_TRUE(packed.pack(W.data(), rows, cols));
    packed.multiply(y.data(), x.data(), bias.data());
    weighted_sum(h_bar.data(), alpha.data(), W.data(), rows, cols);
    for (int row = 0; row < rows; ++row)
      for (int col = 0; col < cols; ++col) {
        const float w = W[static_cast<size_t>(row) * cols + col];
        product[row] += w * x[col];
        sums[col] += alpha[row] * w;
      }
    for (int row = 0; row < rows; ++row) EXPECT_EQ(y[row], product[row] + bias[row]) << rows << 'x' << cols;
    EXPECT_EQ(h_bar, sums) << rows << 'x' << cols;
  }
}

// A score does not depend on how many positions stand beside it.
TEST(Kernels, DotsOfManyRowsAreThoseOfEachAlone) {
  for (int n : {3, 4, 12, 16, 37, 128}) {
    const auto q = drawn(n, 9), k = drawn(5 * n, 10);
    std::vector<float> together(5);
    dots(together.data(), q.data(), k.data(), 5, n);
    for (int i = 0; i < 5; ++i) {
      float alone = 0;
      dots(&alone, q.data(), &k[static_cast<size_t>(i) * n], 1, n);
      EXPECT_EQ(together[i], alone) << n;
    }
  }
}

// One memory of batch 1 serves all rows of a larger batch.
TEST(Kernels, MemoryOfBatchOneServesEveryRow) {
  EigenLab lab;
  auto score = lab.empty(4), alpha = lab.empty(4), h_bar = lab.empty(4);
  const auto h = lab.tensor({1, 0, 0, 1}, 1, 2, 2);
  const std::vector<int32_t> counts{2};
  lab.backend.dot_score(score, lab.tensor({1, 0, 0, 3}, 2, 1, 2), h);
  masked_attention(lab.backend, alpha, h_bar, score, h, lab.lengths(counts, 2));
  EXPECT_NEAR(alpha.row(0, 0)[0], 1 / (1 + std::exp(-1.0)), 1e-6);
  EXPECT_NEAR(alpha.row(1, 0)[1], 1 / (1 + std::exp(-3.0)), 1e-6);
  EXPECT_NEAR(h_bar.row(1, 0)[1], alpha.row(1, 0)[1], 1e-6);
}

// Scores far below the largest weigh exactly nothing, so that no product with their state is subnormal.
TEST(Kernels, FarScoresWeighExactlyNothing) {
  std::vector<float> score, terms(100), alpha(100);
  for (int i = 0; i < 100; ++i) score.push_back(50.0f - static_cast<float>(i));
  exponentials(terms.data(), score.data(), 50, 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(terms[i], i < 64 ? exp_float(static_cast<float>(-i)) : 0.0f) << i;
  masked_softmax(alpha.data(), score.data(), 100, 100);
  EXPECT_GT(alpha[63], 0);
  EXPECT_EQ(alpha[64], 0);
}

// L22: no score at all, not even one to look at in memory.
TEST(Kernels, SoftmaxOverNoPositionReadsNoScore) {
  masked_softmax(nullptr, nullptr, 0, 0);
  std::vector<float> alpha{7, 7};
  masked_softmax(alpha.data(), nullptr, 0, 2);
  EXPECT_EQ(alpha, (std::vector<float>{0, 0}));
}

TEST(Kernels, BufferRefusesWhatNoMachineHas) {
  Buffer buffer;
  EXPECT_FALSE(buffer.reserve(SIZE_MAX / 2));
  EXPECT_FALSE(buffer.reserve(SIZE_MAX));
  EXPECT_TRUE(buffer.reserve(100));
  EXPECT_GE(buffer.capacity(), 100u);
}

}  // namespace
}  // namespace softalign
