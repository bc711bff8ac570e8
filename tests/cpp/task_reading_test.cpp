// The grammar reads what training could have written, and says in plain sentences what anything else is.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shared/task/reading.h"
#include "tests/cpp/task_splits.h"

namespace softalign {
namespace {

// All that a reading says, in one text: K, the ISO dates, and each note with its place.
std::string told(std::string_view text) {
  const Reading reading = read_dates(text);
  std::string all = std::to_string(reading.K) + ' ' + reading.expected.value_or("-");
  for (const Note& note : reading.notes)
    all += '\n' + std::string(name(note.code)) + ' ' + std::to_string(note.start) + ".." + std::to_string(note.end) +
           ' ' + note.message;
  return all;
}

std::string untrained_date(std::string_view written, std::string_view why, std::string_view as_trained = "") {
  std::string message = "The model was never trained on dates written like \"" + std::string(written) + "\" (" +
                        std::string(why) + "), so its answer is a guess";
  if (!as_trained.empty()) message += "; in training it would be " + std::string(as_trained);
  return message + '.';
}

TEST(TaskReading, EveryTestSourceReadsToItsTarget) {
  for (const Example& example : the_test_split())
    ASSERT_EQ(told(example.source), std::to_string(example.K) + ' ' + example.target) << example.source;
}

TEST(TaskReading, PlacesAreTheGenerators) {
  for (const Example& example : the_test_split()) {
    const std::vector<DatePlace> places = read_dates(example.source).places;
    ASSERT_EQ(places.size(), example.spans.size()) << example.source;
    for (size_t k = 0; k < places.size(); ++k)
      ASSERT_EQ(places[k], (DatePlace{example.spans[k], example.fields[k]})) << example.source;
  }
}

TEST(TaskReading, PlacesCountTheCharactersThatAreRead) {
  const auto written = [](std::string_view text) {
    const Source source = *make_source(text);
    std::string all;
    for (const DatePlace& place : read_dates(source).places)
      for (const Span& span : {place.fields.year, place.fields.month, place.fields.day})
        all += source.text().substr(span.start, span.end - span.start) + '|';
    return all;
  };
  EXPECT_EQ(written("3 Märch 2021"), "") << "no date without the letter";
  EXPECT_EQ(written("x3 xMarch x2021"), "2021|March|3|");
  EXPECT_EQ(written("31st February 2021 and 1 may 2002"), "2021|February|31st|2002|may|1|") << "impossible, and untrained";
  EXPECT_EQ(written("13/4/2021"), "2021|4|13|");
  EXPECT_EQ(written("3/4/2021"), "") << "day and month cannot be told apart";
  EXPECT_EQ(written("3 March 2021 was a Wednesday"), "") << "not all of it is understood";
}

TEST(TaskReading, WhateverTheGeneratorWritesIsRead) {
  Random random(11);
  for (int K = 1; K <= 6; ++K)
    for (int i = 0; i < 3000; ++i) {
      const Example example = draw_example(random, K);
      const Reading reading = read_dates(example.source);
      ASSERT_EQ(reading.K, K) << example.source;
      ASSERT_EQ(reading.expected.value_or("-"), example.target) << example.source;
      ASSERT_EQ(reading.notes.size(), K > max_trained_K ? 1u : 0u) << example.source;
    }
}

// Any one character taken out of, or put into, a source gives text of another meaning or a note, and never a silent
// misreading: a text in trained form is exactly what writing its dates gives.
TEST(TaskReading, SmallDamageIsNeverSilent) {
  Random random(12);
  for (int i = 0; i < 2000; ++i) {
    std::string text = draw_example(random, random.randint(1, 4)).source;
    const auto at = static_cast<size_t>(random.randbelow(static_cast<uint32_t>(text.size())));
    if (random.randbelow(2) == 0)
      text.erase(at, 1);
    else
      text.insert(at, 1, random.choice(std::string(" ,;/0aM")));
    const Reading reading = read_dates(text);
    if (reading.K == 0) {
      EXPECT_FALSE(reading.notes.empty()) << text;
      EXPECT_FALSE(reading.expected.has_value()) << text;
    } else {
      bool exist = true;
      for (const Note& note : reading.notes) exist = exist && note.code != NoteCode::IMPOSSIBLE_DATE;
      EXPECT_EQ(reading.expected.has_value(), exist) << text;
    }
    for (const Note& note : reading.notes) EXPECT_EQ(note.message.back(), '.');
  }
}

// Case L07.
TEST(TaskReading, MoreDatesThanTrainedAreReadAndMarked) {
  EXPECT_EQ(told("1 May 2020; 2 May 2020; 3rd May 2020; May 4, 2020; 2020/5/5"),
            "5 2020-05-01 2020-05-02 2020-05-03 2020-05-04 2020-05-05\n"
            "OUTSIDE_TRAINING 0..0 5 dates: outside training (K <= 4), so the answer may be wrong.");
  EXPECT_EQ(told("May 1, 2020, May 2, 2020, May 3, 2020, May 4, 2020, May 5, 2020 and May 6, 2020"),
            "6 2020-05-01 2020-05-02 2020-05-03 2020-05-04 2020-05-05 2020-05-06\n"
            "OUTSIDE_TRAINING 0..0 6 dates: outside training (K <= 4), so the answer may be wrong.");
}

TEST(TaskReading, OtherYearsAreReadAndMarked) {
  EXPECT_EQ(told("3 March 1850"),
            "1 1850-03-03\n"
            "OUTSIDE_TRAINING 0..12 The year 1850 is outside training (1900 to 2099), so the answer may be wrong.");
  EXPECT_EQ(told("3 March 2021; 2100/1/1"),
            "2 2021-03-03 2100-01-01\n"
            "OUTSIDE_TRAINING 14..22 The year 2100 is outside training (1900 to 2099), so the answer may be wrong.");
  EXPECT_EQ(told("1 January 1900 and 31 December 2099"), "2 1900-01-01 2099-12-31");
}

TEST(TaskReading, DaysThatDoNotExistSayWhy) {
  const auto impossible = [](std::string_view text, std::string_view why) {
    EXPECT_EQ(told(text), "1 -\nIMPOSSIBLE_DATE 0.." + std::to_string(text.size()) + " The date \"" +
                              std::string(text) + "\" does not exist: " + std::string(why) + '.');
  };
  impossible("31 February 2021", "February 2021 has 28 days");
  impossible("Feb 30, 2024", "February 2024 has 29 days");
  impossible("29 February 1900", "February 1900 has 28 days");
  impossible("31st April 2021", "April 2021 has 30 days");
  impossible("32nd January 2021", "January 2021 has 31 days");
  impossible("2021/13/1", "months go from 1 to 12");
  impossible("2021/0/1", "months go from 1 to 12");
  impossible("0 March 2021", "days count from 1");
  EXPECT_EQ(told("29 February 2000"), "1 2000-02-29");
  EXPECT_EQ(told("3 March 2021 and 2021/2/31"),
            "2 -\nIMPOSSIBLE_DATE 17..26 The date \"2021/2/31\" does not exist: February 2021 has 28 days.");
}

TEST(TaskReading, DatesInOtherFormsAreGuesses) {
  const auto untrained = [](std::string_view text, std::string_view why, std::string_view as_trained = "") {
    EXPECT_EQ(told(text), "0 -\nUNTRAINED_FORM 0.." + std::to_string(text.size()) + ' ' +
                              untrained_date(text, why, as_trained));
  };
  untrained("3/4/2021", "it may mean 3 April or 4 March", "\"2021/4/3\" or \"2021/3/4\"");
  untrained("13/4/2021", "the year comes last", "\"2021/4/13\"");
  untrained("4/13/2021", "the year comes last", "\"2021/4/13\"");
  untrained("4/4/2021", "the year comes last", "\"2021/4/4\"");
  untrained("03/04/21", "the year does not have four digits");
  untrained("3 March 21", "the year does not have four digits");
  untrained("3 March 20211", "the year does not have four digits");
  untrained("march 3 2021", "the month has no capital letter", "\"March 3, 2021\"");
  untrained("3 mar 2021", "the month has no capital letter", "\"3 Mar 2021\"");
  untrained("03 March 2021", "\"03\" starts with a zero", "\"3 March 2021\"");
  untrained("2021/03/3", "\"03\" starts with a zero", "\"2021/3/3\"");
  untrained("3th March 2021", "the day ends in \"th\", not in \"rd\"", "\"3rd March 2021\"");
  untrained("3 Marhc 2021", "\"Marhc\" is no month of the training data");
  for (const char* text : {"March 3 2021", "March 3rd, 2021", "March  3, 2021", "March 3 , 2021"})
    untrained(text, "its words, commas or spaces differ", "\"March 3, 2021\"");
  untrained("Sept 3, 2021", "its words, commas or spaces differ", "\"September 3, 2021\"");
  untrained("3 March, 2021", "its words, commas or spaces differ", "\"3 March 2021\"");
  untrained("3March2021", "its words, commas or spaces differ", "\"3 March 2021\"");
  untrained("3rd Mar 2021", "its words, commas or spaces differ", "\"3rd March 2021\"");
  untrained("2021 / 3 / 3", "its words, commas or spaces differ", "\"2021/3/3\"");
}

TEST(TaskReading, OneTextMayHaveMoreThanOneNote) {
  EXPECT_EQ(told("31 february 2021; 3 Mar 1850"),
            "0 -\n"
            "UNTRAINED_FORM 0..16 " +
                untrained_date("31 february 2021", "the month has no capital letter") +
                "\n"
                "OUTSIDE_TRAINING 18..28 The year 1850 is outside training (1900 to 2099), so the answer may be "
                "wrong.\n"
                "IMPOSSIBLE_DATE 0..16 The date \"31 february 2021\" does not exist: February 2021 has 28 days.");
}

TEST(TaskReading, OtherJoiningsAreGuesses) {
  for (const char* text : {"3 March 2021, 4 March 2021", "March 3, 2021, March 4, 2021", "3 March 2021 4 March 2021",
                           "3 March 2021 And 4 March 2021", "3 March 2021 to 4 March 2021",
                           "from 3 March 2021 and 4 March 2021", "between 3 March 2021 to 4 March 2021",
                           "3 March 2021;4 March 2021"})
    EXPECT_EQ(told(text),
              "0 -\nUNTRAINED_FORM 0..0 2 dates are joined in training as \"from A to B\", \"between A and B\", "
              "\"A and B\" or \"A; B\", not as here, so the answer is a guess.")
        << text;
  EXPECT_EQ(told("1 May 2020, 2 May 2020, 3 May 2020"),
            "0 -\nUNTRAINED_FORM 0..0 3 dates are joined in training as \"A, B and C\" or \"A; B; C\", not as here, so "
            "the answer is a guess.");
  EXPECT_EQ(told("from 3 March 2021"),
            "0 -\nUNTRAINED_FORM 0..0 In training one date stands alone, without other words or marks, so the answer "
            "is a guess.");
  for (const char* text : {" 3 March 2021", "3 March 2021 "})
    EXPECT_EQ(told(text),
              "0 -\nUNTRAINED_FORM 0..0 The text starts or ends with a space, which never happens in training, so the "
              "answer is a guess.");
}

TEST(TaskReading, OtherTextIsAGuess) {
  const auto other = [](std::string_view text, int start, std::string_view quote) {
    EXPECT_EQ(told(text),
              "0 -\nUNTRAINED_FORM " + std::to_string(start) + ".." + std::to_string(text.size()) +
                  " The model was never trained on a text with \"" + std::string(quote) +
                  "\" here, so its answer is a guess; in training a date looks like \"3 March 2021\", "
                  "\"March 3, 2021\", \"3 Mar 2021\", \"Mar 3, 2021\", \"3rd March 2021\" or \"2021/3/3\".");
  };
  other("hello there", 0, "hello there");
  other("3 March", 0, "3 March");
  other("March 2021", 0, "March 2021");
  other("20210303", 0, "20210303");
  other("3 and 4 March 2021", 0, "3 and 4 March 2021");
  other("3 March 2021 is a day as all the others", 13, "is a day as all the othe...");
  other("3 March 2021; ", 12, "; ");
  other("from ", 0, "from ");
  other(",", 0, ",");
  other("2021/3/3/4", 8, "/4");
}

// Case L03: the letter and its place, and what the model makes of the rest.
TEST(TaskReading, UnknownLettersAreNamedOnce) {
  EXPECT_EQ(told("3 März 2021"),
            "0 -\n"
            "UNKNOWN_LETTER 3..4 The model has no letter \"ä\"; it is skipped (position 4).\n"
            "UNKNOWN_LETTER 5..6 The model has no letter \"z\"; it is skipped (position 6).\n"
            "UNTRAINED_FORM 0..11 " +
                untrained_date("3 Mr 2021", "\"Mr\" is no month of the training data"));
  EXPECT_EQ(told("3 March 2021\n"),
            "1 2021-03-03\nUNKNOWN_LETTER 12..13 The model has no character U+000A; it is skipped (position 13).");
  EXPECT_EQ(told("😀3 March 1850"),
            "1 1850-03-03\n"
            "UNKNOWN_LETTER 0..1 The model has no character \"😀\"; it is skipped (position 1).\n"
            "OUTSIDE_TRAINING 1..13 The year 1850 is outside training (1900 to 2099), so the answer may be wrong.");
  EXPECT_EQ(told("x3 xMarch x2021"),
            "1 2021-03-03\nUNKNOWN_LETTER 0..1 The model has no letter \"x\"; it is skipped (positions 1, 4 and 11).");
  EXPECT_EQ(told("xxxx3 March 2021x"),
            "1 2021-03-03\n"
            "UNKNOWN_LETTER 0..1 The model has no letter \"x\"; it is skipped (positions 1, 2, 3 and 2 more).");
}

TEST(TaskReading, TextThatMakesNoSourceHasNoNotes) {
  for (const std::string& text : {std::string(), std::string("日本"), std::string(10000, '3')})
    EXPECT_EQ(told(text), "0 -");
}

TEST(TaskReading, AnUnfinishedAnswerHasItsNote) {
  const Note note = unfinished_note(128);
  EXPECT_EQ(name(note.code), "UNFINISHED");
  EXPECT_EQ(note.message, "The answer is unfinished: it met the limit of 128 tokens before <eos>.");
  EXPECT_EQ(note.start, note.end);
}

}  // namespace
}  // namespace softalign
