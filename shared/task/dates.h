// The task: dates as people write them and their ISO form, the generator of examples, and the lab's splits.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/task/random.h"

namespace softalign {

struct Date {
  int year, month, day;
  bool operator==(const Date&) const = default;
};

// The dates of the task: every day of these years.
inline constexpr int first_year = 1900, last_year = 2099;
inline constexpr int days_of_task = 73049;

// Day 0 is 1 January 1900, day 73048 is 31 December 2099.
Date date_of_day(int day);
// 28 to 31; `month` lies in 1..12.
int days_in_month(int year, int month);
bool is_date(Date date);
// `2021-03-03`.
std::string iso(Date date);
// The date that an ISO string names; nothing when it has another shape or no such day exists.
std::optional<Date> date_of_iso(std::string_view text);
// "January" for 1.
std::string_view month_name(int month);
// "st", "nd", "rd" or "th".
std::string_view ordinal_suffix(int day);

// Code points [start, end) of a source.
struct Span {
  int start = 0, end = 0;
  bool operator==(const Span&) const = default;
};
struct Fields {
  Span year, month, day;  // the day's span holds its ordinal suffix
  bool operator==(const Fields&) const = default;
};

// How one date is written. In a pattern Y, m and d stand for the year, the month's number and the day, o for the day
// with its suffix, B for the month's name and b for its first three letters; all else stands for itself.
struct Form {
  std::string_view pattern;
};
inline constexpr std::array<Form, 6> forms{{
    {"d B Y"},   // 3 March 2021
    {"B d, Y"},  // March 3, 2021
    {"d b Y"},   // 3 Mar 2021
    {"b d, Y"},  // Mar 3, 2021
    {"o B Y"},   // 3rd March 2021
    {"Y/m/d"},   // 2021/3/3
}};
// Appends the date to `text`, one code point a byte, and says where its fields lie.
Fields write_date(std::string& text, Date date, const Form& form);

// How K dates become one source: `before`, then the dates with `between`, and `last` before the last one.
struct Joining {
  std::string_view before, between, last;
};
// The ways to join K dates, each as likely as the others.
std::span<const Joining> joinings(int K);

struct Example {
  std::string source, target;
  int K = 0;
  std::vector<Date> dates;     // K of each
  std::vector<Span> spans;     // where date k stands in the source
  std::vector<Fields> fields;  // and its year, month and day
};

// Draws K >= 1 dates, their forms and their joining, in the lab's order of draws.
Example draw_example(Random& random, int K);

inline constexpr int max_trained_K = 4;
inline constexpr int test_examples_per_K = 500, train_examples_per_K = 25000;
// The course's own example, kept out of the training split.
inline constexpr std::string_view showcase = "3 March 2021";

// 500 different sources for each K = 1, 2, 3, 4, in this order.
std::vector<Example> test_split();
// 25,000 different sources for each K, in this order; none of them is in the test split or the showcase.
std::vector<Example> train_split();

// The training order of every model: batch after batch, 128 different indices into the training split.
class BatchOrder {
 public:
  static constexpr uint32_t batch_size = 128;
  BatchOrder() : random_(uint64_t{2}) {}
  // Goes on where another order's generator stands.
  explicit BatchOrder(const Random& random) : random_(random) {}
  std::vector<uint32_t> next() { return random_.sample(max_trained_K * train_examples_per_K, batch_size); }
  const Random& random() const { return random_; }

 private:
  Random random_;
};

}  // namespace softalign
