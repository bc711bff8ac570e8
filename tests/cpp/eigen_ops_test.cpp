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
