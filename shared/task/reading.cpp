// From the dates found in a source to notes in plain sentences.
#include "shared/task/reading.h"

#include <algorithm>
#include <array>

#include "shared/io/message.h"
#include "shared/task/dates.h"
#include "shared/task/named.h"
#include "shared/task/written_dates.h"

namespace softalign {
namespace {

std::string_view slice(std::string_view text, Span span) {
  return text.substr(static_cast<size_t>(span.start), static_cast<size_t>(span.end - span.start));
}

// "a, b and c"
std::string listed(const std::vector<std::string>& items, const char* last) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 < items.size() ? ", " : last;
    text += items[i];
  }
  return text;
}

// One note for each letter, however often it occurs.
void note_unknown_letters(const Source& source, std::vector<Note>& notes) {
  const std::vector<UnknownCharacter>& unknown = source.unknown();
  for (size_t i = 0; i < unknown.size(); ++i) {
    const auto same = [&](const UnknownCharacter& other) { return other.character == unknown[i].character; };
    const auto here = unknown.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(unknown.begin(), here, same)) continue;
    std::vector<std::string> places;
    const auto count = static_cast<size_t>(std::count_if(here, unknown.end(), same));
    for (auto letter = here; letter != unknown.end() && places.size() < 3; ++letter)
      if (same(*letter)) places.push_back(message("%", {letter->position + 1}));
    if (count > places.size()) places.push_back(message("% more", {count - places.size()}));
    notes.push_back({NoteCode::UNKNOWN_LETTER,
                     message("The model has no %; it is skipped (position% %).",
                             {named(unknown[i].character), count > 1 ? "s" : "", listed(places, " and ")}),
                     unknown[i].position, unknown[i].position + 1});
  }
}

std::string written_forms() {
  std::vector<std::string> examples;
  for (const Form& form : forms) {
    std::string text;
    write_date(text, {2021, 3, 3}, form);
    examples.push_back(message("\"%\"", {text}));
  }
  return listed(examples, " or ");
}

// `from A to B`, with letters for the dates.
std::string letters_joined(const Joining& joining, int K) {
  std::string text(joining.before);
  for (int k = 0; k < K; ++k) {
    if (k > 0) text += k + 1 < K ? joining.between : joining.last;
    text += static_cast<char>('A' + k);
  }
  return message("\"%\"", {text});
}

// Whether the text around the dates is that of a joining of as many dates.
bool is_joined_as_trained(std::string_view text, const std::vector<WrittenDate>& dates) {
  const std::span<const Joining> ways = joinings(static_cast<int>(dates.size()));
  return std::any_of(ways.begin(), ways.end(), [&](const Joining& joining) {
    std::string joined(joining.before);
    for (size_t k = 0; k < dates.size(); ++k) {
      if (k > 0) joined += k + 1 < dates.size() ? joining.between : joining.last;
      joined += slice(text, dates[k].span);
    }
    return joined == text;
  });
}

std::string joining_message(std::string_view text, int K) {
  if (text.front() == ' ' || text.back() == ' ')
    return "The text starts or ends with a space, which never happens in training, so the answer is a guess.";
  if (K == 1) return "In training one date stands alone, without other words or marks, so the answer is a guess.";
  std::vector<std::string> ways;
  for (const Joining& joining : joinings(K)) ways.push_back(letters_joined(joining, std::min(K, 4)));
  return message("% dates are joined in training as %, not as here, so the answer is a guess.",
                 {K, listed(ways, " or ")});
}

std::string form_message(std::string_view piece, const WrittenDate& date) {
  return message("The model was never trained on dates written like \"%\" (%), so its answer is a guess%%.",
                 {piece, date.oddity, date.as_trained.empty() ? "" : "; in training it would be ", date.as_trained});
}

std::string year_of(Date date) { return iso(date).substr(0, 4); }

std::string why_impossible(Date date) {
  if (date.month < 1 || date.month > 12) return "months go from 1 to 12";
  if (date.day < 1) return "days count from 1";
  return message("% % has % days", {month_name(date.month), year_of(date), days_in_month(date.year, date.month)});
}

// Notes speak of code points of the typed text, the grammar of characters that the model reads.
class Grammar {
 public:
  Grammar(const Source& source, std::vector<Note>& notes) : source_(source), text_(source.text()), notes_(notes) {
    found_ = find_dates(text_);
  }

