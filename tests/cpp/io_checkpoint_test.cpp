// Whole models in files: round trips, and every way in which a file can be another model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io_small_models.h"
#include "shared/io/half.h"

namespace softalign {
namespace {

using namespace small_models;
using ::testing::AssertionResult;

AssertionResult wrong_model(const Parts& parts, std::initializer_list<std::string_view> words) {
  return refused(parts.file(), ErrorCode::WRONG_MODEL, words);
}

TEST(Checkpoint, RoundTripOfEveryScoreAndDtype) {
  for (Score score : scores)
    for (DType dtype : {DType::F32, DType::F16, DType::BF16}) {
      const Checkpoint original = untrained(small(score));
      const Bytes file = *write_checkpoint(original, dtype);
      const Result<Checkpoint> read = read_checkpoint(file);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(read->config.score, score);
      EXPECT_EQ(read->steps, 500);
      EXPECT_EQ(*find(read->metadata, "softalign.golden"), "opaque \"text\"");
      EXPECT_EQ(*find(read->metadata, "softalign.score"), name(score));
      auto expected = weights_of(original);
      for (auto& weight : expected)
        for (float& x : weight) {
          if (dtype == DType::F16) x = float_from_f16(f16_from_float(x));
          if (dtype == DType::BF16) x = float_from_bf16(bf16_from_float(x));
        }
      EXPECT_EQ(weights_of(*read), expected);
      EXPECT_EQ(*write_checkpoint(*read, dtype), file);  // byte for byte
    }
}

TEST(Checkpoint, L65LabModelAsF16AndBf16) {
  const Checkpoint original = untrained({});
  const auto exact = weights_of(original);
  for (DType dtype : {DType::F16, DType::BF16}) {
    const Bytes file = *write_checkpoint(original, dtype);
    EXPECT_LT(file.size(), 161135 * 2 + 4096u);
    const Result<Checkpoint> read = read_checkpoint(file);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->config, original.config);
    const auto rounded = weights_of(*read);
    const double precision = dtype == DType::F16 ? 0x1p-11 : 0x1p-8;
    for (size_t w = 0; w < exact.size(); ++w)
      for (size_t i = 0; i < exact[w].size(); ++i)
        ASSERT_NEAR(rounded[w][i], exact[w][i], precision * std::abs(exact[w][i]) + 0x1p-25);
  }
}

TEST(Checkpoint, FilesOfOtherLibrariesAreInferred) {
  for (Score score : scores) {
    const Checkpoint original = untrained(small(score));
    const Bytes file = Parts(*write_checkpoint(original, DType::F32)).silent().file();
    const Result<Checkpoint> read = read_checkpoint(file);
    ASSERT_TRUE(read) << read.error().message;
    Config expected = original.config;
    if (score != Score::additive) expected.d_a = Config().d_a;  // only the additive score's shapes tell it
    EXPECT_EQ(read->config, expected);
    EXPECT_EQ(read->steps, 0);
    EXPECT_TRUE(read->metadata.empty());
    EXPECT_EQ(weights_of(*read), weights_of(original));
    EXPECT_TRUE(read_checkpoint(Parts(file).state("format", "pt").file()));
    Parts reversed(file);
    std::reverse(reversed.tensors.begin(), reversed.tensors.end());
    EXPECT_EQ(weights_of(*read_checkpoint(reversed.file())), weights_of(original));
  }
}

TEST(Checkpoint, NamesAreThoseOfTheLab) {
  const Bytes file = small_file(Score::additive);
  std::vector<std::string> names;
  const Result<Header> header = read_header(file);
  for (const TensorView& view : header->tensors) names.push_back(view.name);
  EXPECT_EQ(names, (std::vector<std::string>{"src_emb.weight", "tgt_emb.weight", "enc.weight_ih_l0", "enc.weight_hh_l0",
                                             "enc.bias_ih_l0", "enc.bias_hh_l0", "dec.weight_ih_l0", "dec.weight_hh_l0",
                                             "dec.bias_ih_l0", "dec.bias_hh_l0", "W_o.weight", "W_o.bias", "W_c.weight",
                                             "W_c.bias", "W_q", "W_k", "u"}));
}

TEST(Checkpoint, L66MissingAndExtraNamesTogether) {
  const Bytes dot = small_file(Score::dot);
  EXPECT_TRUE(wrong_model(Parts(dot).without("W_c.weight").without("W_c.bias"),
                          {"says", "score dot", "missing: \"W_c.weight\", \"W_c.bias\""}));
  EXPECT_TRUE(
      wrong_model(Parts(dot).without("W_c.weight").with("W_x", {2}), {"missing: \"W_c.weight\"", "extra: \"W_x\""}));
  EXPECT_TRUE(
      wrong_model(Parts(dot).silent().without("W_c.weight"), {"looks like", "score dot", "missing: \"W_c.weight\""}));
  EXPECT_TRUE(wrong_model(Parts(dot).with("bridge.weight", {3, 6}), {"extra: \"bridge.weight\""}));
  EXPECT_TRUE(
      wrong_model(Parts(small_file(Score::additive)).silent().without("u"), {"score additive", "missing: \"u\""}));
  EXPECT_TRUE(refused(file_of("{}", 0), ErrorCode::WRONG_MODEL, {"missing: \"src_emb.weight\"", "and 4 more"}));
  Parts other(file_of("{}", 0));
  for (int i = 0; i < 30; ++i) other.with("layer" + std::to_string(i), {1});
  EXPECT_TRUE(wrong_model(other, {"missing: ", "extra: \"layer0\"", "\"layer7\" and 22 more"}));
}

TEST(Checkpoint, MetadataThatContradictsTheTensors) {
  const Bytes dot = small_file(Score::dot), general = small_file(Score::general);
  EXPECT_TRUE(
      wrong_model(Parts(dot).state("softalign.score", "none"), {"score none", "extra: \"W_c.weight\", \"W_c.bias\""}));
  EXPECT_TRUE(wrong_model(Parts(dot).state("softalign.score", "general"), {"missing: \"W_a\""}));
  EXPECT_TRUE(wrong_model(Parts(general).state("softalign.score", "additive"),
                          {"missing: \"W_q\", \"W_k\", \"u\"", "extra: \"W_a\""}));
  EXPECT_TRUE(wrong_model(Parts(dot).state("softalign.score", "cosine"), {"softalign.score is \"cosine\""}));
  EXPECT_TRUE(wrong_model(Parts(dot).state("softalign.encoder", "bi"), {"bi"}));
  EXPECT_TRUE(wrong_model(Parts(general).state("softalign.ordering", "bahdanau"), {"bahdanau"}));
  EXPECT_TRUE(wrong_model(Parts(dot).state("softalign.ordering", ""), {"softalign.ordering is \"\""}));
}

// The names and shapes tell score, ordering and encoder; but whether an encoder reads from the right, only the file can say.
TEST(Checkpoint, OrderingAndEncoderAreToldByTheTensors) {
  for (const Score score : {Score::none, Score::dot, Score::general, Score::additive})
    for (const Ordering ordering : {Ordering::luong, Ordering::bahdanau})
      for (const Encoder encoder : {Encoder::uni, Encoder::bi, Encoder::reversed}) {
        Config config = small(score);
        config.ordering = ordering, config.encoder = encoder;
        if (score != Score::additive) config.d_a = Config{}.d_a;  // only u tells it
        if (!checked(config)) continue;
        const Bytes file = *write_checkpoint(untrained(config), DType::F32);
        EXPECT_EQ(read_checkpoint(file)->config, config);
        if (encoder == Encoder::reversed) config.encoder = Encoder::uni;
        EXPECT_EQ(read_checkpoint(Parts(file).silent().file())->config, config)
            << name(score) << " " << name(ordering) << " " << name(encoder);
      }
}

TEST(Checkpoint, ModelsThatThereAreNot) {
  Parts bi(small_file(Score::general));
  EXPECT_TRUE(wrong_model(bi.silent().with("enc.weight_ih_l0_reverse", {9, 2}),
                          {"encoder bi", "missing: \"enc.weight_hh_l0_reverse\""}));
  EXPECT_TRUE(wrong_model(Parts(small_file(Score::dot)).state("softalign.encoder", "bi"), {"equal size"}));
  EXPECT_TRUE(wrong_model(Parts(small_file(Score::none)).state("softalign.ordering", "bahdanau"), {"no context"}));
  Parts wide(file_of("{}", 0));
  wide.with("src_emb.weight", {5000, 2});
  EXPECT_TRUE(wrong_model(wide, {"between 1 and 4096", "5000"}));
}

TEST(Checkpoint, FormatVersionAndSteps) {
  const Bytes dot = small_file(Score::dot);
  EXPECT_EQ(*find(read_header(dot)->metadata, "softalign.format"), "1");
  EXPECT_TRUE(refused(Parts(dot).state("softalign.format", "2").file(), ErrorCode::NEWER_FORMAT,
                      {"format 2", "update softalign"}));
  // A newer file may say anything else in ways that this version cannot know: the version comes first.
  EXPECT_TRUE(refused(Parts(dot).state("softalign.format", "12").state("softalign.score", "new").file(),
                      ErrorCode::NEWER_FORMAT, {"12"}));
  for (const char* text : {"", "one", "-1", "1.0", "9999999999"}) {
    EXPECT_TRUE(
        refused(Parts(dot).state("softalign.format", text).file(), ErrorCode::BAD_WEIGHTS, {"softalign.format"}))
        << text;
    EXPECT_TRUE(refused(Parts(dot).state("softalign.steps", text).file(), ErrorCode::BAD_WEIGHTS, {"softalign.steps"}))
        << text;
  }
}

TEST(Checkpoint, ShapesAreNamedWithBothSizes) {
  Parts parts(small_file(Score::dot));
  parts["W_o.weight"].shape = {3, 5};
  EXPECT_TRUE(wrong_model(parts, {"\"W_o.weight\" has shape (3, 5)", "(5, 3)"}));
  parts["W_o.weight"].shape = {15};
  EXPECT_TRUE(wrong_model(parts, {"\"W_o.weight\" has shape (15)", "(5, 3)"}));
  parts["W_o.weight"].shape = {1, 5, 3};
  EXPECT_TRUE(wrong_model(parts, {"(1, 5, 3)"}));
  EXPECT_TRUE(wrong_model(Parts(small_file(Score::dot)).without("W_o.bias").with("W_o.bias", {}),
                          {"\"W_o.bias\" has shape ()", "(5)"}));
}

TEST(Checkpoint, NanAndInfinityAreRefusedOnBothWays) {
  for (float bad : {std::nanf(""), std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()}) {
    Checkpoint checkpoint = untrained(small(Score::dot));
    Bytes file = *write_checkpoint(checkpoint, DType::F32);
    const TensorView view = *read_header(file)->find("dec.bias_hh_l0");
    for (int i = 0; i < 4; ++i) file[view.end - 4 + i] = static_cast<uint8_t>(bits_of_float(bad) >> 8 * i);
    EXPECT_TRUE(refused(file, ErrorCode::NOT_FINITE, {"\"dec.bias_hh_l0\""}));
    checkpoint.params.W_c[3] = bad;
    const Result<Bytes> written = write_checkpoint(checkpoint);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::NOT_FINITE);
    EXPECT_NE(written.error().message.find("\"W_c.weight\""), std::string::npos);
  }
}

