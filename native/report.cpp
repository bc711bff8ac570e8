// Writes a report's sections: what models write, what they foretell, how they learnt, and where they look.
#include "native/report.h"

#include <algorithm>
#include <functional>

#include "native/heat_map_svg.h"
#include "native/markup.h"
#include "native/report_charts.h"
#include "native/report_style.h"
#include "native/report_table.h"

namespace softalign {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* nothing = "–";

// On one line.
std::string K_equals(int K) { return "K = " + std::to_string(K); }

std::string rate(double share) { return fixed(share, 3); }
std::string code(std::string_view text) { return "<code>" + escaped(text) + "</code>"; }
std::string heading(const std::string& id, const std::string& title) {
  return "<h2 id=\"" + id + "\">" + title + "</h2>\n";
}
std::string paragraph(const std::string& markup) { return "<p>" + markup + "</p>\n"; }
std::string scrolling(const std::string& label, const std::string& svg) {
  return "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"" + label + "\">" + svg + "</div>";
}

// The share over all examples.
double over_all(const Metrics& metrics, const std::map<int, double>& by_K) {
  double right = 0, total = 0;
  for (const auto& [K, n] : metrics.n) {
    right += by_K.at(K) * n;
    total += n;
  }
  return right / total;
}
size_t examples_in(const Metrics& metrics) {
  size_t total = 0;
  for (const auto& [K, n] : metrics.n) total += static_cast<size_t>(n);
  return total;
}

class Page {
 public:
  explicit Page(const Report& report) : report_(report), models_(report.models), n_(models_[0].evaluation.metrics.n) {
    for (const ReportModel& model : models_)
      if (model.evaluation.metrics.alignment) attending_.push_back(&model);
  }

  std::string html() const {
    const std::string title = "softalign report: " + std::to_string(models_.size()) +
                              (models_.size() == 1 ? " model" : " models");
    std::string text = std::string(report_start) + "<head><meta charset=\"utf-8\"><title>" + title +
                       "</title><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                       "<meta name=\"color-scheme\" content=\"light dark\"><style>";
    text += std::string(colour_roles) + std::string(report_style) + std::string(heat_map_style) +
            std::string(chart_style) + "</style></head>\n<body>\n" + header() + "<main>\n" + answers() + forced() +
            training();
    if (!attending_.empty()) text += attention() + maps();
    return text + "</main>\n" + footer() + "</body></html>\n";
  }

 private:
  Cells titles(const std::string& first, bool with_all) const {
    Cells cells{first};
    for (const auto& [K, count] : n_) cells.push_back(K_equals(K));
    if (with_all) cells.push_back("all");
    return cells;
  }
  // A row for each K, and one over all.
  static Cells rates(const std::string& name, const Rate& rates, int decimals = 3) {
    Cells cells{name};
    for (const auto& [K, share] : rates.by_K) cells.push_back(fixed(share, decimals));
    cells.push_back(fixed(rates.all, decimals));
    return cells;
  }
  static Rate exact_match(const ReportModel& model) {
    const Metrics& metrics = model.evaluation.metrics;
    return {over_all(metrics, metrics.exact_match), metrics.exact_match};
  }

  std::string header() const {
    std::string best;
    std::vector<const ReportModel*> order;
    for (const ReportModel& model : models_) order.push_back(&model);
    std::stable_sort(order.begin(), order.end(), [](const ReportModel* one, const ReportModel* other) {
      return exact_match(*one).all > exact_match(*other).all;
    });
    for (const ReportModel* model : order)
      best += (best.empty() ? "" : ", ") + code(model->name) + " " + rate(exact_match(*model).all);
    std::string links;
    const auto link = [&](const char* id, const char* words) {
      links += std::string("<li><a href=\"#") + id + "\">" + words + "</a></li>";
    };
    link("answers", "Answers"), link("forced", "Foretelling"), link("training", "Training");
    if (!attending_.empty()) link("attention", "Attention"), link("maps", "Maps");
    return "<header><h1>What the models read in written dates</h1>\n<p class=\"lead\">Share of sources whose whole "
           "answer is right, free running: " +
           best + ".</p>\n" + paragraph(measured_on()) + "<nav aria-label=\"Sections\"><ul>" + links +
           "</ul></nav></header>\n";
  }

  std::string measured_on() const {
    const Evaluation& evaluation = models_[0].evaluation;
    std::string counts;
    for (const auto& [K, n] : n_) counts += (counts.empty() ? "" : ", ") + std::to_string(n) + " at " + K_equals(K);
    return "Measured on " + with_commas(examples_in(evaluation.metrics)) + " sources of the " + evaluation.split +
           " split, K dates in each (" + counts + "). Free running means that a model reads only the tokens that it "
           "wrote itself.";
  }

