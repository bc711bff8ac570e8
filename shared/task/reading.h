// Reads a source by grammar, without a model: the ISO dates that it says, and what its writer should know beforehand.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/task/dates.h"
#include "shared/task/source.h"

namespace softalign {

enum class NoteCode {
  UNKNOWN_LETTER,    // a letter outside the vocabulary: it is skipped
  OUTSIDE_TRAINING,  // a form of training, with more dates or other years than there
  UNTRAINED_FORM,    // a text that the training data could not have held
  IMPOSSIBLE_DATE,   // a date whose day does not exist
  UNFINISHED,        // the answer met its length limit; noted by whoever decodes, with `unfinished_note`
};
std::string_view name(NoteCode code);

struct Note {
  NoteCode code;
  std::string message;     // one sentence with its full stop
  int start = 0, end = 0;  // code points [start, end) of the text that it speaks of; empty for the whole text
};

// Where a source writes a date: characters that the model reads, as in Source::text.
struct DatePlace {
  Span span;
  Fields fields;
  bool operator==(const DatePlace&) const = default;
};

struct Reading {
  int K = 0;                            // dates of a text in a trained form; 0 when it is in none
  std::optional<std::string> expected;  // the ISO dates, when K > 0 and each of them exists
  std::vector<DatePlace> places;        // of the dates, where the whole text is understood and each date can be told
  std::vector<Note> notes;
};

// Unknown letters are left out before reading, as they are for the model.
Reading read_dates(const Source& source);
// The same for a typed text; one that makes no Source has K = 0 and no notes, since make_source says why.
Reading read_dates(std::string_view utf8);

// The note of an answer that was still going on after `max_len` tokens.
Note unfinished_note(int max_len);

}  // namespace softalign
