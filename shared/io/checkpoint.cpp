// Turns a weights file into a model and back: what each tensor must be called and shaped comes from each_parameter.
#include "shared/io/checkpoint.h"

#include <algorithm>
#include <climits>

namespace softalign {
namespace {

namespace keys = metadata_keys;

Error wrong_model(std::string why) { return {ErrorCode::WRONG_MODEL, std::move(why)}; }

// Size `axis` of a tensor of rank `rank`, or `otherwise` without such a tensor (a later check then names it).
int size_of(const Header& header, std::string_view name, size_t rank, size_t axis, int otherwise) {
  const TensorView* view = header.find(name);
  if (!view || view->shape.size() != rank) return otherwise;
  return static_cast<int>(std::min<uint64_t>(view->shape[axis], INT_MAX));
}

// The config that names and shapes suggest.
Config inferred_config(const Header& header) {
  const auto has = [&](std::string_view name) { return header.find(name) != nullptr; };
  Config c;
  c.V_src = size_of(header, "src_emb.weight", 2, 0, c.V_src);
  c.d_emb = size_of(header, "src_emb.weight", 2, 1, c.d_emb);
  c.V_tgt = size_of(header, "tgt_emb.weight", 2, 0, c.V_tgt);
  c.d_h = size_of(header, "enc.weight_hh_l0", 2, 1, c.d_h);
  c.d_a = size_of(header, "u", 1, 0, c.d_a);
  c.score = has("W_q") || has("W_k") || has("u")      ? Score::additive
            : has("W_a")                              ? Score::general
            : has("W_c.weight") || has("W_c.bias")    ? Score::dot
                                                      : Score::none;
  c.encoder = has("enc.weight_ih_l0_reverse") ? Encoder::bi : Encoder::uni;
  // A context beside the embedding makes the decoder cell's input wider.
  c.ordering = c.attends() && size_of(header, "dec.weight_ih_l0", 2, 1, c.d_emb) > c.d_emb ? Ordering::bahdanau
                                                                                          : Ordering::luong;
  return c;
}

std::vector<uint64_t> dimensions(const Shape& shape) {
  std::vector<uint64_t> out{static_cast<uint64_t>(shape.rows)};
  if (shape.cols) out.push_back(static_cast<uint64_t>(shape.cols));
  return out;
}

// A number of at most 9 digits, or -1.
int whole_number(const std::string& text) {
  if (text.empty() || text.size() > 9) return -1;
  int number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

// Replaces `choice` by what the metadata states under `key`, if it states something.
template <class Choice, size_t n>
Status take_stated(const Metadata& metadata, std::string_view key, const std::array<std::string_view, n>& names,
                   Choice& choice) {
  const std::string* stated = find(metadata, key);
  if (!stated) return success();
  const size_t i = std::find(names.begin(), names.end(), *stated) - names.begin();
  if (i == n)
    return wrong_model("the file's " + std::string(key) + " is " + quoted(*stated) + ", which is unknown here");
  choice = static_cast<Choice>(i);
  return success();
}

Status check_format(const Metadata& metadata) {
  const std::string* stated = find(metadata, keys::format);
  if (!stated) return success();
  const int version = whole_number(*stated);
  if (version < 1)
    return Error{ErrorCode::BAD_WEIGHTS, "the file's softalign.format is " + quoted(*stated) + ", not a version"};
  if (version > format_version)
    return Error{ErrorCode::NEWER_FORMAT, "the file has format " + *stated + ", and this softalign reads up to " +
                                              std::to_string(format_version) + "; update softalign"};
  return success();
}

int code_points(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// A vocabulary of `characters` and `specials` more entries must have `size` entries.
Status check_vocabulary_size(std::string_view what, std::string_view characters, int specials, int size) {
  const int rows = code_points(characters) + specials;
  if (rows == size) return success();
  return wrong_model("the " + std::string(what) + " vocabulary has " + std::to_string(rows) + " entries with its " +
                     "special tokens, but the file's embedding of it has " + std::to_string(size) + " rows");
}

Status check_stated_vocabularies(const Metadata& metadata, const Config& config) {
  if (const std::string* source = find(metadata, keys::source_vocabulary))
    if (Status status = check_vocabulary_size("source", *source, 1, config.V_src); !status) return status;
  if (const std::string* target = find(metadata, keys::target_vocabulary))
    return check_vocabulary_size("target", *target, 3, config.V_tgt);
  return success();
}

Result<Config> config_of(const Header& header) {
  if (Status status = check_format(header.metadata); !status) return status.error();
  Config config = inferred_config(header);
  for (const Status& status : {take_stated(header.metadata, keys::score, score_names, config.score),
                               take_stated(header.metadata, keys::ordering, ordering_names, config.ordering),
                               take_stated(header.metadata, keys::encoder, encoder_names, config.encoder)})
    if (!status) return status.error();
  if (const Result<Config> legal = checked(config); !legal)
    return wrong_model("the file is of no model that softalign runs: " + legal.error().message);
  return config;
}

// Names for an error message, the first few in full: "W_q", "W_k" and 3 more.
class NameList {
 public:
  void add(std::string_view name) {
    if (count_++ < shown) text_ += (text_.empty() ? "" : ", ") + quoted(name);
  }
  std::string after(std::string_view introduction) const {
    if (count_ == 0) return "";
    const std::string rest = count_ > shown ? " and " + std::to_string(count_ - shown) + " more" : "";
    return std::string(introduction) + text_ + rest;
  }

 private:
  static constexpr int shown = 8;
  std::string text_;
  int count_ = 0;
};

Status check_names(const Header& header, const Config& config) {
  PlainParameters none;
  std::vector<std::string> expected;
  each_parameter(config, none, [&](const ParameterInfo& info, auto&) { expected.push_back(info.name); });
  NameList missing, extra;
  for (const std::string& name : expected)
    if (!header.find(name)) missing.add(name);
  for (const TensorView& view : header.tensors)
    if (std::find(expected.begin(), expected.end(), view.name) == expected.end()) extra.add(view.name);
  const std::string differences = missing.after("; missing: ") + extra.after("; extra: ");
  if (differences.empty()) return success();
  return wrong_model("these are not the weights of a model with score " + name(config.score) +
                     (find(header.metadata, keys::score) ? ", which the file says it is" : ", which it seems to be") +
                     differences);
}

// Shape and finiteness of every weight; the names are known to be right.
Status check_weights(std::span<const uint8_t> file, const Header& header, const Config& config) {
  PlainParameters none;
  Status status = success();
  each_parameter(config, none, [&](const ParameterInfo& info, auto&) {
    if (!status) return;
    const TensorView& view = *header.find(info.name);
    const std::vector<uint64_t> shape = dimensions(info.shape);
    if (view.shape != shape)
      status = wrong_model("tensor " + quoted(info.name) + " has shape " + shape_text(view.shape) +
                           ", but the shapes of the others ask for " + shape_text(shape));
    else if (!all_finite(file, view))
      status = Error{ErrorCode::NOT_FINITE,
                     "tensor " + quoted(info.name) + " holds NaN or infinity, so that no output of it means anything"};
  });
  return status;
}

}  // namespace

Result<Checkpoint> read_checkpoint(std::span<const uint8_t> file) {
  Result<Header> header = read_header(file);
  if (!header) return header.error();
  const Result<Config> config = config_of(*header);
  if (!config) return config.error();
  const std::string* stated_steps = find(header->metadata, keys::steps);
  const int steps = stated_steps ? whole_number(*stated_steps) : 0;
  if (steps < 0)
    return {ErrorCode::BAD_WEIGHTS, "the file's softalign.steps is " + quoted(*stated_steps) + ", not a number"};
  if (const Status names = check_names(*header, *config); !names) return names.error();
  if (const Status vocabularies = check_stated_vocabularies(header->metadata, *config); !vocabularies)
    return vocabularies.error();
  if (const Status weights = check_weights(file, *header, *config); !weights) return weights.error();

  Checkpoint checkpoint{*config, {}, steps, std::move(header->metadata)};
  each_parameter(*config, checkpoint.params, [&](const ParameterInfo& info, std::vector<float>& weight) {
    weight = to_floats(file, *header->find(info.name));
  });
  return checkpoint;
}

Result<std::vector<uint8_t>> write_checkpoint(const Checkpoint& checkpoint, DType dtype) {
  const Config& config = checkpoint.config;
  if (const Result<Config> legal = checked(config); !legal) return legal.error();
  Metadata metadata{{std::string(keys::format), std::to_string(format_version)},
                    {std::string(keys::score), name(config.score)},
                    {std::string(keys::ordering), name(config.ordering)},
                    {std::string(keys::encoder), name(config.encoder)},
                    {std::string(keys::steps), std::to_string(checkpoint.steps)}};
  for (const auto& entry : checkpoint.metadata)
    if (!find(metadata, entry.first)) metadata.push_back(entry);
  std::vector<TensorValues> tensors;
  each_parameter(config, checkpoint.params, [&](const ParameterInfo& info, const std::vector<float>& weight) {
    tensors.push_back({info.name, dimensions(info.shape), weight});
  });
  return write(tensors, metadata, dtype);
}

Status check_vocabularies(const Checkpoint& checkpoint, std::string_view source, std::string_view target) {
  const auto check = [&](std::string_view what, std::string_view key, std::string_view ours) {
    const std::string* stated = find(checkpoint.metadata, key);
    if (!stated || *stated == ours) return success();
    return Status(wrong_model("the model's " + std::string(what) + " vocabulary is " + quoted(*stated) + ", and here " +
                              "it is " + quoted(ours)));
  };
  if (Status status = check("source", keys::source_vocabulary, source); !status) return status;
  if (Status status = check("target", keys::target_vocabulary, target); !status) return status;
  if (Status status = check_vocabulary_size("source", source, 1, checkpoint.config.V_src); !status) return status;
  return check_vocabulary_size("target", target, 3, checkpoint.config.V_tgt);
}

}  // namespace softalign
