// The session, which the WebAssembly module offers to JavaScript, as plain C++.
#include "wasm/session.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "shared/io/sha256.h"

namespace softalign {
namespace {

std::vector<uint8_t> file_of(const std::string& name) {
  std::ifstream file(SOFTALIGN_SOURCE_DIR "/models/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Session session_with(const std::string& name) {
  Session session;
  EXPECT_TRUE(session.load(name, file_of(name + ".safetensors")).ok());
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
    const TestOutputs slice = *session.decode_test("dot", first, 250);
    for (int i = 0; i < 250; ++i) EXPECT_EQ(slice.right[i], slice.outputs[i] == session.examples()[first + i].target);
    outputs.insert(outputs.end(), slice.outputs.begin(), slice.outputs.end());
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
  EXPECT_EQ(session.decode_test("plain", 2000, 0)->outputs.size(), 0u);
  for (const auto& [first, count] : {std::pair{-1, 1}, {0, 2001}, {1999, 2}, {0, -1}, {2147483647, 2147483647}})
    EXPECT_EQ(session.decode_test("plain", first, count).error().code, ErrorCode::BAD_VALUE) << first << ' ' << count;
  EXPECT_EQ(session.decode_test("nobody", 0, 1).error().code, ErrorCode::NO_MODEL);
  EXPECT_EQ(session.measure(std::vector<std::string>(1999)).error().code, ErrorCode::BAD_VALUE);
}

TEST(Session, AlignsTheTestSplitAsTheMetricsDo) {
  Session session = session_with("dot");
  const std::vector<Example> few(session.examples().begin() + 998, session.examples().begin() + 1002);
  std::vector<int> positions;
  for (const Example& example : few)
    append_positions(session.teacher_force("dot", example.source, example.target)->decoded.alpha, example, positions);
  EXPECT_EQ(*session.align_test("dot", 998, 4), positions);
  EXPECT_EQ(position_count(few), positions.size());

  // Every row at its source's last character: only the last dates, and what stands at the end of them, are hit.
  std::vector<int> last;
  std::vector<Alpha> alphas;
  for (const Example& example : session.examples()) {
    const int T = static_cast<int>(example.target.size()), S = static_cast<int>(example.source.size());
    last.insert(last.end(), T, S - 1);
    Alpha& alpha = alphas.emplace_back(Alpha{T, S, std::vector<float>(static_cast<size_t>(T) * S)});
    for (int t = 0; t < T; ++t) alpha.weights[static_cast<size_t>(t + 1) * S - 1] = 1;
  }
  const AlignmentMetrics whole = *measure(session.examples(), std::vector<std::string>(2000), alphas).alignment;
  const TestAlignment told = *session.measure_alignment(last);
  const auto same = [](const TestRate& rate, const std::array<Rate, 3>& rates) {
    for (int tol : tolerances) {
      EXPECT_EQ(rate.all[tol], rates[tol].all) << tol;
      for (int K = 1; K <= 4; ++K) EXPECT_EQ(rate.by_K[tol][K - 1], rates[tol].by_K.at(K)) << tol << ' ' << K;
    }
  };
  same(told.alignment_hit_rate, whole.alignment_hit_rate);
  same(told.field_hit_rate, whole.field_hit_rate);
  same(told.chance_hit_rate, whole.chance_hit_rate);
  same(told.chance_field_rate, whole.chance_field_rate);
  EXPECT_EQ(told.alignment_hit_rate.by_K[0][1], 0.5) << "one of two dates";
}

TEST(Session, RefusesPositionsThatCannotBe) {
  Session session = session_with("plain");
  EXPECT_EQ(session.align_test("plain", 0, 1).error().code, ErrorCode::BAD_VALUE) << "no attention";
  EXPECT_EQ(session.align_test("nobody", 0, 1).error().code, ErrorCode::NO_MODEL);
  std::vector<int> positions(position_count(session.examples()));
  EXPECT_TRUE(session.measure_alignment(positions).ok());
  for (const int outside : {-1, 400, static_cast<int>(session.examples().back().source.size())}) {
    positions.back() = outside;
    EXPECT_EQ(session.measure_alignment(positions).error().code, ErrorCode::BAD_VALUE) << outside;
  }
  positions.pop_back();
  EXPECT_EQ(session.measure_alignment(positions).error().code, ErrorCode::BAD_VALUE);
}

TEST(Session, TeacherForcingItsOwnAnswerIsTheDecoding) {
  for (const char* name : {"dot", "plain", "bahdanau", "additive"}) {
    Session session = session_with(name);
    const Answer answer = *session.decode(name, text);
    const ForcedAnswer forced = *session.teacher_force(name, text, output_text(answer.decoded.tokens));
    EXPECT_EQ(forced.decoded.tokens, answer.decoded.tokens);
    EXPECT_EQ(forced.decoded.log_probs, answer.decoded.log_probs);
    EXPECT_EQ(forced.decoded.alpha.weights, answer.decoded.alpha.weights);
    EXPECT_EQ(forced.predicted, answer.decoded.tokens);
    EXPECT_EQ(forced.tgt_in[0], bos);
    for (size_t t = 1; t < forced.tgt_in.size(); ++t) EXPECT_EQ(forced.tgt_in[t], answer.decoded.tokens[t - 1]);
    for (size_t t = 0; t < forced.loss.size(); ++t)
      EXPECT_EQ(forced.loss[t], -forced.decoded.log_probs[t * target_vocabulary_size + forced.decoded.tokens[t]]);
  }
}

TEST(Session, RefusesTargetsThatNobodyCouldWrite) {
  Session session = session_with("plain");
  EXPECT_TRUE(session.teacher_force("plain", text, std::string(127, '1')).ok());
  for (const std::string& target : {std::string(), std::string(128, '1'), std::string("2021-03-O3"), std::string("<eos>"),
                                    std::string("2021\n"), std::string("2021\0", 5)})
    EXPECT_EQ(session.teacher_force("plain", text, target).error().code, ErrorCode::BAD_VALUE) << target;
  EXPECT_EQ(session.teacher_force("plain", "", "2021").error().code, ErrorCode::EMPTY);
  EXPECT_EQ(session.teacher_force("nobody", text, "2021").error().code, ErrorCode::NO_MODEL);
}

TEST(Session, AnUntrainedModelHasTheWeightsThatTrainingStartsFrom) {
  Session session = session_with("additive");
  const ModelInfo info = *session.untrained("new", "additive", 7);
  EXPECT_EQ(info.config.score, Score::additive);
  EXPECT_EQ(info.steps, 0);
  Random random(7);
  const PlainParameters drawn = initialise(info.config, random);
  each_parameter(info.config, drawn, [&](const ParameterInfo& parameter, const std::vector<float>& weight) {
    EXPECT_EQ(**session.weight("new", parameter.name), weight) << parameter.name;
  });
  EXPECT_EQ(session.untrained("new", "nobody", 7).error().code, ErrorCode::NO_MODEL);
  EXPECT_TRUE(session.untrained("additive", "additive", 7).ok()) << "in its own place";
  EXPECT_EQ(session.decode("additive", text)->decoded.z, session.decode("new", text)->decoded.z);
}

TEST(Session, APlaneShowsWhatEveryStepCompares) {
  for (const char* name : {"dot", "general", "additive", "bahdanau", "plain"}) {
    SCOPED_TRACE(name);
    Session session = session_with(name);
    EXPECT_EQ(session.plane(name, text).error().code, ErrorCode::NO_MODEL) << "no probe yet";
    const Plane plane = **session.load_probe(name, file_of(name + std::string(".probe.safetensors")), "");
    const PlaneAnswer drawn = *session.plane(name, text);
    EXPECT_EQ(drawn.decoded.tokens, session.decode(name, text)->decoded.tokens);
    EXPECT_EQ(drawn.explained, plane.explained);
    const int T = static_cast<int>(drawn.decoded.tokens.size());
    ASSERT_EQ(drawn.q.size(), static_cast<size_t>(2 * T));
    const auto at = [&](const std::vector<float>& states, int row, int axis) {
      double sum = 0;
      for (int j = 0; j < plane.D; ++j)
        sum += static_cast<double>(plane.axes[axis * plane.D + j]) * (states[row * plane.D + j] - plane.mean[j]);
      return sum;
    };
    for (int t = 0; t < T; ++t) {
      const Inspection step = *session.inspect(name, text, t);
      const bool compares = step.d_k > 0;
      for (int axis = 0; axis < 2; ++axis) {
        EXPECT_NEAR(drawn.q[2 * t + axis], at(compares ? step.q : step.s, 0, axis), 1e-4) << t;
        for (int i = 0; t == 0 && i < step.S; ++i)
          EXPECT_NEAR(drawn.k[2 * i + axis], at(compares ? step.k : step.h, i, axis), 1e-4) << i;
      }
    }
  }
}

TEST(Session, AProbeIsOfTheseWeightsAndNoOthers) {
  Session session = session_with("dot");
  const std::vector<uint8_t> weights = file_of("dot.safetensors"), dot = file_of("dot.probe.safetensors");
  const std::string hash = sha256({reinterpret_cast<const char*>(weights.data()), weights.size()});
  const auto general = file_of("general.probe.safetensors");
  EXPECT_EQ(session.load_probe("dot", general, hash).error().code, ErrorCode::WRONG_MODEL) << "of the same sizes";
  EXPECT_EQ(session.load_probe("nobody", dot, hash).error().code, ErrorCode::NO_MODEL);
  EXPECT_EQ(session.load_probe("dot", dot, "untrained").error().code, ErrorCode::WRONG_MODEL);
  EXPECT_EQ(session.plane("dot", text).error().code, ErrorCode::NO_MODEL) << "nothing was kept";
  EXPECT_TRUE(session.load_probe("dot", dot, hash).ok());
  EXPECT_TRUE(session.untrained("dot", "dot", 1).ok());
  EXPECT_EQ(session.plane("dot", text).error().code, ErrorCode::NO_MODEL) << "other weights took its place";
}

}  // namespace
}  // namespace softalign
