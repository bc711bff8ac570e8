// The task's data is the lab's: calendar, forms, spans, and both splits byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "shared/io/sha256.h"
#include "shared/task/dates.h"
#include "shared/task/vocabulary.h"
#include "tests/cpp/task_splits.h"

namespace softalign {
namespace {

std::span<const Example> bucket(const std::vector<Example>& split, int K) {
  const size_t size = split.size() / max_trained_K;
  return std::span(split).subspan(static_cast<size_t>(K - 1) * size, size);
}

std::string slice(const std::string& text, Span span) {
  return text.substr(static_cast<size_t>(span.start), static_cast<size_t>(span.end - span.start));
}

TEST(TaskDates, Sha256KnowsTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 in_pieces;
  for (int i = 0; i < 1000; ++i) in_pieces.add(std::string(1000, 'a'));
  EXPECT_EQ(in_pieces.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Case L01: a date generator that could never draw the days 29 to 31.
TEST(TaskDates, EveryDayOfTheYearsIsThereOnce) {
  Date expected{1900, 1, 1};
  for (int day = 0; day < days_of_task; ++day) {
    ASSERT_EQ(iso(date_of_day(day)), iso(expected));
    ASSERT_TRUE(is_date(expected));
    auto& [year, month, of_month] = expected;
    if (++of_month > days_in_month(year, month)) of_month = 1, ++month;
    if (month > 12) month = 1, ++year;
  }
  EXPECT_EQ(iso(expected), "2100-01-01") << "the last day was 31 December 2099";
  EXPECT_TRUE(is_date({2000, 2, 29}));
  EXPECT_FALSE(is_date({1900, 2, 29}));
}

TEST(TaskDates, EveryDayIsDrawn) {
  Random random(20);
  const auto place = [](Date date) { return static_cast<size_t>((date.year * 12 + date.month) * 31 + date.day); };
  std::vector<bool> drawn(place({last_year, 12, 31}) + 1);
  for (int i = 0; i < 400000; ++i)
    for (const Date& date : draw_example(random, 4).dates) drawn[place(date)] = true;
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), true), days_of_task);
  EXPECT_TRUE(drawn[place({2000, 2, 29})]);
  EXPECT_FALSE(drawn[place({1900, 2, 29})]);
}

TEST(TaskDates, IsoReadsBackAndRefusesTheRest) {
  EXPECT_EQ(iso({2021, 3, 3}), "2021-03-03");
  EXPECT_EQ(iso({850, 11, 30}), "0850-11-30");
  for (int day = 0; day < days_of_task; day += 97) {
    const auto date = date_of_iso(iso(date_of_day(day)));
    ASSERT_TRUE(date.has_value());
    EXPECT_EQ(*date, date_of_day(day));
  }
  for (const char* text : {"", "2021-02-29", "2021-13-01", "2021-00-01", "2021-01-00", "2021-1-01", "2021-01-01 ",
                           "2021/01/01", "202-001-01", "a021-01-01"})
    EXPECT_FALSE(date_of_iso(text).has_value()) << text;
}

TEST(TaskDates, SixFormsWithTheirFields) {
  const std::vector<std::string> third{"3 March 2021",  "March 3, 2021", "3 Mar 2021",
                                       "Mar 3, 2021", "3rd March 2021", "2021/3/3"};
  ASSERT_EQ(forms.size(), third.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    std::string text;
    const Fields fields = write_date(text, {2021, 3, 3}, forms[i]);
    EXPECT_EQ(text, third[i]);
    EXPECT_EQ(slice(text, fields.year), "2021");
    EXPECT_EQ(slice(text, fields.day), forms[i].pattern[0] == 'o' ? "3rd" : "3");
    EXPECT_EQ(slice(text, fields.month), i == 5 ? "3" : i == 2 || i == 3 ? "Mar" : "March");
  }
  // Counted from 1: the year stands at 9 to 12, the month at 3 to 7, the day at 1.
  std::string text;
  EXPECT_EQ(write_date(text, {2021, 3, 3}, forms[0]), (Fields{{8, 12}, {2, 7}, {0, 1}}));
  EXPECT_EQ(text, showcase);
}

TEST(TaskDates, OrdinalSuffixes) {
  for (int day = 1; day <= 31; ++day) {
    const bool first = day == 1 || day == 21 || day == 31;
    const bool second = day == 2 || day == 22, third = day == 3 || day == 23;
    EXPECT_EQ(ordinal_suffix(day), first ? "st" : second ? "nd" : third ? "rd" : "th") << day;
  }
}

TEST(TaskDates, TestSplitIsTheLabs) {
  const std::vector<Example>& split = the_test_split();
  ASSERT_EQ(split.size(), 2000u);
  EXPECT_EQ(split[0].source + " -> " + split[0].target, "Apr 1, 2038 -> 2038-04-01");
  EXPECT_EQ(split[1].source + " -> " + split[1].target, "13 Jul 1914 -> 1914-07-13");
  EXPECT_EQ(split[500].source, "July 24, 2041; February 14, 1914");
  EXPECT_EQ(sha256(lines_of(split)), "6bde9e145e7a3aa32ca20ac15d7429df5f64358a262934c84b81f2d45d4a29e6");
}

TEST(TaskDates, TestSourcesHaveTheRecordedLengths) {
  struct Lengths {
    int K;
    double mean;
    size_t longest;
  };
  for (const Lengths& recorded : {Lengths{1, 12.6, 19}, {2, 32.5, 48}, {3, 43.4, 60}, {4, 58.2, 77}}) {
    double sum = 0;
    size_t longest = 0;
    for (const Example& example : bucket(the_test_split(), recorded.K)) {
      sum += static_cast<double>(example.source.size());
      longest = std::max(longest, example.source.size());
    }
    EXPECT_NEAR(sum / test_examples_per_K, recorded.mean, 0.05) << "K = " << recorded.K;
    EXPECT_EQ(longest, recorded.longest) << "K = " << recorded.K;
  }
}

// The hash was also printed by an independent generator of 30 lines over Python's own random module.
TEST(TaskDates, TrainSplitIsTheLabs) {
  const std::vector<Example>& split = the_train_split();
  ASSERT_EQ(split.size(), 100000u);
  EXPECT_EQ(split[0].source, "21st March 1948");
  EXPECT_EQ(split[25000].source, "between 10th March 1914 and 13th January 2097");
  EXPECT_EQ(split.back().source, "February 10, 1986, 1967/2/21, Mar 26, 1937 and 15 Oct 2057");
  EXPECT_EQ(sha256(lines_of(split)), "4eceb7d089fc48f578b504da13d4db8df986346048fd8406b411565cb4a1736e");
}

// Case L16: another standard library, other data. This file is compiled with g++ and with Emscripten's libc++.
TEST(TaskDates, FirstThousandPairsAreTheSameInEveryBuild) {
  EXPECT_EQ(sha256(lines_of(std::span(the_train_split()).first(1000))),
            "47ab38988e6fd98e853d77759c6bac89950fa588f31d509e58fe87746bb8595f");
}

// Case L02: test examples found inside the training data.
TEST(TaskDates, TrainAndTestShareNoSource) {
  for (int K = 1; K <= max_trained_K; ++K) {
    std::set<std::string> train, test;
    for (const Example& example : bucket(the_train_split(), K)) train.insert(example.source);
    for (const Example& example : bucket(the_test_split(), K)) test.insert(example.source);
    EXPECT_EQ(train.size(), static_cast<size_t>(train_examples_per_K)) << "all different at K = " << K;
    EXPECT_EQ(test.size(), static_cast<size_t>(test_examples_per_K)) << "all different at K = " << K;
    for (const std::string& source : test) EXPECT_FALSE(train.contains(source)) << source;
    EXPECT_FALSE(train.contains(std::string(showcase)));
  }
}

// What an example states about itself, for every form, joining and K of the split.
TEST(TaskDates, SpansAndFieldsSpellTheirDates) {
  for (const Example& example : the_test_split()) {
    SCOPED_TRACE(example.source);
    const auto K = static_cast<size_t>(example.K);
    ASSERT_TRUE(example.dates.size() == K && example.spans.size() == K && example.fields.size() == K);
    EXPECT_EQ(example.target.size(), 11 * K - 1);
    for (size_t k = 0; k < K; ++k) {
      const Date date = example.dates[k];
      const Span span = example.spans[k];
      const Fields& fields = example.fields[k];
      EXPECT_EQ(example.target.substr(11 * k, 10), iso(date));
      EXPECT_EQ(slice(example.source, fields.year), std::to_string(date.year));
      const std::string month = slice(example.source, fields.month), day = slice(example.source, fields.day);
      EXPECT_TRUE(month == std::to_string(date.month) || month == month_name(date.month) ||
                  month == month_name(date.month).substr(0, 3));
      EXPECT_TRUE(day == std::to_string(date.day) ||
                  day == std::to_string(date.day).append(ordinal_suffix(date.day)));
      for (Span field : {fields.year, fields.month, fields.day})
        EXPECT_TRUE(span.start <= field.start && field.end <= span.end);
      EXPECT_EQ(span.start, std::min({fields.year.start, fields.month.start, fields.day.start}));
      EXPECT_EQ(span.end, std::max({fields.year.end, fields.month.end, fields.day.end}));
    }
  }
}

TEST(TaskDates, SourcesUseTheWholeVocabularyAndNothingElse) {
  std::set<char> used;
  for (const Example& example : the_train_split()) used.insert(example.source.begin(), example.source.end());
  EXPECT_EQ(std::string(used.begin(), used.end()), source_characters);
}

}  // namespace
}  // namespace softalign
