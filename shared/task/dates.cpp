// The calendar, the six forms and the joinings as tables, and the splits drawn from them.
#include "shared/task/dates.h"

#include <set>

#include "shared/io/message.h"

namespace softalign {
namespace {

constexpr std::array<std::string_view, 12> month_names{
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

constexpr std::array<Joining, 1> joinings_of_one{{{"", "", ""}}};
constexpr std::array<Joining, 4> joinings_of_two{{
    {"from ", "", " to "},      // from A to B
    {"between ", "", " and "},  // between A and B
    {"", "", " and "},          // A and B
    {"", "", "; "},             // A; B
}};
constexpr std::array<Joining, 2> joinings_of_more{{
    {"", ", ", " and "},  // A, B and C
    {"", "; ", "; "},     // A; B; C
}};

std::string padded(int number, size_t digits) {
  std::string text = message("%", {number});
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

using Sources = std::set<std::string>;

// Draws `count` examples of each K whose sources are new in their bucket and not excluded.
std::vector<Example> draw_split(uint64_t seed, int count, const Sources& excluded) {
  Random random(seed);
  std::vector<Example> split;
  split.reserve(static_cast<size_t>(max_trained_K * count));
  for (int K = 1; K <= max_trained_K; ++K) {
    Sources seen;
    while (seen.size() < static_cast<size_t>(count)) {
      Example example = draw_example(random, K);
      if (excluded.contains(example.source) || !seen.insert(example.source).second) continue;
      split.push_back(std::move(example));
    }
  }
  return split;
}

}  // namespace

Date date_of_day(int day) {
  assert(0 <= day && day < days_of_task && "date_of_day: a day of the task");
  Date date{first_year, 1, 1};
  const auto days_in_year = [](int year) { return 337 + days_in_month(year, 2); };
  for (; day >= days_in_year(date.year); ++date.year) day -= days_in_year(date.year);
  for (; day >= days_in_month(date.year, date.month); ++date.month) day -= days_in_month(date.year, date.month);
  date.day += day;
  return date;
}

int days_in_month(int year, int month) {
  assert(1 <= month && month <= 12 && "days_in_month: a month");
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  if (month == 2) return leap ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool is_date(Date date) {
  return 1 <= date.month && date.month <= 12 && 1 <= date.day && date.day <= days_in_month(date.year, date.month);
}

std::string iso(Date date) {
  return message("%-%-%", {padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)});
}

std::optional<Date> date_of_iso(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-dd";
  if (text.size() != shape.size()) return std::nullopt;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool digit = '0' <= text[i] && text[i] <= '9';
    if (shape[i] == 'd' ? !digit : text[i] != shape[i]) return std::nullopt;
  }
  const auto number = [&](size_t start, size_t length) {
    int value = 0;
    for (char digit : text.substr(start, length)) value = 10 * value + (digit - '0');
    return value;
  };
  const Date date{number(0, 4), number(5, 2), number(8, 2)};
  return is_date(date) ? std::optional(date) : std::nullopt;
}

std::string_view month_name(int month) {
  assert(1 <= month && month <= 12 && "month_name: a month");
  return month_names[static_cast<size_t>(month - 1)];
}

std::string_view ordinal_suffix(int day) {
  if (day % 100 / 10 == 1) return "th";  // 11th, 12th, 13th
  switch (day % 10) {
    case 1: return "st";
    case 2: return "nd";
    case 3: return "rd";
    default: return "th";
  }
}

Fields write_date(std::string& text, Date date, const Form& form) {
  Fields fields;
  for (char letter : form.pattern) {
    Span mark, *span = &mark;
    const int start = static_cast<int>(text.size());
    switch (letter) {
      case 'Y': text += padded(date.year, 4), span = &fields.year; break;
      case 'B': text += month_name(date.month), span = &fields.month; break;
      case 'b': text += month_name(date.month).substr(0, 3), span = &fields.month; break;
      case 'm': text += padded(date.month, 1), span = &fields.month; break;
      case 'd': text += padded(date.day, 1), span = &fields.day; break;
      case 'o': (text += padded(date.day, 1)) += ordinal_suffix(date.day), span = &fields.day; break;
      default: text += letter;
    }
    *span = {start, static_cast<int>(text.size())};
  }
  return fields;
}

std::span<const Joining> joinings(int K) {
  if (K == 1) return joinings_of_one;
  if (K == 2) return joinings_of_two;
  return joinings_of_more;
}

Example draw_example(Random& random, int K) {
  assert(K >= 1 && "draw_example: at least one date");
  const size_t count = static_cast<size_t>(K);
  Example example{{}, {}, K, std::vector<Date>(count), std::vector<Span>(count), std::vector<Fields>(count)};
  for (Date& drawn : example.dates) drawn = date_of_day(random.randint(0, days_of_task - 1));
  std::vector<const Form*> form(count);
  for (const Form*& drawn : form) drawn = &random.choice(forms);
  const std::span<const Joining> ways = joinings(K);
  // The lab draws the joining of two by choice, that of more by random() < 0.5, and none for one date.
  const Joining& joining = K == 1 ? ways[0] : K == 2 ? random.choice(ways) : ways[random.random() < 0.5 ? 0 : 1];

  example.source = joining.before;
  for (size_t k = 0; k < count; ++k) {
    if (k > 0) {
      example.source += k + 1 < count ? joining.between : joining.last;
      example.target += ' ';
    }
    example.spans[k].start = static_cast<int>(example.source.size());
    example.fields[k] = write_date(example.source, example.dates[k], *form[k]);
    example.spans[k].end = static_cast<int>(example.source.size());
    example.target += iso(example.dates[k]);
  }
  return example;
}

std::vector<Example> test_split() { return draw_split(0, test_examples_per_K, {}); }

std::vector<Example> train_split() {
  Sources excluded{std::string(showcase)};
  for (const Example& example : test_split()) excluded.insert(example.source);
  return draw_split(1, train_examples_per_K, excluded);
}

}  // namespace softalign
