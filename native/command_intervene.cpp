// `softalign intervene`: an answer before and after an edit of its attention, or how many answers of the test split change.
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "native/alpha_json.h"
#include "native/command_line.h"
#include "native/commands.h"
#include "native/evaluation.h"
#include "native/heat_map.h"
#include "native/interventions.h"
#include "native/judge.h"
#include "native/terminal.h"
#include "shared/eigen/inference_model.h"
#include "shared/io/message.h"

namespace softalign {
namespace {

using Kind = RowEdit::Kind;
constexpr std::array<std::string_view, 3> colours{"auto", "always", "never"};
constexpr const char* edit_names[] = {"--one-hot", "--uniform", "--shift", "--temperature", "--zero-context", "--free-row"};

struct InterveneFlags {
  std::string model = "models/dot.safetensors", colour = "auto";
  std::vector<std::string> texts;
  std::string rows = "all", one_hot, free_row, force;
  bool uniform = false, zero_context = false, json = false;
  int shift = 0, limit = 0, threads = all_cores();
  float temperature = 1;
  std::string edit;  // which of edit_names was given
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() && end == text.data() + text.size();
}

Error bad(std::string sentence) { return {ErrorCode::BAD_VALUE, std::move(sentence)}; }

struct RowRange {
  int first = 0, last = live_max_len_limit - 1;  // counted from 0
};

// "all", "5" or "1-4", counted from 1.
Result<RowRange> read_rows(std::string_view text) {
  if (text == "all") return RowRange{};
  const size_t dash = text.find('-');
  RowRange range;
  const bool read = read_number(text.substr(0, dash), range.first) &&
                    read_number(dash == text.npos ? text : text.substr(dash + 1), range.last);
  if (!read || range.first < 1 || range.last < range.first || range.last > live_max_len_limit)
    return bad(message("takes a row such as 5, rows such as 1-4, or all; rows count from 1 to %, and % is none of these",
                       {live_max_len_limit, quoted(text)}));
  --range.first, --range.last;
  return range;
}

// Counted from 1 as it is typed, from 0 as it is given back.
Result<int> read_position(std::string_view text) {
  if (text == "largest") return RowEdit::largest;
  int position = 0;
  if (read_number(text, position) && position >= 1) return position - 1;
  return bad(message("takes a position counted from 1, or largest, and % is neither", {quoted(text)}));
}

Result<float> read_temperature(std::string_view text) {
  float temperature = 0;
  if (read_number(text, temperature) && temperature >= least_temperature && temperature <= most_temperature) return temperature;
  return bad(message("% is not a number from 0.01 to 100", {quoted(text)}));
}

Result<std::vector<float>> read_weights(std::string_view text) {
  std::vector<float> weights;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t comma = std::min(rest.find(','), rest.size());
    float weight = 0;
    if (!read_number(rest.substr(0, comma), weight))
      return bad(message("takes weights separated by commas, such as 0.5,0.5,0, and % is none", {quoted(rest.substr(0, comma))}));
    weights.push_back(weight);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return weights;
}

// For CLI::Option::check: why a word cannot be read, or nothing.
template <class Read>
auto readable(Read read) {
  return [read](const std::string& word) {
    const auto found = read(word);
    return found ? std::string() : found.error().message;
  };
}

Result<RowEdit> read_edit(const InterveneFlags& flags) {
  RowEdit edit;
  if (flags.edit == "--one-hot") {
    const auto position = read_position(flags.one_hot);
    if (!position) return position.error();
    edit.kind = Kind::one_hot;
    edit.position = *position;
  } else if (flags.edit == "--shift") {
    edit.kind = Kind::shift, edit.by = flags.shift;
  } else if (flags.edit == "--temperature") {
    edit.kind = Kind::temperature, edit.temperature = flags.temperature;
  } else if (flags.edit == "--zero-context") {
    edit.kind = Kind::none;
  } else if (flags.edit == "--free-row") {
    const auto weights = read_weights(flags.free_row);
    if (!weights) return weights.error();
    edit.kind = Kind::row, edit.row = *weights;
  }
  return edit;
}

Result<Edits> read_edits(const InterveneFlags& flags, const RowRange& rows) {
  Edits edits;
  if (!flags.edit.empty()) {
    auto edit = read_edit(flags);
    if (!edit) return edit.error();
    edits.rows.push_back({rows.first, rows.last, *edit});
  }
  auto prefix = prefix_ids(flags.force);
  if (!prefix) return prefix.error();
  edits.prefix = std::move(*prefix);
  return edits;
}

// "every row", "row 5", "rows 1-4".
std::string row_words(const std::string& rows) {
  return rows == "all" ? "every row" : (rows.find('-') == rows.npos ? "row " : "rows ") + rows;
}

std::string described(const InterveneFlags& flags, const Edits& edits) {
  std::string text;
  if (!edits.rows.empty()) text = row_words(flags.rows) + ": " + described(edits.rows[0].edit);
  if (!edits.prefix.empty()) text += (text.empty() ? "" : "; ") + ("the beginning forced to \"" + flags.force + "\"");
  return text;
}

// One text before and after.
class Comparison {
 public:
  Comparison(const InterveneFlags& flags, const Edits& edits, InferenceModel& model)
      : flags_(flags), edits_(edits), model_(model), style_(output_style(flags.colour)) {}

