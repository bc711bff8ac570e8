// The whole model on a backend against the plain reference, and what must hold of any sequence-to-sequence model; run by
// eigen_model_test.cpp and torch_model_test.cpp for every score, ordering and encoder.
#pragma once
#include <gtest/gtest.h>

#include "model_configs.h"
#include "reference.h"
#include "shared/decoding/greedy.h"

namespace softalign {

template <class Lab>
class Model : public ::testing::Test {
 protected:
  using B = typename Lab::B;

  // A model with its weights and a workspace, ready to run.
  struct Ready {
    explicit Ready(const Config& c, PlainParameters plain) : config(c), params(lab.parameters(c, std::move(plain))) {
      lab.reserve(config, {.B = 3, .S = 16, .T = 12}, workspace);
    }
    Lab lab;
    Config config;
    Parameters<B> params;
    Workspace<B> workspace;
  };
  struct Run {
    std::vector<float> z, alpha;
  };
  // Teacher forcing over B padded sources: src (B,S), tgt_in (B,T).
  static Run forward(Ready& m, const std::vector<int32_t>& src, const std::vector<int32_t>& lengths,
                     const std::vector<int32_t>& tgt_in) {
    const int rows = static_cast<int>(lengths.size()), S = static_cast<int>(src.size()) / rows;
    auto& backend = m.lab.backend;
    const SourceBatch<B> source{backend.ids(src, rows, S), m.lab.lengths(lengths, S)};
    Step<B>& step = m.workspace.steps[0];
    const auto ids = backend.ids(tgt_in, rows, static_cast<int>(tgt_in.size()) / rows);
    if (m.config.attends())
      softalign::forward(backend, m.config, m.params, source, ids, m.workspace.memory, step);
    else
      forward_plain(backend, m.config, m.params, source, ids, m.workspace.memory, step);
    Run run;
    const auto z = backend.to_host(step.z);
    run.z.assign(z.begin(), z.end());
    if (!m.config.attends()) return run;
    const auto alpha = backend.to_host(step.alpha);
    run.alpha.assign(alpha.begin(), alpha.end());
    return run;
  }
  static Ready ready(const Config& config, uint64_t seed = 3) { return Ready(config, random_weights(config, seed)); }

