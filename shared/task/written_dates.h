// Finds the dates of a text however they are written, and says what sets each apart from the forms of training.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/task/dates.h"

namespace softalign {

struct WrittenDate {
  Span span;                 // characters of the text
  Fields fields;             // those of its year, month and day
  std::optional<Date> date;  // what it says, whether or not the day exists; nothing when that cannot be told
  std::string oddity;        // why it is in none of the six forms; empty when it is in one
  std::string as_trained;    // how training writes it, in quotes; empty when unknown
};

struct WrittenDates {
  std::vector<WrittenDate> dates;
  int understood = 0;  // the text was understood up to this character: its size when all of it was
};

// `text` holds source characters only. Spaces and commas may stand anywhere between the parts of a date; between the
// dates stand commas, semicolons and the words of the joinings.
WrittenDates find_dates(std::string_view text);

}  // namespace softalign