  std::string answers() const {
    std::string panels;
    for (size_t m = 0; m < models_.size(); ++m)
      panels += "<figure><figcaption>" + code(models_[m].name) + "</figcaption>" +
                answers_chart(models_[m], "answers-" + std::to_string(m)) + "</figure>\n";
    ReportTable exact("Exact match, free running: share of sources whose whole output is right", titles("model", true));
    ReportTable formed("Well formed: share of outputs that are K existing dates, right or wrong", titles("model", false));
    for (const ReportModel& model : models_) {
      exact.row(rates(code(model.name), exact_match(model)));
      Cells cells{code(model.name)};
      for (const auto& [K, share] : model.evaluation.metrics.well_formed) cells.push_back(rate(share));
      formed.row(cells);
    }
    return heading("answers", "Answers, free running") + "<div class=\"panels\">" + panels + "</div>\n" +
           "<p class=\"muted\"><span class=\"key\"></span> exact match, free running, with its number; "
           "<span class=\"key forced\"></span> token accuracy given the right tokens so far, which is easier.</p>\n" +
           exact.html() + per_date() + formed.html();
  }

  std::string per_date() const {
    Cells names{"model"};
    std::vector<std::pair<std::string, int>> counts;
    for (const auto& [K, count] : n_) {
      counts.emplace_back(K_equals(K), K);
      for (int date = 1; date <= K; ++date) names.push_back("date " + std::to_string(date));
    }
    ReportTable table("Each date by itself: share that is right", names);
    table.above(counts);
    for (const ReportModel& model : models_) {
      Cells cells{code(model.name)};
      for (const auto& [K, shares] : model.evaluation.metrics.per_date)
        for (const double share : shares) cells.push_back(rate(share));
      table.row(cells);
    }
    return table.html();
  }

  std::string forced() const {
    ReportTable table("Free running beside teacher forcing", titles("model", true));
    const auto block = [&](const std::string& title, int decimals, const std::function<Rate(const ReportModel&)>& of) {
      table.group(title);
      for (const ReportModel& model : models_) table.row(rates(code(model.name), of(model), decimals));
    };
    block("Exact match, free running", 3, exact_match);
    block("Token accuracy, teacher forcing", 3, [](const ReportModel& m) { return m.evaluation.teacher_forced.token_accuracy; });
    block("Loss in nats per token, teacher forcing", 6, [](const ReportModel& m) { return m.evaluation.teacher_forced.loss; });
    return heading("forced", "Foretelling is not writing") +
           paragraph("Under teacher forcing a model is given the right tokens so far and foretells one more, "
                     "<code>&lt;eos&gt;</code> among them. A model can be good at that and still write few answers "
                     "that are right: its own first wrong token leads it to the next.") +
           table.html();
  }

  std::string training() const {
    const std::string chart = loss_chart(models_);
    std::string figure, without;
    for (const ReportModel& model : models_)
      if (model.manifest.is_null()) without += (without.empty() ? "" : ", ") + code(model.name);
    if (!chart.empty())
      figure = "<figure>" + scrolling("Chart of training losses", chart) +
               "<figcaption>Recorded in training: the loss of one batch of 128 at a time (thin), and the geometric mean "
               "of nine neighbours (thick).</figcaption></figure>\n";
    if (!without.empty())
      figure += paragraph("No manifest tells of the training of " + without + ": it is absent, or of other weights.");
    return heading("training", "Training") + figure + models_table();
  }

  std::string models_table() const {
    ReportTable table("The models", {"model", "score", "ordering", "encoder", "parameters", "steps", "seed", "training time"});
    for (const ReportModel& model : models_) {
      const auto told = [&](const char* key) { return model.manifest.is_object() ? model.manifest.value(key, Json()) : Json(); };
      const Json seed = told("seed"), seconds = told("seconds");
      table.row({code(model.name), name(model.config.score), name(model.config.ordering), name(model.config.encoder),
                 with_commas(parameter_count(model.config)),
                 model.steps > 0 ? with_commas(static_cast<size_t>(model.steps)) : nothing,
                 seed.is_number() ? escaped(seed.dump()) : nothing,
                 seconds.is_number() ? fixed(seconds, 0) + " s" : nothing});
    }
    return table.html();
  }