  const std::vector<int32_t> src_{4, 1, 8, 2, 2, 7};
  const std::vector<int32_t> tgt_in_{bos, 3, 6, 4};
};
TYPED_TEST_SUITE_P(Model);

TYPED_TEST_P(Model, EqualsTheReference) {
  for (const Config& c : every_config()) {
    auto model = this->ready(c);
    const auto expected = reference::forward(model.config, random_weights(model.config, 3), this->src_, this->tgt_in_);
    const auto run = this->forward(model, this->src_, {6}, this->tgt_in_);
    ASSERT_EQ(run.z.size(), 4u * 7);
    for (int t = 0; t < 4; ++t) {
      for (int v = 0; v < 7; ++v) EXPECT_NEAR(run.z[t * 7 + v], expected.z[t][v], 2e-6) << name(c) << " " << t;
      for (int i = 0; model.config.attends() && i < 6; ++i)
        EXPECT_NEAR(run.alpha[t * 6 + i], expected.alpha[t][i], 1e-6) << name(c) << " " << t;
    }
  }
}

// L21: what stands behind a source's end, and beside it in its batch, changes nothing and gets no weight.
TYPED_TEST_P(Model, PaddingChangesNothing) {
  for (const Config& c : every_config()) {
    auto model = this->ready(c);
    const auto alone = this->forward(model, this->src_, {6}, this->tgt_in_);
    std::vector<int32_t> src, tgt_in;
    for (int row = 0; row < 3; ++row) {
      src.insert(src.end(), this->src_.begin(), this->src_.end());
      src.insert(src.end(), 10, pad);
      tgt_in.insert(tgt_in.end(), this->tgt_in_.begin(), this->tgt_in_.end());
    }
    const auto padded = this->forward(model, src, {6, 16, 1}, tgt_in);
    for (size_t i = 0; i < alone.z.size(); ++i) EXPECT_NEAR(padded.z[i], alone.z[i], 1e-6) << name(c);
    if (!model.config.attends()) continue;
    for (int t = 0; t < 4; ++t)
      for (int i = 0; i < 16; ++i) {
        if (i < 6)
          EXPECT_NEAR(padded.alpha[t * 16 + i], alone.alpha[t * 6 + i], 1e-6);
        else
          EXPECT_EQ(padded.alpha[t * 16 + i], 0.0f);
        EXPECT_EQ(padded.alpha[(8 + t) * 16 + i], i == 0 ? 1.0f : 0.0f);  // a single character gets everything
      }
  }
}

// A step of decoding is the T = 1 case of a sequence.
TYPED_TEST_P(Model, StepsEqualTheSequence) {
  for (const Config& c : every_config()) {
    auto model = this->ready(c);
    auto& [lab, config, params, workspace] = model;
    const auto whole = this->forward(model, this->src_, {6}, this->tgt_in_);
    const std::vector<int32_t> counts{6};
    encode(lab.backend, config, params, {lab.backend.ids(this->src_, 1, 6), lab.lengths(counts, 6)}, workspace.memory);
    const auto* state = &workspace.memory.s_0;
    for (int t = 0; t < 4; ++t) {
      auto& step = workspace.steps[t % 2];
      const std::vector<int32_t> token{this->tgt_in_[t]};
      decode(lab.backend, config, params, workspace.memory, lab.backend.ids(token, 1, 1), *state, step);
      state = &step.s_T;
      const auto z = lab.backend.to_host(step.z);
      for (int v = 0; v < 7; ++v) EXPECT_NEAR(z[v], whole.z[t * 7 + v], 1e-6) << name(c) << " step " << t;
    }
  }
}

// L17: the logits of step t see y_1..y_{t-1} only.
TYPED_TEST_P(Model, LaterTargetsChangeNoEarlierLogit) {
  for (const Config& c : every_config()) {
    auto model = this->ready(c);
    const auto before = this->forward(model, this->src_, {6}, this->tgt_in_);
    auto changed = this->tgt_in_;
    changed[2] = 5;
    const auto after = this->forward(model, this->src_, {6}, changed);
    EXPECT_TRUE(std::equal(before.z.begin(), before.z.begin() + 2 * 7, after.z.begin())) << name(c);
    EXPECT_FALSE(std::equal(before.z.begin() + 2 * 7, before.z.begin() + 3 * 7, after.z.begin() + 2 * 7)) << name(c);
  }
}

// L19: the scores come from the encoder states themselves. Replacing h_3 changes its score alone; permuting the states
// permutes the weights and leaves the context as it is.
TYPED_TEST_P(Model, AttentionReadsTheEncoderStates) {
  for (const Config& c : every_config()) {
    if (!c.attends()) continue;
    auto model = this->ready(c);
    auto& [lab, config, params, workspace] = model;
    const int S = 4, d_h = config.d_h, d_enc = config.d_enc();
    const std::vector<int32_t> counts{S};
    Random random(11);
    auto draw = [&](int n) {
      std::vector<float> values(n);
      for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
      return values;
    };
    const auto s = draw(d_h);
    // Older clangs capture no structured bindings by themselves.
    auto attended = [&, &lab = lab, &config = config, &params = params, &workspace = workspace](
                        const std::vector<float>& h) {
      auto& memory = workspace.memory;
      auto& step = workspace.steps[0];
      memory.h = lab.tensor(h, 1, S, d_enc);
      memory.lengths = lab.lengths(counts, S);
      const auto query = lab.tensor(s, 1, 1, d_h);
      prepare_keys(lab.backend, config, params, memory);
      attend(lab.backend, config, params, memory, query, step);
      std::vector<std::vector<float>> found;
      for (auto* tensor : {&step.score, &step.alpha, &step.h_bar}) {
        const auto host = lab.backend.to_host(*tensor);
        found.emplace_back(host.begin(), host.end());
      }
      return found;
    };
    const auto h = draw(S * d_enc);
    const auto original = attended(h);

    auto replaced_h = h;
    const auto other = draw(d_enc);
    std::copy(other.begin(), other.end(), replaced_h.begin() + 2 * d_enc);
    const auto replaced = attended(replaced_h);
    for (int i = 0; i < S; ++i) {
      if (i == 2)
        EXPECT_GT(std::abs(replaced[0][i] - original[0][i]), 1e-3) << name(c);
      else
        EXPECT_NEAR(replaced[0][i], original[0][i], 1e-6) << name(c);
    }

    const int order[S] = {2, 0, 3, 1};
    std::vector<float> permuted_h;
    for (int from : order) permuted_h.insert(permuted_h.end(), h.begin() + from * d_enc, h.begin() + (from + 1) * d_enc);
    const auto permuted = attended(permuted_h);
    for (int i = 0; i < S; ++i) EXPECT_NEAR(permuted[1][i], original[1][order[i]], 1e-6) << name(c);
    for (int d = 0; d < d_enc; ++d) EXPECT_NEAR(permuted[2][d], original[2][d], 1e-6) << name(c);
  }
}

// With W_a = I the general score is the dot score, bit by bit.
TYPED_TEST_P(Model, GeneralWithIdentityIsDot) {
  auto dot = this->ready(small_config(Score::dot));
  const Config config = small_config(Score::general);
  auto weights = random_weights(small_config(Score::dot), 3);
  weights.W_a.assign(static_cast<size_t>(config.d_h) * config.d_h, 0);
  for (int i = 0; i < config.d_h; ++i) weights.W_a[static_cast<size_t>(i) * config.d_h + i] = 1;
  typename TestFixture::Ready general(config, std::move(weights));
  const auto a = this->forward(dot, this->src_, {6}, this->tgt_in_), b = this->forward(general, this->src_, {6}, this->tgt_in_);
  EXPECT_EQ(a.alpha, b.alpha);
  EXPECT_EQ(a.z, b.z);
}

TYPED_TEST_P(Model, GreedyDecodingFeedsItsOwnTokensBack) {
  for (const Config& c : every_config()) {
    auto model = this->ready(c, 5);
    auto& [lab, config, params, workspace] = model;
    const std::vector<int32_t> counts{6};
    const SourceBatch<typename TestFixture::B> source{lab.backend.ids(this->src_, 1, 6), lab.lengths(counts, 6)};
    const Decoded decoded = greedy_decode(lab.backend, config, params, source, 6, 12, workspace);
    ASSERT_GE(decoded.tokens.size(), 1u);
    ASSERT_EQ(decoded.z.size(), decoded.tokens.size() * 7);
    std::vector<int32_t> tgt_in{bos};
    tgt_in.insert(tgt_in.end(), decoded.tokens.begin(), decoded.tokens.end() - 1);
    const auto run = this->forward(model, this->src_, {6}, tgt_in);
    double log_prob = 0;
    for (size_t t = 0; t < decoded.tokens.size(); ++t) {
      const std::span<const float> row(run.z.data() + t * 7, 7);
      EXPECT_EQ(decoded.tokens[t], argmax(row)) << name(c);
      EXPECT_EQ(decoded.tokens[t] == eos, decoded.finished && t + 1 == decoded.tokens.size());
      double sum = 0;
      for (float z : row) sum += std::exp(static_cast<double>(z));
      log_prob += row[decoded.tokens[t]] - std::log(sum);
    }
    EXPECT_NEAR(decoded.log_prob, log_prob, 1e-5) << name(c);
  }
}

// The teacher-forced loss of an untrained model is near ln 15 = 2.708 nats a token.
TYPED_TEST_P(Model, UntrainedLossIsNearUniform) {
  for (const Config& c : every_config()) {
    const Config config{.score = c.score, .ordering = c.ordering, .encoder = c.encoder};
    double sum = 0;
    constexpr int seeds = 8;
    for (int seed = 0; seed < seeds; ++seed) {
      typename TestFixture::Ready model(config, random_weights(config, seed));
      auto& [lab, of_lab, params, workspace] = model;
      const std::vector<int32_t> src{6, 1, 18, 23, 38, 25, 31}, counts{7};
      std::vector<int32_t> tgt_out = target_ids("2021-03-03"), tgt_in{bos};
      tgt_in.insert(tgt_in.end(), tgt_out.begin(), tgt_out.end());
      tgt_out.push_back(eos);
      lab.reserve(config, {.B = 1, .S = 7, .T = 11}, workspace);
      auto& step = workspace.steps[0];
      softalign::forward(lab.backend, config, params, {lab.backend.ids(src, 1, 7), lab.lengths(counts, 7)},
                         lab.backend.ids(tgt_in, 1, 11), workspace.memory, step);
      auto loss = lab.empty(1);
      seq2seq_loss(lab.backend, loss, step.z, lab.backend.ids(tgt_out, 1, 11));
      sum += lab.backend.to_host(loss)[0];
    }
    EXPECT_NEAR(sum / seeds, 2.708, 0.15) << name(c);
  }
}

REGISTER_TYPED_TEST_SUITE_P(Model, EqualsTheReference, PaddingChangesNothing, StepsEqualTheSequence,
                            LaterTargetsChangeNoEarlierLogit, AttentionReadsTheEncoderStates, GeneralWithIdentityIsDot,
                            GreedyDecodingFeedsItsOwnTokensBack, UntrainedLossIsNearUniform);

}  // namespace softalign
