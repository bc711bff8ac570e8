// Beam search on models: exhaustive search of tiny ones, and the trained ones beside greedy decoding.
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "eigen_lab.h"
#include "model_configs.h"
#include "reference.h"
#include "shared/eigen/inference_model.h"
#include "shared/task/dates.h"

namespace softalign {
namespace {

std::unique_ptr<InferenceModel> trained(const std::string& name) {
  std::ifstream file(SOFTALIGN_SOURCE_DIR "/models/" + name + ".safetensors", std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  auto checkpoint = read_checkpoint(bytes);
  EXPECT_TRUE(checkpoint.ok()) << name;
  return std::move(*InferenceModel::create(std::move(*checkpoint)));
}

// Sanitizers make every step a hundred times slower, and look at memory rather than at numbers: few sources do for them.
#ifdef __SANITIZE_ADDRESS__
constexpr int most_of_each_K = 2;
#else
constexpr int most_of_each_K = test_examples_per_K;
#endif

// The first `n` sources of each K.
std::vector<Example> first_of_each_K(int n) {
  std::vector<Example> examples;
  std::map<int, int> taken;
  for (const Example& example : test_split())
    if (taken[example.K]++ < std::min(n, most_of_each_K)) examples.push_back(example);
  return examples;
}

// A model so small that all its outputs can be listed; its logits are stretched, so that they differ.
struct Tiny {
  Tiny(Config c, uint64_t seed) : config(c) {
    config.V_tgt = 4;  // <pad>, <bos>, <eos> and one more
    plain = random_weights(config, seed);
    for (float& weight : plain.W_o) weight *= 6;
    params = lab.parameters(config, plain);
    lab.reserve(config, {.B = 1, .S = 6, .T = 4}, workspace);
    EXPECT_TRUE(lab.backend.reserve(config, 100, 6, beam).ok());
    encode(lab.backend, config, params, {lab.backend.ids(src, 1, 6), lab.lengths(counts, 6)}, workspace.memory);
  }
  EigenLab lab;
  Config config;
  PlainParameters plain;
  Parameters<InferenceBackend> params;
  Workspace<InferenceBackend> workspace;
  BeamWorkspace<InferenceBackend> beam;
  const std::vector<int32_t> src{4, 1, 8, 2, 2, 7}, counts{6};
};

// Log-probability of a whole target by the reference.
double log_probability(const Tiny& tiny, const std::vector<int32_t>& target) {
  std::vector<int32_t> tgt_in{bos};
  tgt_in.insert(tgt_in.end(), target.begin(), target.end() - 1);
  const auto z = reference::forward(tiny.config, tiny.plain, tiny.src, tgt_in).z;
  double sum = 0;
  for (size_t t = 0; t < target.size(); ++t) sum += std::log(reference::softmax(z[t])[target[t]]);
  return sum;
}

// All outputs of at most 3 tokens that end: 1 + 3 + 9.
std::vector<std::vector<int32_t>> every_output() {
  std::vector<std::vector<int32_t>> all{{eos}};
  for (int32_t first : {pad, bos, 3}) {
    all.push_back({first, eos});
    for (int32_t second : {pad, bos, 3}) all.push_back({first, second, eos});
  }
  return all;
}

TEST(BeamOnModels, AHundredFindTheTrueBestOfTinyModels) {
  int differ = 0;
  for (const Config& config : every_config())
    for (uint64_t seed = 0; seed < 4; ++seed) {
      Tiny tiny(config, seed);
      std::vector<int32_t> winners[2];
      for (const bool plain_values : {false, true}) {
        std::vector<int32_t> best;
        double most = -INFINITY;
        for (const auto& output : every_output()) {
          const double value = log_probability(tiny, output);
          const double objective = plain_values ? value : value / static_cast<double>(output.size());
          if (objective > most) most = objective, best = output;
        }
        winners[plain_values] = best;
        ModelTokens<InferenceBackend> next(tiny.lab.backend, tiny.config, tiny.params, tiny.workspace.memory, tiny.beam);
        const auto found = beam_search(next, {.B = 100, .max_len = 3, .plain_values = plain_values});
        ASSERT_TRUE(found.ok());
        EXPECT_EQ(found->best[0].tokens, best) << name(config) << " seed " << seed;
        EXPECT_NEAR(plain_values ? found->best[0].log_prob : found->best[0].value_per_length, most, 1e-4);
      }
      differ += winners[0] != winners[1];
    }
  EXPECT_GT(differ, 0) << "the two objectives are two";
}

// B = 1 is greedy decoding: the same tokens and the same value, on all 2,000 sources.
void expect_one_is_greedy(const std::string& name) {
  const auto model = trained(name);
  for (const Example& example : first_of_each_K(test_examples_per_K)) {
    const Source source = *make_source(example.source);
    const Decoded greedy = model->greedy(source, lab_max_len);
    const auto beam = model->beam(source, {.B = 1, .max_len = lab_max_len});
    ASSERT_TRUE(beam.ok());
    ASSERT_EQ(beam->best.size(), 1u);
    ASSERT_EQ(beam->best[0].tokens, greedy.tokens) << name << ": " << example.source;
    ASSERT_EQ(beam->best[0].log_prob, greedy.log_prob);
    ASSERT_EQ(beam->best[0].finished, greedy.finished);
  }
}

TEST(BeamOnModels, OneIsGreedyForDot) { expect_one_is_greedy("dot"); }
TEST(BeamOnModels, SlowOneIsGreedyForTheOthers) {
  for (const std::string name : {"plain", "general", "additive", "bahdanau"}) expect_one_is_greedy(name);
}

// Greedy decoding of several sources at once, padded to the longest: tokens and value of each.
struct Answered {
  std::vector<int32_t> tokens;
  double log_prob = 0;
};
std::vector<Answered> together(EigenLab& lab, const Config& config, const Parameters<InferenceBackend>& params,
                               Workspace<InferenceBackend>& workspace, std::span<const Source> sources) {
  const int B = static_cast<int>(sources.size());
  size_t S = 0;
  for (const Source& source : sources) S = std::max(S, source.ids().size());
  std::vector<int32_t> ids, counts;
  for (const Source& source : sources) {
    ids.insert(ids.end(), source.ids().begin(), source.ids().end());
    ids.insert(ids.end(), S - source.ids().size(), pad);
    counts.push_back(static_cast<int32_t>(source.ids().size()));
  }
  auto& backend = lab.backend;
  encode(backend, config, params, {backend.ids(ids, B, static_cast<int>(S)), lab.lengths(counts, static_cast<int>(S))},
         workspace.memory);
  std::vector<Answered> answers(B);
  std::vector<int32_t> tokens(B, bos);
  const BufferTensor* state = &workspace.memory.s_0;
  for (int t = 0; t < lab_max_len; ++t) {
    auto& step = workspace.steps[t % 2];
    decode(backend, config, params, workspace.memory, backend.ids(tokens, B, 1), *state, step);
    backend.log_softmax(workspace.log_prob, step.z);
    for (int b = 0; b < B; ++b) {
      const std::span<const float> row(workspace.log_prob.row(b, 0), config.V_tgt);
      tokens[b] = argmax(row);
      if (!answers[b].tokens.empty() && answers[b].tokens.back() == eos) continue;
      answers[b].tokens.push_back(tokens[b]);
      answers[b].log_prob += row[tokens[b]];
    }
    state = &step.s_T;
  }
  return answers;
}

// L29: 500 sources alone and in batches of 7 and 128 give the same tokens and the same values; and so do beams, whose rows
// are the hypotheses, however many there are beside them.
TEST(BeamOnModels, SlowAnswersDoNotDependOnTheBatch) {
  const std::vector<Example> examples = first_of_each_K(125);
  for (const std::string name : {"dot", "additive"}) {
    const auto model = trained(name);
    EigenLab lab;
    PlainParameters plain;
    each_parameter(model->config(), plain, [&](const ParameterInfo& info, std::vector<float>& weight) {
      weight = *model->weight(info.name);
    });
    const auto params = lab.parameters(model->config(), plain);
    Workspace<InferenceBackend> workspace;
    lab.reserve(model->config(), {.B = 128, .S = 80, .T = 1}, workspace);
    std::vector<Source> sources;
    for (size_t i = 0; i < examples.size(); ++i) sources.push_back(*make_source(examples[i * 7 % examples.size()].source));
    std::vector<Decoded> alone;
    for (const Source& source : sources) alone.push_back(model->greedy(source, lab_max_len));
    for (const size_t B : {size_t{1}, size_t{7}, size_t{128}})
      for (size_t first = 0; first < sources.size(); first += B) {
        const auto batch = std::span(sources).subspan(first, std::min(B, sources.size() - first));
        const auto answers = together(lab, model->config(), params, workspace, batch);
        for (size_t i = 0; i < answers.size(); ++i) {
          ASSERT_EQ(answers[i].tokens, alone[first + i].tokens) << name << " B " << B;
          ASSERT_EQ(answers[i].log_prob, alone[first + i].log_prob) << "the same bits, not only within 1e-5";
        }
      }
  }
}

TEST(BeamOnModels, ValuesAreThoseOfTheTokensScoredAlone) {
  for (const std::string name : {"dot", "plain"}) {
    const auto model = trained(name);
    for (const Example& example : first_of_each_K(5)) {
      const Source source = *make_source(example.source);
      const auto found = model->beam(source, {.B = 10, .max_len = lab_max_len, .n_best = 10});
      for (const Hypothesis& each : found->best)
        EXPECT_NEAR(each.log_prob, model->score_target(source, each.tokens).log_prob, 1e-5) << name;
    }
  }
}

// L30, L33, L34 on trained models.
TEST(BeamOnModels, TheBestDifferAndEachEndsOnce) {
  for (const std::string name : {"dot", "plain"}) {
    const auto model = trained(name);
    for (const Example& example : first_of_each_K(1))
      for (const int B : {10, 15, 16, 100}) {
        const Source source = *make_source(example.source);
        const auto found = model->beam(source, {.B = B, .max_len = lab_max_len, .n_best = B});
        ASSERT_TRUE(found.ok());
        EXPECT_EQ(static_cast<int>(found->best.size()), B) << name << ": " << example.source;
        std::set<std::string> texts;
        for (const Hypothesis& each : found->best) {
          EXPECT_TRUE(texts.insert(output_text(each.tokens)).second);
          EXPECT_TRUE(each.finished);
          EXPECT_EQ(std::count(each.tokens.begin(), each.tokens.end(), eos), 1);
          EXPECT_EQ(each.tokens.back(), eos);
        }
        const auto one = model->beam(source, {.B = B, .max_len = lab_max_len});
        EXPECT_EQ(one->best[0].tokens, found->best[0].tokens) << "the first does not depend on how many are asked for";
      }
  }
}

// L32: ten characters and the end are 11 tokens.
TEST(BeamOnModels, TheEndCountsInTheLength) {
  const auto model = trained("dot");
  const auto found = model->beam(*make_source(showcase), {.B = 5, .max_len = lab_max_len});
  const Hypothesis& best = found->best[0];
  EXPECT_EQ(output_text(best.tokens), "2021-03-03");
  EXPECT_EQ(best.tokens.size(), 11u);
  EXPECT_EQ(found->tree[best.node].length, 11);
  EXPECT_EQ(best.value_per_length, best.log_prob / 11);
}

// The comparison that the course records: B = 1, 3, 5 on the first 50 sources of each K.
TEST(BeamOnModels, WiderBeamsTieOnTheDateTask) {
  const auto model = trained("dot");
  for (const int B : {1, 3, 5}) {
    double right = 0, sum = 0;
    const std::vector<Example> examples = first_of_each_K(50);
    const auto n = static_cast<double>(examples.size());
    for (const Example& example : examples) {
      const auto found = model->beam(*make_source(example.source), {.B = B, .max_len = lab_max_len});
      right += output_text(found->best[0].tokens) == example.target;
      sum += found->best[0].log_prob;
    }
    std::printf("dot, B = %d: exact match %.3f, mean log-probability %.4f\n", B, right / n, sum / n);
    EXPECT_GE(right / n, 0.98);
    EXPECT_GT(sum / n, -0.05);
  }
}

TEST(BeamOnModels, SettingsOutOfRangeAreRefused) {
  const auto model = trained("plain");
  const Source source = *make_source(showcase);
  for (const BeamSettings& settings : {BeamSettings{.B = 0}, {.B = 101}, {.B = 2, .n_best = 3}, {.max_len = 0}})
    EXPECT_EQ(model->beam(source, settings).error().code, ErrorCode::BAD_VALUE);
}

}  // namespace
}  // namespace softalign