  std::string attention() const {
    using Rates = std::array<Rate, tolerances.size()>;
    const auto table = [&](const std::string& caption, Rates AlignmentMetrics::*hits, Rates AlignmentMetrics::*chances) {
      ReportTable rows(caption, titles("model", true));
      for (const int tol : tolerances) {
        rows.group(tol == 0 ? "Inside it" : "At most " + std::to_string(tol) + " after it");
        for (const ReportModel* model : attending_)
          rows.row(rates(code(model->name), ((*model->evaluation.metrics.alignment).*hits)[tol]));
        rows.row(rates("by chance", ((*attending_[0]->evaluation.metrics.alignment).*chances)[tol]));
      }
      return rows.html();
    };
    ReportTable sharp("Share of rows with more than 0.99 on one character", titles("model", true));
    for (const ReportModel* model : attending_)
      sharp.row(rates(code(model->name), model->evaluation.metrics.alignment->one_hot_share));
    return heading("attention", "Where attention looks") +
           paragraph("Under teacher forcing, over every digit of every target: where the largest weight of its row "
                     "lies. By chance is what a position drawn evenly from the source would reach. At K = 1 the date "
                     "is the whole source, so that any weights reach 1.") +
           table("Alignment: share whose largest weight lies in the digit’s date", &AlignmentMetrics::alignment_hit_rate,
                 &AlignmentMetrics::chance_hit_rate) +
           table("Field: share whose largest weight lies in the digit’s own year, month or day",
                 &AlignmentMetrics::field_hit_rate, &AlignmentMetrics::chance_field_rate) +
           sharp.html();
  }

  std::string maps() const {
    std::string text = heading("maps", "Maps of attention") +
                       paragraph("Free running. A row is a written token, a column a character of the source; the "
                                 "weights of a row add up to 1, and p is the token’s probability.") +
                       showcase_table();
    for (size_t m = 0; m < attending_.size(); ++m) {
      text += "<h3>" + code(attending_[m]->name) + "</h3>\n";
      for (size_t r = 0; r < attending_[m]->readings.size(); ++r)
        text += map(*attending_[m], attending_[m]->readings[r], "map-" + std::to_string(m) + "-" + std::to_string(r));
    }
    return text;
  }

  static std::string map(const ReportModel& model, const ReportReading& reading, const std::string& id) {
    const Source source = make_source(reading.text).value();
    const std::string output = output_text(reading.decoded.tokens);
    const std::string verdict = output == reading.target ? "right" : "wrong: the dates are " + code(reading.target);
    return "<figure>" +
           scrolling("Map of " + escaped(model.name) + " on " + escaped(reading.text),
                     heat_map_svg({reading.text, source, reading.decoded, model.name}, id)) +
           "<figcaption>" + code(reading.text) + " → " + code(output) + ", " + verdict + "; log_prob " +
           fixed(reading.decoded.log_prob, 6) + " nats</figcaption></figure>\n";
  }

  std::string showcase_table() const {
    ReportTable table("On " + std::string(showcase) + ", which was kept out of training",
                      {"model", "output", "log_prob", "rows over 0.99", "largest weight of each row at"});
    for (const ReportModel& model : models_) {
      const Showcase& shown = model.evaluation.showcase;
      std::string rows = nothing, places = nothing;
      if (shown.looks) {
        rows = std::to_string(shown.looks->one_hot_rows) + " of " + std::to_string(shown.tokens.size());
        places.clear();
        for (const int place : shown.looks->largest_at) places += (places.empty() ? "" : " ") + std::to_string(place);
      }
      table.row({code(model.name), code(output_text(shown.tokens)), fixed(shown.log_prob, 6), rows, places});
    }
    return table.html();
  }

  std::string footer() const {
    std::string times;
    for (const ReportModel& model : models_)
      times += (times.empty() ? "" : ", ") + code(model.name) + " " + fixed(model.evaluation.seconds, 1) + " s";
    return "<footer><h2 id=\"how\">How this was measured</h2>\n<p>" + escaped(report_.made) + ", backend " +
           escaped(models_[0].evaluation.judge) + ". Measuring took " + times +
           ". Only the losses over training steps, seeds and training times are read from manifests.</p></footer>\n";
  }

  const Report& report_;
  const std::vector<ReportModel>& models_;
  const std::map<int, int>& n_;
  std::vector<const ReportModel*> attending_;
};

}  // namespace

const std::string_view report_start = "<!doctype html>\n<html lang=\"en\" data-from=\"softalign evaluate\">\n";

std::string report_page(const Report& report) { return Page(report).html(); }

}  // namespace softalign
