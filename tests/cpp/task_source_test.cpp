// Typed text becomes a Source or a stated error, whatever its bytes are; the vocabularies are the lab's.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shared/task/source.h"
#include "shared/io/utf8.h"
#include "shared/task/named.h"
#include "shared/task/vocabulary.h"
#include "tests/cpp/task_splits.h"

namespace softalign {
namespace {

using Ids = std::vector<int32_t>;

std::string repeated(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

TEST(TaskSource, VocabulariesAreTheLabs) {
  EXPECT_EQ(source_vocabulary_size, 44);
  EXPECT_EQ(target_vocabulary_size, 15);
  EXPECT_TRUE(std::is_sorted(source_characters.begin(), source_characters.end()));
  EXPECT_EQ(source_id(U' '), 1);
  EXPECT_EQ(source_id(U'0'), 4);
  EXPECT_EQ(source_id(U'y'), 43);
  for (char32_t unknown : {U'z', U'B', U'-', U'\0', U'ä', U'\u0141', U'\U0001F600'}) EXPECT_EQ(source_id(unknown), -1);
  std::string tokens;
  for (int32_t id = 0; id < target_vocabulary_size; ++id) tokens += token_text(id);
  EXPECT_EQ(tokens, "<pad><bos><eos>0123456789- ");
}

TEST(TaskSource, TargetsTurnToIdsAndBack) {
  EXPECT_EQ(target_ids("2021-03-03 "), (Ids{5, 3, 5, 4, 13, 3, 6, 13, 3, 6, 14}));
  for (const Example& example : the_test_split()) EXPECT_EQ(output_text(target_ids(example.target)), example.target);
  EXPECT_EQ(output_text(Ids{bos, 4, pad, 5, eos, 6}), "12") << "<bos> and <pad> print as nothing, <eos> ends";
  EXPECT_EQ(output_text(Ids{}), "");
}

TEST(TaskSource, ReadsTheShowcase) {
  const Result<Source> source = make_source(showcase);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->ids(), (Ids{7, 1, 19, 23, 37, 25, 30, 1, 6, 4, 6, 5}));
  EXPECT_EQ(source->length(), 12);
  EXPECT_TRUE(source->unknown().empty());
  EXPECT_EQ(source->text(), showcase);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(source->positions()[i], i);
}

// Case L03: a letter outside the vocabulary is named with its place, and the rest is read.
TEST(TaskSource, KeepsUnknownLettersAside) {
  const Result<Source> source = make_source("3 März 😀2021");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->length(), 12);
  EXPECT_EQ(source->positions(), (std::vector<int>{0, 1, 2, 4, 6, 8, 9, 10, 11}));
  ASSERT_EQ(source->unknown().size(), 3u);
  EXPECT_EQ(source->unknown()[0].character, U'ä');
  EXPECT_EQ(source->unknown()[0].position, 3);
  EXPECT_EQ(source->unknown()[1].character, U'z');
  EXPECT_EQ(source->unknown()[2].character, U'😀');
  EXPECT_EQ(source->unknown()[2].position, 7);
}

// Cases L04 and L05: nothing to read is an error with a reason, never an empty tensor.
TEST(TaskSource, NothingToReadIsEmpty) {
  const auto message = [](std::string_view text) {
    const Result<Source> source = make_source(text);
    EXPECT_FALSE(source.ok()) << text;
    if (source.ok()) return std::string();
    EXPECT_EQ(source.error().code, ErrorCode::EMPTY) << text;
    return source.error().message;
  };
  const std::string hint = "; type a date such as 3 March 2021";
  EXPECT_EQ(message(""), "nothing to read: the text is empty" + hint);
  EXPECT_EQ(message("   "), "nothing to read: the text holds only spaces" + hint);
  EXPECT_EQ(message("日本"),
            "nothing to read: the model knows no character of this text (no letter \"日\", no letter \"本\")" + hint);
  EXPECT_EQ(message(" 日 日\n"),
            "nothing to read: the model knows no character of this text (no letter \"日\", no character U+000A)" +
                hint);
  EXPECT_EQ(message("!?*+("), "nothing to read: the model knows no character of this text (no character \"!\", "
                              "no character \"?\", no character \"*\" and so on)" + hint);
}

// Case L06: the limit is checked before anything is reserved, and long texts are not read to their end.
TEST(TaskSource, LongTextIsRefusedAtOnce) {
  EXPECT_TRUE(make_source(repeated("3", 400)).ok());
  EXPECT_TRUE(make_source(repeated("😀", 399) + "3").ok()) << "the limit counts code points, not bytes";
  for (const std::string& text : {repeated("3", 401), repeated("😀", 400) + "3", repeated("😀", 401),
                                  repeated("3", 10000), repeated("\xFF", 401), repeated(" ", 401)}) {
    const Result<Source> source = make_source(text);
    ASSERT_FALSE(source.ok());
    EXPECT_EQ(source.error().code, ErrorCode::TOO_LONG);
    EXPECT_EQ(source.error().message, "the text is longer than 400 characters, the most that is read; shorten it");
  }
  // A gigabyte of which only the first 2,000 bytes exist: reading on would crash, so the size alone must decide.
  const std::string start(2000, 'M');
  EXPECT_EQ(make_source({start.data(), size_t{1} << 30}).error().code, ErrorCode::TOO_LONG);
}

// Expected code points as printed by: [hex(ord(c)) for c in b"...".decode("utf-8", "replace")]
TEST(TaskSource, BadUtf8BecomesReplacementCharacters) {
  const auto code_points = [](std::string_view text) {
    std::u32string all;
    while (!text.empty()) all += take_code_point(text);
    return all;
  };
  EXPECT_EQ(code_points("a\xC3\xA4\xE6\x97\xA5\xF0\x9F\x98\x80"), U"aä日😀");
  EXPECT_EQ(code_points("\x80"), U"\uFFFD") << "a lone continuation byte";
  EXPECT_EQ(code_points("\xC0\x80"), U"\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(code_points("\xE0\x80\x80"), U"\uFFFD\uFFFD\uFFFD") << "overlong";
  EXPECT_EQ(code_points("\xED\xA0\x80"), U"\uFFFD\uFFFD\uFFFD") << "a surrogate";
  EXPECT_EQ(code_points("\xF4\x90\x80\x80"), U"\uFFFD\uFFFD\uFFFD\uFFFD") << "above U+10FFFF";
  EXPECT_EQ(code_points("\xF0\x9F\x98"), U"\uFFFD") << "cut off";
  EXPECT_EQ(code_points("\xF0\x9F\x98" "3"), U"\uFFFD3") << "cut off by a good character, which stays";
  EXPECT_EQ(code_points("\xE6\x97\xE6\x97\xA5"), U"\uFFFD日");
  EXPECT_EQ(code_points("\xFE\xFF"), U"\uFFFD\uFFFD");

  const Result<Source> source = make_source("3\xFF March 2021");
  ASSERT_TRUE(source.ok());
  ASSERT_EQ(source->unknown().size(), 1u);
  EXPECT_EQ(source->unknown()[0].character, replacement_character);
}

TEST(TaskSource, EveryCodePointIsWrittenAsItIsRead) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (code_point == 0xD800) code_point = 0xE000;  // no surrogates in UTF-8
    std::string text;
    append_utf8(text, code_point);
    std::string_view rest = text;
    ASSERT_EQ(take_code_point(rest), code_point);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(TaskSource, CharactersAreNamedSoThatTheyCanBeSeen) {
  EXPECT_EQ(named(U'ä'), "letter \"ä\"");
  EXPECT_EQ(named(U'B'), "letter \"B\"");
  EXPECT_EQ(named(U'日'), "letter \"日\"");
  EXPECT_EQ(named(U'-'), "character \"-\"");
  EXPECT_EQ(named(U'😀'), "character \"😀\"");
  EXPECT_EQ(named(replacement_character), "character \"\xEF\xBF\xBD\"");
  EXPECT_EQ(named(U'\n'), "character U+000A");
  EXPECT_EQ(named(0xA0), "character U+00A0");
  EXPECT_EQ(named(0x200B), "character U+200B");
  EXPECT_EQ(named(0x308), "character U+0308");
  EXPECT_EQ(named(0x61C), "character U+061C");
  EXPECT_EQ(named(0x3164), "character U+3164");
  EXPECT_EQ(named(0x100000), "character U+100000");
  EXPECT_EQ(named(0xE0001), "character U+E0001");
}

}  // namespace
}  // namespace softalign
