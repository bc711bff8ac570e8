// Turns a weights file into a model and back: what each tensor must be called and shaped comes from each_parameter.
#include "shared/io/checkpoint.h"

#include <algorithm>
#include <climits>

#include "shared/io/message.h"

namespace softalign {
namespace {

namespace keys = metadata_keys;

// The weights that a config asks for, and where they go.
using Slot = Parameter<std::vector<float>>;
using Slots = ParameterList<std::vector<float>>;

std::vector<uint64_t> sizes_of(const Shape& shape) {
  const uint64_t sizes[] = {static_cast<uint64_t>(shape.rows), static_cast<uint64_t>(shape.cols)};
  return {sizes, sizes + (shape.cols ? 2 : 1)};
}

// A number of at most 9 digits, or -1.
int whole_number(std::string_view text) {
  if (text.empty() || text.size() > 9) return -1;
  int number = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

int code_points(std::string_view text) {
  int count = 0;
  for (char c : text) count += (c & 0xc0) != 0x80;
  return count;
}

// Names for an error message, the first few in full: "W_q", "W_k" and 3 more.
class NameList {
 public:
  void add(std::string_view name) {
    if (count_++ < shown) text_ += message(text_.empty() ? "%" : ", %", {quoted(name)});
  }
  std::string after(const char* introduction) const {
    if (count_ == 0) return "";
    return message(count_ <= shown ? "%%" : "%% and % more", {introduction, text_, count_ - shown});
  }

 private:
  static constexpr uint64_t shown = 8;
  std::string text_;
  uint64_t count_ = 0;
};

// Files that training and probe leave beside the weights, each by a key of its metadata; a checkpoint may hold snapshots.
struct Neighbour {
  std::string_view key, advice;
};
constexpr Neighbour neighbours[] = {
    {"softalign.training_checkpoint", "a training checkpoint, not finished weights; softalign train --resume goes on from it"},
    {"softalign.snapshots", "the snapshots of a training run; the weights are in the .safetensors file beside them"},
    {"softalign.probe", "a probe, not the weights; they are in the file beside it without .probe in its name"},
};

// One file on its way to a Checkpoint. Each part returns false after a problem, told in `error`.
class CheckpointReader {
 public:
  explicit CheckpointReader(std::span<const uint8_t> file) : file_(file) {}

  bool read(Checkpoint& out) {
    Result<Header> header = read_header(file_);
    if (!header) {
      error = header.error();
      return false;
    }
    header_ = std::move(*header);
    if (!check_kind() || !check_format() || !find_config()) return false;
    const Slots slots = parameter_list(config_, out.params);
    if (!check_names(slots) || !check_vocabularies() || !check_weights(slots)) return false;
    for (const Slot& slot : slots) *slot.weight = to_floats(file_, *header_.find(slot.info.name));
    out.config = config_;
    out.steps = steps_;
    out.metadata = std::move(header_.metadata);
    return true;
  }

  Error error{ErrorCode::WRONG_MODEL, ""};

 private:
  bool fail(ErrorCode code, const char* pattern, std::initializer_list<MessagePart> parts) {
    error = {code, message(pattern, parts)};
    return false;
  }

  bool stated_number(std::string_view key, int otherwise, int& out) {
    const std::string* stated = find(header_.metadata, key);
    out = stated ? whole_number(*stated) : otherwise;
    return out >= 0 || fail(ErrorCode::BAD_WEIGHTS, "the file's % is %, not a number", {key, quoted(*stated)});
  }

  bool check_kind() {
    for (const Neighbour& other : neighbours)
      if (find(header_.metadata, other.key)) return fail(ErrorCode::WRONG_MODEL, "this is %", {other.advice});
    return true;
  }

  bool check_format() {
    int version;
    if (!stated_number(keys::format, format_version, version) || !stated_number(keys::steps, 0, steps_)) return false;
    return version <= format_version ||
           fail(ErrorCode::NEWER_FORMAT, "the file has format %, and this version reads up to %; update softalign",
                {version, format_version});
  }

  // Size `axis` of a tensor of rank `rank`, or `otherwise` without such a tensor (a later check then names it).
  int size_of(const char* name, size_t rank, size_t axis, int otherwise) const {
    const TensorView* view = header_.find(name);
    if (!view || view->shape.size() != rank) return otherwise;
    return static_cast<int>(std::min<uint64_t>(view->shape[axis], INT_MAX));
  }

  // The config that names and shapes suggest, its choices replaced by those that the metadata states.
  bool find_config() {
    const auto has = [&](const char* name) { return header_.find(name) != nullptr; };
    Config& c = config_;
    c.V_src = size_of("src_emb.weight", 2, 0, c.V_src);
    c.d_emb = size_of("src_emb.weight", 2, 1, c.d_emb);
    c.V_tgt = size_of("tgt_emb.weight", 2, 0, c.V_tgt);
    c.d_h = size_of("enc.weight_hh_l0", 2, 1, c.d_h);
    c.d_a = size_of("u", 1, 0, c.d_a);
    // A context beside the embedding makes the decoder cell's input wider.
    const bool context_in_cell = size_of("dec.weight_ih_l0", 2, 1, c.d_emb) > c.d_emb;
    const Score score = has("W_q") || has("W_k") || has("u")   ? Score::additive
                        : has("W_a")                           ? Score::general
                        : has("W_c.weight") || has("W_c.bias") || context_in_cell ? Score::dot
                                                                                  : Score::none;
    const Ordering ordering = context_in_cell ? Ordering::bahdanau : Ordering::luong;
    const Encoder encoder = has("enc.weight_ih_l0_reverse") ? Encoder::bi : Encoder::uni;

    int choices[] = {int(score), int(ordering), int(encoder)};
    if (!choose(keys::score, score_names, choices[0]) || !choose(keys::ordering, ordering_names, choices[1]) ||
        !choose(keys::encoder, encoder_names, choices[2]))
      return false;
    c.score = Score(choices[0]), c.ordering = Ordering(choices[1]), c.encoder = Encoder(choices[2]);
    const std::string reason = objection(c);
    return reason.empty() || fail(ErrorCode::WRONG_MODEL, "softalign runs no such model: %", {reason});
  }

  // Replaces `choice` by the place in `names` of what the metadata states under `key`, if it states something.
  bool choose(std::string_view key, std::span<const std::string_view> names, int& choice) {
    const std::string* stated = find(header_.metadata, key);
    if (!stated) return true;
    choice = static_cast<int>(std::find(names.begin(), names.end(), *stated) - names.begin());
    return choice < static_cast<int>(names.size()) ||
           fail(ErrorCode::WRONG_MODEL, "the file's % is %, which is unknown here", {key, quoted(*stated)});
  }

  bool check_names(const Slots& slots) {
    NameList missing, extra;
    for (const Slot& slot : slots)
      if (!header_.find(slot.info.name)) missing.add(slot.info.name);
    for (const TensorView& view : header_.tensors)
      if (std::none_of(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.info.name == view.name; }))
        extra.add(view.name);
    const std::string differences = missing.after("; missing: ") + extra.after("; extra: ");
    return differences.empty() ||
           fail(ErrorCode::WRONG_MODEL,
                find(header_.metadata, keys::score)
                    ? "the file says that it is a model with score %, ordering %, encoder %%"
                    : "the file looks like a model with score %, ordering %, encoder %%",
                {score_names[int(config_.score)], ordering_names[int(config_.ordering)],
                 encoder_names[int(config_.encoder)], differences});
  }

  bool check_vocabularies() {
    return check_vocabulary("source", keys::source_vocabulary, 1, config_.V_src) &&
           check_vocabulary("target", keys::target_vocabulary, 3, config_.V_tgt);
  }

  bool check_vocabulary(const char* what, std::string_view key, int specials, int rows) {
    const std::string* stated = find(header_.metadata, key);
    if (!stated || code_points(*stated) + specials == rows) return true;
    return fail(ErrorCode::WRONG_MODEL, "the file's % vocabulary has % letters and % special tokens, but % embeddings",
                {what, code_points(*stated), specials, rows});
  }

  bool check_weights(const Slots& slots) {
    for (const Slot& slot : slots) {
      const std::string_view name = slot.info.name;
      const TensorView& view = *header_.find(name);
      const std::vector<uint64_t> shape = sizes_of(slot.info.shape);
      if (view.shape != shape)
        return fail(ErrorCode::WRONG_MODEL, "tensor % has shape %, but the shapes of the others ask for %",
                    {quoted(name), view.shape, shape});
      if (view.dtype == DType::I8)
        return fail(ErrorCode::WRONG_MODEL, "tensor % has whole numbers where a model has fractions", {quoted(name)});
      if (!all_finite(file_, view))
        return fail(ErrorCode::NOT_FINITE, "tensor % holds NaN or infinity", {quoted(name)});
    }
    return true;
  }

  std::span<const uint8_t> file_;
  Header header_;
  Config config_;
  int steps_ = 0;
};

}  // namespace

Result<Checkpoint> read_checkpoint(std::span<const uint8_t> file) {
  Checkpoint checkpoint;
  CheckpointReader reader(file);
  if (!reader.read(checkpoint)) return std::move(reader.error);
  return checkpoint;
}

Result<std::vector<uint8_t>> write_checkpoint(const Checkpoint& checkpoint, DType dtype) {
  const Config& config = checkpoint.config;
  if (const Result<Config> legal = checked(config); !legal) return legal.error();
  Metadata metadata{{std::string(keys::format), message("%", {format_version})},
                    {std::string(keys::score), name(config.score)},
                    {std::string(keys::ordering), name(config.ordering)},
                    {std::string(keys::encoder), name(config.encoder)},
                    {std::string(keys::steps), message("%", {checkpoint.steps})}};
  for (const auto& entry : checkpoint.metadata)
    if (!find(metadata, entry.first)) metadata.push_back(entry);
  std::vector<TensorValues> tensors;
  each_parameter(config, checkpoint.params, [&](const ParameterInfo& info, const std::vector<float>& values) {
    tensors.push_back({std::string(info.name), sizes_of(info.shape), values});
  });
  return write(tensors, metadata, dtype);
}

Status check_vocabularies(const Checkpoint& checkpoint, std::string_view source, std::string_view target) {
  const auto differs = [&](std::string_view key, std::string_view ours, int rows) {
    const std::string* stated = find(checkpoint.metadata, key);
    return stated ? *stated != ours : code_points(ours) != rows;
  };
  const bool bad_source = differs(keys::source_vocabulary, source, checkpoint.config.V_src - 1);
  if (!bad_source && !differs(keys::target_vocabulary, target, checkpoint.config.V_tgt - 3)) return success();
  const char* const what = bad_source ? "source" : "target";
  return {ErrorCode::WRONG_MODEL,
          message("the model's % vocabulary is not %", {what, quoted(bad_source ? source : target)})};
}

}  // namespace softalign
