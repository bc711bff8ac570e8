// The report of a folder of models: one self-contained page of tables and pictures.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/evaluation.h"
#include "native/json.h"
#include "shared/io/checkpoint.h"

namespace softalign {

// What a model reads in one text.
struct ReportReading {
  std::string text, target;
  Decoded decoded;
};

// What was measured of one model, and how it was trained as far as its manifest tells.
struct ReportModel {
  std::string name;
  Config config;
  int steps = 0;  // of training; 0: not stated
  Evaluation evaluation;
  std::vector<ReportReading> readings;  // none of a model without attention
  Json manifest;                        // null: there is none, or it is of other weights
};

struct Report {
  std::vector<ReportModel> models;  // at least one, measured on the same examples
  std::string made;                 // date and program, for people
};

std::string report_page(const Report& report);
// What a report begins with.
extern const std::string_view report_start;

}  // namespace softalign
