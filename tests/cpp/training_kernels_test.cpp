// The hand-written gradients of the GRU and of the additive score against the reference in double and its differences.
#include <gtest/gtest.h>

#include "reference.h"
#include "shared/eigen/additive_training.h"
#include "shared/eigen/gru_training.h"
#include "shared/task/random.h"

namespace softalign {
namespace {

std::vector<float> draw(Random& random, size_t n) {
  std::vector<float> values(n);
  for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
  return values;
}

// Three sequences of lengths 2, 4 and 3 over 6 tokens, 5 states; the loss is a random weighting of all h and h_last.
struct GruCase {
  static constexpr int B = 3, T = 4, V = 6, d_h = 5, gates = 3 * d_h;
  const std::vector<int32_t> lengths{2, 4, 3};
  const std::vector<int32_t> ids{1, 2, 0, 0, 3, 4, 5, 1, 2, 2, 5, 0};
  std::vector<float> table, W_hh, b_hh, h_0, weight_h, weight_last;

  explicit GruCase(uint64_t seed) {
    Random random(seed);
    table = draw(random, V * gates), W_hh = draw(random, gates * d_h), b_hh = draw(random, gates);
    h_0 = draw(random, B * d_h), weight_h = draw(random, B * T * d_h), weight_last = draw(random, B * d_h);
  }

  // States by the equations, one row at a time: with W_ih = 1 and b_ih = 0 the table row is the input's product itself.
  std::vector<reference::Vector> states(int b) const {
    GruWeights<PlainStorage> w{{}, W_hh, std::vector<float>(gates), b_hh, {}};
    w.weight_ih.assign(gates * gates, 0);
    for (int g = 0; g < gates; ++g) w.weight_ih[g * gates + g] = 1;
    reference::Vector state(h_0.begin() + b * d_h, h_0.begin() + (b + 1) * d_h);
    std::vector<reference::Vector> all;
    for (int t = 0; t < lengths[b]; ++t)
      all.push_back(state = reference::gru_step(w, reference::embedding(table, ids[b * T + t], gates), state));
    return all;
  }
  double loss() const {
    double sum = 0;
    for (int b = 0; b < B; ++b) {
      const auto h = states(b);
      for (int j = 0; j < d_h; ++j) {
        for (int t = 0; t < lengths[b]; ++t) sum += weight_h[(b * T + t) * d_h + j] * h[t][j];
        sum += weight_last[b * d_h + j] * h.back()[j];
      }
    }
    return sum;
  }
};

// The derivative of `loss` by every number of `values`, which loss() reads.
template <class Loss>
std::vector<double> differences(std::vector<float>& values, Loss&& loss) {
  std::vector<double> found;
  for (float& value : values) {
    const float kept = value, up = kept + 1e-3f, down = kept - 1e-3f;
    value = up;
    const double above = loss();
    value = down;
    found.push_back((above - loss()) / (static_cast<double>(up) - down));
    value = kept;
  }
  return found;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected, const char* what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4) << what << " " << i;
}

TEST(GruTraining, StatesEqualTheEquations) {
  const GruCase c(3);
  GruTrace trace;
  ASSERT_TRUE(trace.lay_out(c.B, c.T, c.d_h, c.lengths.data()));
  EXPECT_EQ(trace.packed_rows(), 2 + 4 + 3);
  std::vector<float> h(c.B * c.T * c.d_h, 9), h_last(c.B * c.d_h, 9);
  gru_forward(EigenProduct{}, trace, h.data(), h_last.data(), c.ids.data(), c.table.data(), c.h_0.data(), c.W_hh.data(),
              c.b_hh.data());
  for (int b = 0; b < c.B; ++b) {
    const auto expected = c.states(b);
    for (int j = 0; j < c.d_h; ++j) {
      for (int t = 0; t < c.T; ++t)
        EXPECT_NEAR(h[(b * c.T + t) * c.d_h + j], t < c.lengths[b] ? expected[t][j] : 0, 1e-6) << b << t << j;
      EXPECT_NEAR(h_last[b * c.d_h + j], expected.back()[j], 1e-6) << b << j;
    }
  }
}

TEST(GruTraining, GradientEqualsTheDifferencesOfTheLoss) {
  GruCase c(4);
  GruTrace trace;
  ASSERT_TRUE(trace.lay_out(c.B, c.T, c.d_h, c.lengths.data()));
  std::vector<float> h(c.B * c.T * c.d_h), h_last(c.B * c.d_h);
  gru_forward(EigenProduct{}, trace, h.data(), h_last.data(), c.ids.data(), c.table.data(), c.h_0.data(), c.W_hh.data(),
              c.b_hh.data());
  std::vector<float> grad_table(c.V * c.gates), grad_W_hh(c.gates * c.d_h), grad_b_hh(c.gates), grad_h_0(c.B * c.d_h, 9);
  auto grad_h = c.weight_h;
  for (int b = 0; b < c.B; ++b)  // what lies behind an end must not be read
    std::fill(grad_h.begin() + (b * c.T + c.lengths[b]) * c.d_h, grad_h.begin() + (b + 1) * c.T * c.d_h, NAN);
  gru_backward(EigenProduct{}, trace, grad_table.data(), grad_W_hh.data(), grad_b_hh.data(), grad_h_0.data(), grad_h.data(),
               c.weight_last.data(), c.ids.data(), c.W_hh.data());
  const auto loss = [&] { return c.loss(); };
  expect_near(grad_table, differences(c.table, loss), "table");
  expect_near(grad_W_hh, differences(c.W_hh, loss), "W_hh");
  expect_near(grad_b_hh, differences(c.b_hh, loss), "b_hh");
  expect_near(grad_h_0, differences(c.h_0, loss), "h_0");
}

TEST(AdditiveTraining, ScoreAndGradientEqualTheEquation) {
  const AdditiveShape shape{.B = 2, .T = 3, .S = 4, .d = 6};
  Random random(5);
  auto q = draw(random, 2 * 3 * 6), k = draw(random, 2 * 4 * 6), u = draw(random, 6), weight = draw(random, 2 * 3 * 4);
  weight[shape.pair(1, 2, 3)] = 0;  // as on padding
  const auto score = [&](int b, int t, int i) {
    double sum = 0;
    for (int j = 0; j < shape.d; ++j) sum += u[j] * std::tanh(static_cast<double>(q[shape.query(b, t) + j]) + k[shape.key(b, i) + j]);
    return sum;
  };
  const auto loss = [&] {
    double sum = 0;
    for (int b = 0; b < 2; ++b)
      for (int t = 0; t < 3; ++t)
        for (int i = 0; i < 4; ++i) sum += weight[shape.pair(b, t, i)] * score(b, t, i);
    return sum;
  };
  std::vector<float> found(weight.size()), grad_q(q.size()), grad_k(k.size()), grad_u(u.size());
  additive_forward(shape, found.data(), q.data(), k.data(), u.data());
  for (int b = 0; b < 2; ++b)
    for (int t = 0; t < 3; ++t)
      for (int i = 0; i < 4; ++i) EXPECT_NEAR(found[shape.pair(b, t, i)], score(b, t, i), 1e-6) << b << t << i;
  additive_backward(shape, grad_q.data(), grad_k.data(), grad_u.data(), weight.data(), q.data(), k.data(), u.data());
  expect_near(grad_q, differences(q, loss), "q");
  expect_near(grad_k, differences(k, loss), "k");
  expect_near(grad_u, differences(u, loss), "u");
}

}  // namespace
}  // namespace softalign
