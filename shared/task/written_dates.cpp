// A recursive-descent reader of loosely written dates. Whether a date is in a trained form is not decided by these
// rules: it is when writing it in one of the forms gives the same text.
#include "shared/task/written_dates.h"

#include <algorithm>
#include <cassert>

#include "shared/io/message.h"

namespace softalign {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }
bool is_letter(char c) { return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); }
char lower(char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool same_letters(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

struct Token {
  enum Kind { number, word, mark, none } kind = none;
  std::string_view text;
  int start = 0;
  int end() const { return start + static_cast<int>(text.size()); }

  bool is(std::string_view wanted) const { return same_letters(text, wanted); }
  bool is_one_of(std::initializer_list<std::string_view> wanted) const {
    return std::any_of(wanted.begin(), wanted.end(), [&](std::string_view one) { return is(one); });
  }
  bool is_joiner() const { return is_one_of({",", ";", "and", "to"}); }
  bool is_opener() const { return is_one_of({"from", "between"}); }
  bool is_suffix() const { return is_one_of({"st", "nd", "rd", "th"}); }
  bool may_name_month() const { return kind == word && !is_joiner() && !is_opener() && !is_suffix(); }
  bool starts_with_zero() const { return text.size() > 1 && text[0] == '0'; }
  // Numbers beyond any date are all the same to us.
  int value() const {
    int sum = 0;
    for (char digit : text) sum = std::min(10 * sum + (digit - '0'), 9999);
    return sum;
  }
  // 1 to 12 for a month's name or at least three of its first letters, in any case; else 0.
  int month() const {
    for (int m = 1; m <= 12; ++m)
      if (text.size() >= 3 && same_letters(text, month_name(m).substr(0, text.size()))) return m;
    return 0;
  }
};

// Spaces only part tokens.
std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    const bool number = is_digit(text[at]), word = is_letter(text[at]);
    if (number || word)
      while (end < text.size() && (number ? is_digit(text[end]) : is_letter(text[end]))) ++end;
    if (text[at] != ' ')
      tokens.push_back({number ? Token::number : word ? Token::word : Token::mark, text.substr(at, end - at),
                        static_cast<int>(at)});
    at = end;
  }
  return tokens;
}

// The tokens of one date and where they stand in it.
struct Parts {
  Token year, month, day, suffix;
  enum Order { day_first, month_first, year_first, year_last } order = day_first;

  Fields fields() const {
    const auto span = [](const Token& token) { return Span{token.start, token.end()}; };
    const Token& last = suffix.kind == Token::none ? day : suffix;
    return {span(year), span(month), {day.start, last.end()}};
  }
};

const Form& nearest_form(const Parts& parts) {
  const bool short_month = parts.month.text.size() == 3;
  const std::string_view pattern = parts.order == Parts::month_first ? (short_month ? "b d, Y" : "B d, Y")
                                   : parts.order != Parts::day_first ? "Y/m/d"
                                   : parts.suffix.kind != Token::none ? "o B Y"
                                   : short_month                      ? "d b Y"
                                                                      : "d B Y";
  return *std::find_if(forms.begin(), forms.end(), [&](const Form& form) { return form.pattern == pattern; });
}

std::string written(Date date, const Form& form) {
  std::string text;
  write_date(text, date, form);
  return text;
}

// What a reader should hear first about a date in none of the forms.
std::string first_oddity(const Parts& parts, Date date) {
  const Token& month = parts.month;
  if (parts.year.text.size() != 4) return "the year does not have four digits";
  if (parts.order == Parts::year_last) return "the year comes last";
  if (month.kind == Token::word && month.month() == 0) return message("\"%\" is no month of the training data", {month.text});
  if (month.kind == Token::word && lower(month.text[0]) == month.text[0]) return "the month has no capital letter";
  for (const Token& part : {parts.day, month})
    if (part.starts_with_zero()) return message("\"%\" starts with a zero", {part.text});
  if (parts.suffix.kind != Token::none && parts.suffix.text != ordinal_suffix(date.day))
    return message("the day ends in \"%\", not in \"%\"", {parts.suffix.text, ordinal_suffix(date.day)});
  return "its words, commas or spaces differ";
}