  bool in_trained_form() {
    bool trained = true;
    for (const WrittenDate& date : found_.dates) {
      if (date.oddity.empty()) continue;
      trained = false;
      note(NoteCode::UNTRAINED_FORM, form_message(slice(text_, date.span), date), date.span);
    }
    if (found_.understood < static_cast<int>(text_.size())) return note_rest(), false;
    if (is_joined_as_trained(text_, found_.dates)) return trained;
    note(NoteCode::UNTRAINED_FORM, joining_message(text_, static_cast<int>(found_.dates.size())), {});
    return false;
  }

  void note_outside_training() {
    const size_t K = found_.dates.size();
    if (K > max_trained_K)
      note(NoteCode::OUTSIDE_TRAINING,
           message("% dates: outside training (K <= %), so the answer may be wrong.", {K, max_trained_K}), {});
    for (const WrittenDate& written : found_.dates)
      if (written.date && (written.date->year < first_year || written.date->year > last_year))
        note(NoteCode::OUTSIDE_TRAINING,
             message("The year % is outside training (% to %), so the answer may be wrong.",
                     {year_of(*written.date), first_year, last_year}),
             written.span);
  }

  bool all_exist() {
    bool exist = true;
    for (const WrittenDate& written : found_.dates) {
      if (!written.date || is_date(*written.date)) continue;
      exist = false;
      note(NoteCode::IMPOSSIBLE_DATE,
           message("The date \"%\" does not exist: %.", {slice(text_, written.span), why_impossible(*written.date)}),
           written.span);
    }
    return exist;
  }

  std::vector<DatePlace> places() const {
    std::vector<DatePlace> places;
    if (found_.understood < static_cast<int>(text_.size())) return places;
    for (const WrittenDate& written : found_.dates) {
      if (!written.date) return {};
      places.push_back({written.span, written.fields});
    }
    return places;
  }

  int K() const { return static_cast<int>(found_.dates.size()); }
  std::string iso_dates() const {
    std::string dates;
    for (const WrittenDate& written : found_.dates) dates += message(dates.empty() ? "%" : " %", {iso(*written.date)});
    return dates;
  }

 private:
  void note(NoteCode code, std::string sentence, Span span) {
    const auto place = [&](int character) { return source_.positions()[static_cast<size_t>(character)]; };
    if (span.start < span.end) span = {place(span.start), place(span.end - 1) + 1};
    notes_.push_back({code, std::move(sentence), span.start, span.end});
  }

  void note_rest() {
    constexpr int quoted_length = 24;
    Span rest{found_.understood, static_cast<int>(text_.size())};
    while (text_[static_cast<size_t>(rest.start)] == ' ' && rest.start + 1 < rest.end) ++rest.start;
    note(NoteCode::UNTRAINED_FORM,
         message("The model was never trained on a text with \"%%\" here, so its answer is a guess; in training a date "
                 "looks like %.",
                 {slice(text_, {rest.start, std::min(rest.end, rest.start + quoted_length)}),
                  rest.end - rest.start > quoted_length ? "..." : "", written_forms()}),
         rest);
  }

  const Source& source_;
  const std::string& text_;
  std::vector<Note>& notes_;
  WrittenDates found_;
};

}  // namespace

std::string_view name(NoteCode code) {
  constexpr std::array<std::string_view, 5> names{"UNKNOWN_LETTER", "OUTSIDE_TRAINING", "UNTRAINED_FORM",
                                                  "IMPOSSIBLE_DATE", "UNFINISHED"};
  return names[static_cast<size_t>(code)];
}

Reading read_dates(const Source& source) {
  Reading reading;
  note_unknown_letters(source, reading.notes);
  Grammar grammar(source, reading.notes);
  const bool trained = grammar.in_trained_form();
  grammar.note_outside_training();
  const bool exist = grammar.all_exist();
  if (trained) reading.K = grammar.K();
  reading.places = grammar.places();
  if (trained && exist) reading.expected = grammar.iso_dates();
  return reading;
}

Reading read_dates(std::string_view utf8) {
  const Result<Source> source = make_source(utf8);
  return source ? read_dates(*source) : Reading{};
}

Note unfinished_note(int max_len) {
  return {NoteCode::UNFINISHED,
          message("The answer is unfinished: it met the limit of % tokens before <eos>.", {max_len})};
}

}  // namespace softalign
