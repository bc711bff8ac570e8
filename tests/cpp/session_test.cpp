// The session, which the WebAssembly module offers to JavaScript, as plain C++.
#include "wasm/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace softalign {
namespace {

Session session_with(const std::string& name) {
  std::ifstream file(SOFTALIGN_SOURCE_DIR "/models/" + name + ".safetensors", std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  Session session;
  EXPECT_TRUE(session.load(name, bytes).ok());
  return session;
}

constexpr std::string_view text = "from 3 March 2021 to 2099/12/31";

TEST(Session, InspectionIsTheRowThatDecodeGives) {
  Session session = session_with("dot");
  const Decoded decoded = session.decode("dot", text)->decoded;
  ASSERT_GT(decoded.alpha.T, 11);
  for (int t = decoded.alpha.T - 1; t >= 0; --t) {
    const Inspection step = *session.inspect("dot", text, t);
    const std::span<const float> row = decoded.alpha.row(t);
    EXPECT_EQ(step.alpha, std::vector<float>(row.begin(), row.end())) << t;
    EXPECT_EQ(step.h.size(), static_cast<size_t>(step.S) * step.d_h);
    for (int i = 0; i < step.S; ++i) EXPECT_EQ(step.exponential[i] / step.sum, step.alpha[i]);
  }
}

TEST(Session, InspectionStopsWhereTheAnswerDoes) {
  Session session = session_with("dot");
  const int T = session.decode("dot", text)->decoded.alpha.T;
  EXPECT_TRUE(session.inspect("dot", text, T - 1).ok());
  for (int t : {-1, T, live_max_len_limit, 1 << 30})
    EXPECT_EQ(session.inspect("dot", text, t).error().code, ErrorCode::BAD_VALUE) << t;
}

TEST(Session, ThePlainModelShowsStateAndLogitsOnly) {
  Session session = session_with("plain");
  const Decoded decoded = session.decode("plain", text)->decoded;
  const Inspection step = *session.inspect("plain", text, 3);
  EXPECT_TRUE(step.alpha.empty() && step.score.empty() && step.h_bar.empty() && step.s_tilde.empty());
  EXPECT_EQ(step.s, step.s_t);
  EXPECT_EQ(step.z, std::vector<float>(decoded.z.begin() + 3 * step.V, decoded.z.begin() + 4 * step.V));
  EXPECT_EQ(step.token, decoded.tokens[3]);
  const Edits uniform{.rows = {{0, 1, {}}}};
  EXPECT_EQ(session.intervene("plain", text, uniform).error().code, ErrorCode::BAD_VALUE);
  EXPECT_EQ(session.inspect("plain", text, 0, uniform).error().code, ErrorCode::BAD_VALUE);
}

TEST(Session, AnInterventionWithoutEditsIsADecoding) {
  Session session = session_with("dot");
  const Answer decoded = *session.decode("dot", text), same = *session.intervene("dot", text, {});
  EXPECT_EQ(same.decoded.z, decoded.decoded.z);
  EXPECT_EQ(same.decoded.alpha_read.S, 0);
  const Edits edits{.rows = {{2, 2, {.kind = RowEdit::Kind::none}}}, .prefix = *prefix_ids("19")};
  const Answer edited = *session.intervene("dot", text, edits);
  EXPECT_EQ(output_text(edited.decoded.tokens).substr(0, 2), "19");
  EXPECT_EQ(edited.decoded.alpha_read.S, edited.decoded.alpha.S);
  const std::vector<float> nothing(edited.decoded.alpha.S, 0.0f);
  const std::span<const float> row = edited.decoded.alpha_read.row(2);
  EXPECT_EQ(std::vector<float>(row.begin(), row.end()), nothing);
  EXPECT_EQ(session.inspect("dot", text, 2, edits)->alpha_read, nothing);
}

TEST(Session, ABeamOfOneIsADecoding) {
  Session session = session_with("dot");
  const Decoded decoded = session.decode("dot", text)->decoded;
  const BeamAnswer one = *session.beam("dot", text, {.B = 1});
  EXPECT_EQ(one.found.best[0].tokens, decoded.tokens);
  EXPECT_EQ(one.found.best[0].log_prob, decoded.log_prob);
  EXPECT_EQ(one.found.tree.size(), decoded.tokens.size() * target_vocabulary_size);
  EXPECT_EQ(session.beam("dot", "", {.B = 1}).error().code, ErrorCode::EMPTY);
  EXPECT_EQ(session.beam("nobody", text, {.B = 1}).error().code, ErrorCode::NO_MODEL);
  EXPECT_EQ(session.beam("dot", text, {.B = 101}).error().code, ErrorCode::BAD_VALUE);
}

TEST(Session, MeasuresSlicesOfTheTestSplitAsTheMetricsDo) {
  Session session = session_with("dot");
  std::vector<std::string> outputs;
  for (int first = 0; first < 2000; first += 250) {
    const auto slice = session.decode_test("dot", first, 250);
    outputs.insert(outputs.end(), slice->begin(), slice->end());
  }
  const Metrics whole = measure(test_split(), outputs, {});
  const Measurement measured = *session.measure(outputs);
  for (int K = 1; K <= 4; ++K) {
    EXPECT_EQ(measured.n[K - 1], 500);
    EXPECT_EQ(measured.exact_match[K - 1], whole.exact_match.at(K));
    EXPECT_EQ(measured.per_date[K - 1], whole.per_date.at(K));
    EXPECT_EQ(measured.well_formed[K - 1], whole.well_formed.at(K));
  }
  EXPECT_GT(measured.exact_match[0], 0.9);
}

TEST(Session, RefusesWhatLiesOutsideTheTestSplit) {
  Session session = session_with("plain");
  EXPECT_EQ(session.decode_test("plain", 2000, 0)->size(), 0u);
  for (const auto& [first, count] : {std::pair{-1, 1}, {0, 2001}, {1999, 2}, {0, -1}, {2147483647, 2147483647}})
    EXPECT_EQ(session.decode_test("plain", first, count).error().code, ErrorCode::BAD_VALUE) << first << ' ' << count;
  EXPECT_EQ(session.decode_test("nobody", 0, 1).error().code, ErrorCode::NO_MODEL);
  EXPECT_EQ(session.measure(std::vector<std::string>(1999)).error().code, ErrorCode::BAD_VALUE);
}

}  // namespace
}  // namespace softalign
