// The charts of a report, as SVG.
#pragma once
#include <span>
#include <string>

#include "native/report.h"

namespace softalign {

// Losses of all models that have a curve on one logarithmic axis; empty when none has.
std::string loss_chart(std::span<const ReportModel> models);
// Bars of exact match by K, free running, each with a line at the token accuracy under teacher forcing; `id` is its own
// among those of the page.
std::string answers_chart(const ReportModel& model, const std::string& id);
// CSS, which asks for colour_roles.
extern const std::string_view chart_style;

}  // namespace softalign