  // False, with the reason printed, when the text or the edit cannot be taken.
  bool show(const std::string& text) {
    auto source = make_source(text);
    if (!source) return refuse(text, source.error());
    const int max_len = live_max_len(static_cast<int>(source->ids().size()));
    const Decoded before = model_.greedy(*source, max_len);
    const auto after = model_.greedy(*source, max_len, edits_);
    if (!after) return refuse(text, after.error());
    if (flags_.json)
      print_json(text, *source, before, *after);
    else
      print_text(text, *source, before, *after);
    return true;
  }

 private:
  bool refuse(const std::string& text, const Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "softalign intervene: %s: %s\n", name(error.code), error.message.c_str());
    if (flags_.json) print_line(refusal_json(text, error));
    return false;
  }

  // Bytes that are no UTF-8 are replaced.
  static void print_line(const Json& json) {
    std::printf("%s\n", json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
  }

  // The places, counted from 1, at which the tokens differ.
  static std::vector<int> differences(const Decoded& before, const Decoded& after) {
    std::vector<int> places;
    const size_t T = std::max(before.tokens.size(), after.tokens.size());
    for (size_t t = 0; t < T; ++t)
      if (t >= before.tokens.size() || t >= after.tokens.size() || before.tokens[t] != after.tokens[t])
        places.push_back(static_cast<int>(t) + 1);
    return places;
  }

  static Json answer(const Decoded& decoded) {
    Json tokens = Json::array();
    for (const int32_t id : decoded.tokens) tokens.push_back(token_text(id));
    return {{"output", output_text(decoded.tokens)},
            {"tokens", std::move(tokens)},
            {"log_prob", decoded.log_prob},
            {"finished", decoded.finished},
            {"alpha", alpha_rows(decoded.alpha)}};
  }

  void print_json(const std::string& text, const Source& source, const Decoded& before, const Decoded& after) {
    const std::vector<int> places = differences(before, after);
    Json json = {{"source", text}, {"edit", described(flags_, edits_)}, {"before", answer(before)}, {"after", answer(after)}};
    json["after"]["alpha_read"] = alpha_rows(after.alpha_read);
    json["changed"] = output_text(before.tokens) != output_text(after.tokens);
    json["differences"] = places;
    json["positions"] = source.positions();
    print_line(json);
  }

  void print_text(const std::string& text, const Source& source, const Decoded& before, Decoded after) {
    if (!std::exchange(first_, false)) std::printf("\n");
    const std::string outputs[] = {output_text(before.tokens), output_text(after.tokens)};
    const int width = static_cast<int>(std::max(outputs[0].size(), outputs[1].size()));
    std::printf("%s\n%s\n\n", harmless(text).c_str(), wrapped(described(flags_, edits_), style_.width, 6).c_str());
    std::printf("  before  %-*s  log_prob %11.6f%s\n", width, outputs[0].c_str(), before.log_prob, state(before));
    std::printf("  after   %-*s  log_prob %11.6f%s\n", width, outputs[1].c_str(), after.log_prob, state(after));
    std::string marks(width, ' ');
    for (int i = 0; i < width; ++i)
      if (outputs[0].substr(std::min<size_t>(i, outputs[0].size()), 1) != outputs[1].substr(std::min<size_t>(i, outputs[1].size()), 1))
        marks[i] = '^';
    marks.resize(marks.find_last_not_of(' ') + 1);
    const size_t count = differences(before, after).size();
    if (outputs[0] == outputs[1])
      std::printf("\n  The answer stays the same\n");
    else
      std::printf("          %s\n\n  %zu token%s differ%s, <eos> counted\n", marks.c_str(), count, count == 1 ? "" : "s",
                  count == 1 ? "s" : "");
    if (const size_t rows = after.tokens.size(); !edits_.rows.empty() && edits_.rows[0].first >= static_cast<int>(rows))
      std::printf("  The answer has %zu rows, <eos> counted, so no row was edited\n", rows);
    if (after.alpha_read.S > 0) after.alpha = after.alpha_read;
    if (after.alpha.S == 0) return;
    std::printf("\nWhat was read after the edit:\n%s", heat_map(source, after, style_).c_str());
  }

  static const char* state(const Decoded& decoded) { return decoded.finished ? "" : "  unfinished"; }

  const InterveneFlags& flags_;
  const Edits& edits_;
  InferenceModel& model_;
  TerminalStyle style_;
  bool first_ = true;
};

// Without a text: the given edit, or the usual ones, over the test split.
Result<int> run_study(const InterveneFlags& flags, const Checkpoint& checkpoint, const RowRange& rows, const Edits& edits) {
  const bool attends = checkpoint.config.attends();
  std::vector<Intervention> interventions;
  if (edits.rows.empty() && edits.prefix.empty())
    interventions = usual_interventions(attends, rows.first, rows.last);
  else
    interventions.push_back({described(flags, edits), [&](const Example&) { return edits; }});
  if (!flags.json)
    std::printf("%s: %s\n%s\n\n", flags.model.c_str(), describe(checkpoint).c_str(),
                !attends                                      ? "No rows of weights to edit: only a forced beginning is measured"
                : edits.rows.empty() && !edits.prefix.empty() ? "No rows of weights are edited"
                                                              : ("Edits of " + row_words(flags.rows)).c_str());
  std::fflush(stdout);
  const std::vector<Example> examples = examples_of("test", flags.limit);
  const auto measured = [&] {
    Progress line(static_cast<int>(examples.size()), Progress::Elsewhere::lines);
    return study(checkpoint, interventions, examples, [&](int done) { line.show(done, "sources"); }, flags.threads);
  }();
  if (!measured) return measured.error();
  if (flags.json) {
    Json json = {{"model", flags.model}, {"rows", flags.rows}};
    json.update(to_json(*measured));
    std::printf("%s\n", json.dump().c_str());
  } else {
    std::printf("%s", tables(*measured).c_str());
  }
  return exit_code::ok;
}

Result<int> run_intervene(const InterveneFlags& flags) {
  auto rows = read_rows(flags.rows);
  if (!rows) return rows.error();
  auto edits = read_edits(flags, *rows);
  if (!edits) return edits.error();
  auto checkpoint = load_checkpoint(flags.model);
  if (!checkpoint) return checkpoint.error();
  if (!flags.edit.empty() && !checkpoint->config.attends())
    return bad(flags.model + " is a plain model: it has no rows of weights to edit, and only --force changes what it reads");
  if (flags.texts.empty()) return run_study(flags, *checkpoint, *rows, *edits);
  auto model = InferenceModel::create(std::move(*checkpoint));
  if (!model) return Error{model.error().code, flags.model + ": " + model.error().message};
  Comparison comparison(flags, *edits, **model);
  bool good = true;
  for (const std::string& text : flags.texts) good &= comparison.show(unshielded(text));
  return good ? exit_code::ok : exit_code::failed;
}

// Which edit was given; with a text there must be one, and never two.
void note_edit(InterveneFlags& flags, const CLI::App& command) {
  for (const char* name : edit_names) {
    if (command.count(name) == 0) continue;
    if (!flags.edit.empty()) throw CLI::ValidationError(name, "rows are edited in one way at a time; leave out " + flags.edit);
    flags.edit = name;
  }
  if (!flags.texts.empty() && flags.edit.empty() && flags.force.empty())
    throw CLI::ValidationError("TEXT", "say what to change, such as --uniform, or --force 1999");
  if (flags.texts.empty() && (flags.edit == "--free-row" || (flags.edit == "--one-hot" && flags.one_hot != "largest")))
    throw CLI::ValidationError(flags.edit, "speaks of the characters of one text, so give a text");
}

}  // namespace

Run add_intervene(CLI::App& app) {
  auto flags = std::make_shared<InterveneFlags>();
  CLI::App& command = *app.add_subcommand(
      "intervene", "Edit what a model reads, or the beginning of its answer, and see what changes; without a text, over the test split");
  command.add_option("TEXT", flags->texts, "Texts to read before and after; without any, the test split is measured")
      ->type_name("");
  add_value(command, "--model", flags->model, "FILE", "Weights file");
  add_value(command, "--row", flags->rows, "ROWS", "Rows to edit, one a written token, counted from 1: 5, 1-4 or all")
      ->check(readable(read_rows));
  add_value(command, "--one-hot", flags->one_hot, "POSITION",
            "All weight on one character that is read, counted from 1, or, with the word largest, on each row's largest")
      ->default_str("off")->check(readable(read_position));
  add_switch(command, "--uniform", flags->uniform, "The same weight on every character");
  add_number(command, "--shift", flags->shift, -source_limit, source_limit,
             "Weights moved N characters to the right, below 0 to the left; the last one takes what would leave")
      ->default_str("off");
  add_value(command, "--temperature", flags->temperature, "X", "Scores divided by X, 0.01 to 100, before the softmax")
      ->default_str("off")->check(readable(read_temperature));
  add_switch(command, "--zero-context", flags->zero_context, "No weight on any character, so that the context is 0");
  add_value(command, "--free-row", flags->free_row, "WEIGHTS",
            "These weights, such as 0.5,0.5,0, from the first character on, made to sum to 1; the other characters get 0")
      ->default_str("off")->check(readable(read_weights));
  add_value(command, "--force", flags->force, "PREFIX", "The beginning of the answer; log_prob counts it")->default_str("off")
      ->check(readable(prefix_ids));
  add_number(command, "--limit", flags->limit, 0, 500, "Without a text, take only the first N sources of each K; 0 takes all");
  add_number(command, "--threads", flags->threads, 1, 256, "Threads that share the sources")->default_str("all cores");
  add_switch(command, "--json", flags->json, "Print one JSON object, or one a text");
  add_choice(command, "--color", flags->colour, colours, "auto colours a terminal, unless NO_COLOR is set");
  command.callback([flags, &command] { note_edit(*flags, command); });
  return [flags] { return run_intervene(*flags); };
}

}  // namespace softalign
