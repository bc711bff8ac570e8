// `softalign decode`: what a model reads in given texts, with its attention, or with a beam and all that it tried.
#include <cstdio>
#include <iostream>

#include "native/alpha_json.h"
#include "native/beam_report.h"
#include "native/command_line.h"
#include "native/commands.h"
#include "native/file.h"
#include "native/heat_map.h"
#include "native/heat_map_svg.h"
#include "native/json.h"
#include "native/judge.h"
#include "native/terminal.h"
#include "shared/task/reading.h"

namespace softalign {
namespace {

constexpr std::array<std::string_view, 3> colours{"auto", "always", "never"};

struct DecodeFlags {
  std::string model = "models/dot.safetensors", backend = "eigen", colour = "auto";
  std::vector<std::string> texts;
  bool standard_input = false, json = false;
  int beam = 0, n_best = 1;  // beam 0: greedy
  bool plain_values = false, tree = false;
  std::string svg;  // the file for the map of the one text
  bool force = false;
};

Json note_list(const std::vector<Note>& notes) {
  Json list = Json::array();
  for (const Note& note : notes)
    list.push_back({{"code", softalign::name(note.code)},
                    {"message", note.message},
                    {"start", note.start},
                    {"end", note.end}});
  return list;
}

// One line; bytes that are no UTF-8 are replaced.
void print_line(const Json& json) {
  std::printf("%s\n", json.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
}

class Decoder {
 public:
  Decoder(const DecodeFlags& flags, Judge& judge)
      : flags_(flags), judge_(judge), style_(output_style(flags.colour)) {}

  // False when the text cannot be read. `place` says in error messages where the text stands.
  bool decode(const std::string& text, const std::string& place = "") {
    auto source = make_source(text);
    if (!source) {
      refuse(text, place, source.error());
      return false;
    }
    const int max_len = live_max_len(static_cast<int>(source->ids().size()));
    if (flags_.beam > 0) return search(text, place, *source, max_len);
    const Decoded decoded = judge_.greedy(*source, max_len);
    if (!flags_.svg.empty() && !draw(text, *source, decoded)) return false;
    std::vector<Note> notes = read_dates(*source).notes;
    if (!decoded.finished) notes.push_back(unfinished_note(max_len));
    if (flags_.json)
      print_json(text, *source, decoded, notes);
    else
      print_text(text, *source, decoded, notes);
    std::fflush(stdout);
    return true;
  }

 private:
  bool search(const std::string& text, const std::string& place, const Source& source, int max_len) {
    const BeamSettings settings{flags_.beam, max_len, flags_.plain_values, flags_.n_best};
    const auto found = judge_.beam(source, settings);
    if (!found) {
      refuse(text, place, found.error());
      return false;
    }
    std::vector<Note> notes = read_dates(source).notes;
    if (!found->best[0].finished) notes.push_back(unfinished_note(max_len));
    if (flags_.json)
      print_json(text, settings, *found, notes);
    else
      print_text(text, settings, *found, notes);
    std::fflush(stdout);
    return true;
  }

  void print_json(const std::string& text, const BeamSettings& settings, const BeamSearch& found,
                  const std::vector<Note>& notes) {
    const Hypothesis& best = found.best[0];
    Json json = {{"source", text}, {"output", output_text(best.tokens)}, {"log_prob", best.log_prob}};
    json["value_per_length"] = best.value_per_length;
    json["finished"] = best.finished;
    json["beam"] = settings.B;
    json["plain_values"] = settings.plain_values;
    json["best"] = best_json(found);
    if (flags_.tree) json["tree"] = tree_json(found);
    json["notes"] = note_list(notes);
    print_line(json);
  }

  void print_text(const std::string& text, const BeamSettings& settings, const BeamSearch& found,
                  const std::vector<Note>& notes) {
    print_answer(text, found.best[0].tokens, notes, [&] {
      char line[160];
      std::snprintf(line, sizeof line, "log_prob %.6f nats, value / length %.6f with %zu tokens, <eos> counted",
                    found.best[0].log_prob, found.best[0].value_per_length, found.best[0].tokens.size());
      return std::string(line);
    }());
    if (flags_.n_best > 1) std::printf("\n%s", best_outputs(found, settings).c_str());
    if (flags_.tree) std::printf("\n%s", explored_tree(found, style_).c_str());
  }

  bool draw(const std::string& text, const Source& source, const Decoded& decoded) {
    const MapPicture picture{text, source, decoded, std::filesystem::path(flags_.model).stem().string()};
    const auto written = write_file(flags_.svg, heat_map_file(picture));
    if (!written) refuse(text, "", written.error());
    return static_cast<bool>(written);
  }

  void refuse(const std::string& text, const std::string& place, const Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "softalign decode: %s%s: %s\n", place.c_str(), softalign::name(error.code),
                 error.message.c_str());
    if (flags_.json) print_line(refusal_json(text, error));
  }

  void print_json(const std::string& text, const Source& source, const Decoded& decoded,
                  const std::vector<Note>& notes) {
    Json json = {{"source", text}, {"output", output_text(decoded.tokens)}, {"log_prob", decoded.log_prob}};
    json["alpha"] = alpha_rows(decoded.alpha);
    json["positions"] = source.positions();  // of alpha's columns
    json["notes"] = note_list(notes);
    print_line(json);
  }

  void print_text(const std::string& text, const Source& source, const Decoded& decoded,
                  const std::vector<Note>& notes) {
    char likelihood[96];
    std::snprintf(likelihood, sizeof likelihood, "log_prob %.6f nats, probability %.4f", decoded.log_prob,
                  std::exp(decoded.log_prob));
    print_answer(text, decoded.tokens, notes, likelihood);
    std::printf("\n%s", heat_map(source, decoded, style_).c_str());
    if (decoded.alpha.S == 0) std::printf("\nThis model has no attention, so there are no weights to show\n");
  }

  void print_answer(const std::string& text, std::span<const int32_t> tokens, const std::vector<Note>& notes,
                    const std::string& likelihood) {
    if (!std::exchange(first_, false)) std::printf("\n");
    const char *strong = style_.colour ? "\x1b[1m" : "", *plain = style_.colour ? "\x1b[0m" : "";
    std::printf("%s -> %s%s%s\n", harmless(text).c_str(), strong, output_text(tokens).c_str(), plain);
    std::printf("%s\n", wrapped(likelihood, style_.width, 6).c_str());
    for (const Note& note : notes) std::printf("%s\n", wrapped("Note: " + note.message, style_.width, 6).c_str());
  }

  const DecodeFlags& flags_;
  Judge& judge_;
  TerminalStyle style_;
  bool first_ = true;
};

Result<int> run_decode(const DecodeFlags& flags, const Invocation& invocation) {
  auto checkpoint = load_checkpoint(flags.model);
  if (!checkpoint) return checkpoint.error();
  if (!flags.svg.empty()) {
    if (!checkpoint->config.attends())
      return {ErrorCode::BAD_VALUE, flags.model + " has no attention, so there is no map to draw"};
    if (auto writable = check_replaceable(flags.svg, heat_map_file_start, flags.force); !writable)
      return writable.error();
  }
  auto judge = make_judge(flags.backend, flags.model, std::move(*checkpoint), invocation);
  if (!judge) return judge.error();

  Decoder decoder(flags, **judge);
  bool good = true;
  for (const std::string& text : flags.texts) good &= decoder.decode(unshielded(text));
  if (flags.standard_input) {
    int number = 0;
    for (std::string line; std::getline(std::cin, line);) {
      if (line.ends_with('\r')) line.pop_back();
      good &= decoder.decode(line, "line " + std::to_string(++number) + ": ");
    }
    if (std::ferror(stdin)) return {ErrorCode::NO_FILE, "cannot read standard input"};
  }
  return good ? exit_code::ok : exit_code::failed;
}

}  // namespace

Run add_decode(CLI::App& app, const Invocation& invocation) {
  auto flags = std::make_shared<DecodeFlags>();
  CLI::App& command = *app.add_subcommand("decode", "Read texts with a model, and show where its attention looks");
  command.add_option("TEXT", flags->texts, "Texts to read; a text that starts with - goes behind --")->type_name("");
  add_value(command, "--model", flags->model, "FILE", "Weights file");
  add_switch(command, "--stdin", flags->standard_input, "Read one text from each line of standard input");
  add_number(command, "--beam", flags->beam, 1, max_beam, "Search with a beam of N hypotheses, 1 to 100, instead")
      ->default_str("off");
  add_number(command, "--n-best", flags->n_best, 1, max_beam, "Show the N best outputs of the beam, at most its size");
  add_switch(command, "--plain-values", flags->plain_values,
             "Compare the beam's outputs by log_prob, not by log_prob / length");
  add_switch(command, "--tree", flags->tree, "Show what the beam tried, the best of each step; with --json every candidate");
  add_choice(command, "--backend", flags->backend, backend_names, "torch judges the same weights with LibTorch");
  add_switch(command, "--json", flags->json,
             "Print one JSON object a text: source, output, log_prob, alpha, notes; with --beam the best outputs, and no alpha");
  add_choice(command, "--color", flags->colour, colours, "auto colours a terminal, unless NO_COLOR is set");
  add_value(command, "--svg", flags->svg, "FILE", "Write the map of the one text as a picture, too")
      ->default_str("none");
  add_switch(command, "--force", flags->force, "Let --svg overwrite a file that softalign did not write");
  command.callback([flags, &command] {
    if (flags->beam == 0 && (command.count("--n-best") > 0 || flags->plain_values || flags->tree))
      throw CLI::ValidationError("--beam", "--n-best, --plain-values and --tree speak of a beam, so give its size, as in --beam 5");
    if (flags->beam > 0 && flags->n_best > flags->beam)
      throw CLI::ValidationError("--n-best", "a beam of " + std::to_string(flags->beam) + " has at most as many outputs to give");
    if (flags->beam > 0 && flags->backend != "eigen")
      throw CLI::ValidationError("--beam", "beams run on Eigen: leave out --backend " + flags->backend);
    if (!flags->svg.empty() && (flags->texts.size() > 1 || flags->standard_input))
      throw CLI::ValidationError("--svg", "draws the map of one text, so give one, and not --stdin");
    if (!flags->svg.empty() && flags->beam > 0)
      throw CLI::ValidationError("--svg", "draws the map of greedy decoding, so leave out --beam");
    if (flags->texts.empty() && !flags->standard_input)
      throw CLI::ValidationError("TEXT", "give a text, such as \"3 March 2021\", or --stdin");
  });
  return [flags, invocation] { return run_decode(*flags, invocation); };
}

}  // namespace softalign