TEST(Checkpoint, ModelsThatCannotBeWritten) {
  Checkpoint checkpoint = untrained(small(Score::dot));
  checkpoint.config.encoder = Encoder::bi;
  EXPECT_EQ(write_checkpoint(checkpoint).error().code, ErrorCode::BAD_VALUE);
  checkpoint.config.encoder = Encoder::uni;
  checkpoint.params.b_o.pop_back();
  EXPECT_EQ(write_checkpoint(checkpoint).error().code, ErrorCode::BAD_WEIGHTS);
}

TEST(Checkpoint, WriterStatesTheModelItself) {
  Checkpoint checkpoint = untrained(small(Score::general));
  checkpoint.metadata = {
      {"softalign.score", "dot"}, {"softalign.steps", "3"}, {"softalign.format", "7"}, {"author", "me"}};
  const Header header = *read_header(*write_checkpoint(checkpoint));
  EXPECT_EQ(header.metadata, (Metadata{{"softalign.format", "1"},
                                       {"softalign.score", "general"},
                                       {"softalign.ordering", "luong"},
                                       {"softalign.encoder", "uni"},
                                       {"softalign.steps", "500"},
                                       {"author", "me"}}));
}

TEST(Checkpoint, Vocabularies) {
  Parts parts(small_file(Score::dot));  // V_src 6 = <pad> and 5 letters, V_tgt 5 = 3 specials and 2
  const auto check = [&](std::string_view source, std::string_view target) {
    return check_vocabularies(*read_checkpoint(parts.file()), source, target).ok();
  };
  EXPECT_TRUE(check("abcde", "01"));
  EXPECT_FALSE(check("abcd", "01"));
  EXPECT_FALSE(check("abcde", "012"));
  parts.state("softalign.source_vocabulary", "ab\u20acde").state("softalign.target_vocabulary", "01");
  EXPECT_TRUE(check("ab\u20acde", "01"));
  EXPECT_FALSE(check("abcde", "01"));
  EXPECT_FALSE(check("ab\u20acde", "02"));
  EXPECT_TRUE(wrong_model(Parts(parts.file()).state("softalign.source_vocabulary", "abcdef"),
                          {"source vocabulary", "6 letters", "6 embeddings"}));
  EXPECT_TRUE(wrong_model(Parts(parts.file()).state("softalign.target_vocabulary", "0"),
                          {"target vocabulary", "1 letters and 3 special tokens", "5 embeddings"}));
}

}  // namespace
}  // namespace softalign