WrittenDate judged(std::string_view text, const Parts& parts, Span span) {
  const std::string_view piece =
      text.substr(static_cast<size_t>(span.start), static_cast<size_t>(span.end - span.start));
  const int month = parts.month.kind == Token::number ? parts.month.value() : parts.month.month();
  const Date date{parts.year.value(), month, parts.day.value()};
  const bool named_month = 1 <= month && month <= 12;
  WrittenDate result{span, parts.fields(), {}, {}, {}};
  if (parts.year.text.size() == 4 && (named_month || parts.month.kind == Token::number)) result.date = date;
  if (result.date)
    for (const Form& form : forms)
      if ((named_month || form.pattern == "Y/m/d") && written(date, form) == piece) return result;
  result.oddity = first_oddity(parts, date);
  if (result.date && is_date(date)) result.as_trained = message("\"%\"", {written(date, nearest_form(parts))});
  return result;
}

// 3/4/2021: what the first two numbers are can only be told when they are equal or one of them is no month.
WrittenDate judged_year_last(std::string_view text, const Token& one, const Token& other, const Token& year, Span span) {
  const auto may_be_month = [](const Token& token) { return 1 <= token.value() && token.value() <= 12; };
  const bool swapped = may_be_month(one) && !may_be_month(other);
  const Token &first = swapped ? other : one, &second = swapped ? one : other;
  WrittenDate result = judged(text, {year, second, first, {}, Parts::year_last}, span);
  const int a = first.value(), b = second.value();
  if (!result.date || !may_be_month(first) || a == b) return result;
  result.oddity = message("it may mean % % or % %", {a, month_name(b), b, month_name(a)});
  result.as_trained += message(" or \"%\"", {written({year.value(), a, b}, {"Y/m/d"})});
  result.date.reset();
  return result;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), tokens_(tokens_of(text)) {}

  WrittenDates read() {
    WrittenDates result;
    if (token().is_opener()) ++at_;
    while (std::optional<WrittenDate> date = read_date()) {
      result.dates.push_back(*std::move(date));
      result.understood = result.dates.back().span.end;
      if (at_ == tokens_.size()) result.understood = static_cast<int>(text_.size());
      while (token().is_joiner()) ++at_;
    }
    return result;
  }

 private:
  const Token& token(size_t ahead = 0) const { return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : end_; }
  bool number(size_t ahead = 0) const { return token(ahead).kind == Token::number; }
  const Token& take() { return at_ < tokens_.size() ? tokens_[at_++] : end_; }
  const Token& take_suffix() { return token().is_suffix() ? take() : end_; }
  void skip_comma() {
    if (token().is(",")) ++at_;
  }

  std::optional<WrittenDate> read_date() {
    const size_t begin = at_;
    std::optional<WrittenDate> date = number() ? (token(1).is("/") ? numerals() : day_first()) : month_first();
    if (!date) at_ = begin;
    return date;
  }

  Span span_from(const Token& first) const { return {first.start, tokens_[at_ - 1].end()}; }

  // number / number / number
  std::optional<WrittenDate> numerals() {
    if (!number(2) || !token(3).is("/") || !number(4)) return std::nullopt;
    const Token &a = token(0), &b = token(2), &c = token(4);
    at_ += 5;
    if (a.text.size() != 4 && c.text.size() == 4) return judged_year_last(text_, a, b, c, span_from(a));
    return judged(text_, {a, b, c, {}, Parts::year_first}, span_from(a));
  }

  // number [suffix] month [,] number
  std::optional<WrittenDate> day_first() {
    Parts parts;
    parts.day = take();
    parts.suffix = take_suffix();
    if (!token().may_name_month()) return std::nullopt;
    parts.month = take();
    return year_of(parts, parts.day);
  }

  // month number [suffix] [,] number
  std::optional<WrittenDate> month_first() {
    if (!token().may_name_month() || !number(1)) return std::nullopt;
    Parts parts;
    parts.order = Parts::month_first;
    parts.month = take();
    parts.day = take();
    parts.suffix = take_suffix();
    return year_of(parts, parts.month);
  }

  std::optional<WrittenDate> year_of(Parts& parts, const Token& first) {
    skip_comma();
    if (!number()) return std::nullopt;
    parts.year = take();
    return judged(text_, parts, span_from(first));
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  const Token end_;  // stands behind the last of them
  size_t at_ = 0;
};

}  // namespace

WrittenDates find_dates(std::string_view text) { return Reader(text).read(); }

}  // namespace softalign
