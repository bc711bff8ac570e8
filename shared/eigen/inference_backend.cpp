// The operations of InferenceBackend: loops over rows around the kernels.
#include "shared/eigen/inference_backend.h"

#include "shared/task/vocabulary.h"

namespace softalign {
namespace {

Error refused() { return {ErrorCode::OUT_OF_MEMORY, "there is not enough memory for this model"}; }

// Batch row of an attention input (a tensor or lengths): an input of batch 1 serves every row.
template <class Input>
int shared_row(const Input& input, int b) {
  return input.B == 1 ? 0 : b;
}

}  // namespace

bool InferenceBackend::prepare_gru(const Weight& embedding, GruWeights<InferenceBackend>& gru) {
  const int inputs = gru.weight_ih.cols, d_emb = embedding.cols, d_h = gru.weight_hh.cols, gates = 3 * d_h;
  const float* W_ih = gru.weight_ih.plain.data();
  PackedMatrix W_emb;
  if (!W_emb.pack(W_ih, gates, d_emb, inputs)) return false;
  if (inputs > d_emb && !gru.table.W_extra.pack(W_ih + d_emb, gates, inputs - d_emb, inputs)) return false;
  const int V = static_cast<int>(embedding.plain.size()) / d_emb;
  gru.table.gates.resize(static_cast<size_t>(V) * gates);
  for (int token = 0; token < V; ++token)
    W_emb.multiply(&gru.table.gates[static_cast<size_t>(token) * gates], &embedding.plain[static_cast<size_t>(token) * d_emb],
                   gru.bias_ih.plain.data());
  if (!gates_.reserve(gates) || !x_gates_.reserve(gates) || !zeros_.reserve(d_h)) return false;
  std::fill_n(zeros_.data(), d_h, 0.0f);
  return gru.table.W_hh.pack(gru.weight_hh.plain.data(), gates, d_h);
}

Status InferenceBackend::prepare(const Config& config, PlainParameters&& plain, Parameters<InferenceBackend>& params) {
  std::vector<std::vector<float>*> sources;
  each_parameter(config, plain, [&](const ParameterInfo&, std::vector<float>& weight) { sources.push_back(&weight); });
  bool fits = true;
  size_t next = 0;
  each_parameter(config, params, [&](const ParameterInfo& info, Weight& weight) {
    weight.plain = std::move(*sources[next++]);
    weight.cols = info.shape.cols;
  });
  for (Weight* W : {&params.W_o, &params.W_c, &params.W_a, &params.W_q, &params.W_k, &params.bridge})
    if (W->cols) fits &= W->packed.pack(W->plain.data(), static_cast<int>(W->plain.size()) / W->cols, W->cols);
  fits = fits && prepare_gru(params.src_emb, params.enc) && prepare_gru(params.tgt_emb, params.dec) &&
         (config.encoder != Encoder::bi || prepare_gru(params.src_emb, params.enc_reverse));
  if (!fits) return refused();
  return success();
}

// For a step of `rows` target tokens in all.
Status InferenceBackend::reserve_step(const Config& c, size_t rows, size_t S, Step<InferenceBackend>& step) {
  bool fits = step.s.buffer.reserve(rows * c.d_h) && step.s_T.buffer.reserve(rows * c.d_h) &&
              step.z.buffer.reserve(rows * c.V_tgt);
  if (c.attends())
    fits = fits && step.score.buffer.reserve(rows * S) && step.alpha.buffer.reserve(rows * S) &&
           step.alpha_read.buffer.reserve(rows * S) && step.h_bar.buffer.reserve(rows * c.d_enc()) &&
           (c.score != Score::additive || step.q.buffer.reserve(rows * c.d_a));
  if (c.attends() && c.ordering == Ordering::luong)
    fits = fits && step.joined.buffer.reserve(rows * (c.d_h + c.d_enc())) && step.linear.buffer.reserve(rows * c.d_h) &&
           step.s_tilde.buffer.reserve(rows * c.d_h);
  if (!fits) return refused();
  return success();
}

Status InferenceBackend::reserve(const Config& c, const Limits& limits, Workspace<InferenceBackend>& workspace) {
  const size_t B = limits.B, S = limits.S, T = limits.T, d_h = c.d_h;
  const size_t keys = c.score == Score::general ? d_h : c.score == Score::additive ? c.d_a : 0;
  Memory<InferenceBackend>& memory = workspace.memory;
  bool fits = memory.h.buffer.reserve(B * S * c.d_enc()) && memory.s_0.buffer.reserve(B * d_h) &&
              memory.k.buffer.reserve(B * S * keys) && workspace.log_prob.buffer.reserve(B * T * c.V_tgt) &&
              heated_.reserve(S);
  if (c.encoder == Encoder::bi) {
    BothDirections<InferenceBackend>& both = memory.both;
    for (BufferTensor* states : {&both.h_forward, &both.h_backward}) fits = fits && states->buffer.reserve(B * S * d_h);
    for (BufferTensor* last : {&both.last_forward, &both.last_backward, &both.bridge})
      fits = fits && last->buffer.reserve(B * d_h);
    fits = fits && both.ends.buffer.reserve(B * 2 * d_h);
  }
  if (!fits) return refused();
  for (auto& step : workspace.steps)
    if (Status reserved = reserve_step(c, B * T, S, step); !reserved) return reserved;
  if (c.ordering == Ordering::luong || T == 1) return success();
  workspace.steps[0].slots.resize(T);  // whole targets are read into the first step
  for (auto& slot : workspace.steps[0].slots)
    if (Status reserved = reserve_step(c, B, S, slot); !reserved) return reserved;
  return success();
}

Status InferenceBackend::reserve(const Config& c, int B, int S, BeamWorkspace<InferenceBackend>& workspace) {
  const size_t rows = B;
  if (!workspace.s_before.buffer.reserve(rows * c.d_h) || !workspace.log_prob.buffer.reserve(rows * c.V_tgt)) return refused();
  return reserve_step(c, rows, S, workspace.step);
}

void InferenceBackend::gru(Tensor& h, Tensor& h_last, const Ids& ids, const Weight&, const Tensor* extra,
                           const Lengths* lengths, const Tensor* h_0, const GruWeights<InferenceBackend>& weights,
                           Direction direction) {
  const auto& [table, W_extra, W_hh] = weights.table;
  const int d_h = W_hh.cols();
  h.shape(ids.B, ids.T, d_h);
  h_last.shape(ids.B, 1, d_h);
  for (int b = 0; b < ids.B; ++b) {
    const int length = lengths ? lengths->counts[b] : ids.T;
    const float* previous = h_0 ? h_0->row(b, 0) : zeros_.data();
    for (int read = 0; read < length; ++read) {
      const int t = direction == Direction::forward ? read : length - 1 - read;
      const float* x_gates = &table[static_cast<size_t>(ids.at(b, t)) * 3 * d_h];
      if (extra) {
        W_extra.multiply(x_gates_.data(), extra->row(b, t), x_gates);
        x_gates = x_gates_.data();
      }
      if (previous == zeros_.data())
        std::copy_n(weights.bias_hh.plain.data(), 3 * d_h, gates_.data());  // W_hh 0 + b_hh
      else
        W_hh.multiply(gates_.data(), previous, weights.bias_hh.plain.data());
      gru_cell(h.row(b, t), previous, x_gates, gates_.data(), d_h);
      previous = h.row(b, t);
    }
    std::copy_n(previous, d_h, h_last.row(b, 0));
    std::fill(h.row(b, length), h.row(b, 0) + static_cast<size_t>(ids.T) * d_h, 0.0f);
  }
}

void InferenceBackend::linear(Tensor& y, const Tensor& x, const Weight& W, const Weight* b) {
  assert(x.D == W.packed.cols() && "linear: the rows of x have another size than W takes");
  y.shape(x.B, x.T, W.packed.rows());
  for (int i = 0; i < x.B * x.T; ++i) W.packed.multiply(y.row(0, i), x.row(0, i), b ? b->plain.data() : nullptr);
}

void InferenceBackend::dot_score(Tensor& score, const Tensor& q, const Tensor& k) {
  assert(q.D == k.D && "dot_score: s_t and h_i differ in size");
  score.shape(q.B, q.T, k.T);
  for (int b = 0; b < q.B; ++b)
    for (int t = 0; t < q.T; ++t)
      dots(score.row(b, t), q.row(b, t), k.row(shared_row(k, b), 0), k.T, q.D);
}

void InferenceBackend::additive_score(Tensor& score, const Tensor& q, const Tensor& k, const Weight& u) {
  assert(q.D == k.D && "additive_score: W_q s_t and W_k h_i differ in size");
  score.shape(q.B, q.T, k.T);
  for (int b = 0; b < q.B; ++b)
    for (int t = 0; t < q.T; ++t)
      for (int i = 0; i < k.T; ++i)
        score.row(b, t)[i] = additive(q.row(b, t), k.row(shared_row(k, b), i), u.plain.data(), q.D);
}

void InferenceBackend::masked_softmax(Tensor& alpha, const Tensor& score, const Lengths& lengths) {
  alpha.shape(score.B, score.T, score.D);
  for (int b = 0; b < score.B; ++b)
    for (int t = 0; t < score.T; ++t)
      softalign::masked_softmax(alpha.row(b, t), score.row(b, t), lengths.counts[shared_row(lengths, b)],
                                score.D);
}

void InferenceBackend::edit_alpha(Tensor& alpha_read, const Tensor& alpha, const Tensor& score, const Lengths& lengths,
                                  const RowEdit& edit) {
  const int S = alpha.D;
  alpha_read.shape(alpha.B, alpha.T, S);
  [[maybe_unused]] const bool fits = heated_.reserve(S);  // as `reserve` did, where it was called
  assert(fits && "edit_alpha: no memory for a row");
  for (int b = 0; b < alpha.B; ++b)
    for (int t = 0; t < alpha.T; ++t) {
      const int length = lengths.counts[shared_row(lengths, b)];
      if (edit.kind != RowEdit::Kind::temperature) {
        edit_row({alpha_read.row(b, t), static_cast<size_t>(S)}, {alpha.row(b, t), static_cast<size_t>(S)}, length, edit);
        continue;
      }
      for (int i = 0; i < S; ++i) heated_.data()[i] = score.row(b, t)[i] / edit.temperature;
      softalign::masked_softmax(alpha_read.row(b, t), heated_.data(), length, S);
    }
}

void InferenceBackend::weighted_sum(Tensor& h_bar, const Tensor& alpha, const Tensor& h) {
  h_bar.shape(alpha.B, alpha.T, h.D);
  for (int b = 0; b < alpha.B; ++b)
    for (int t = 0; t < alpha.T; ++t)
      softalign::weighted_sum(h_bar.row(b, t), alpha.row(b, t), h.row(shared_row(h, b), 0), alpha.D, h.D);
}

void InferenceBackend::gather_rows(Tensor& out, const Tensor& x, std::span<const int> rows) const {
  out.shape(static_cast<int>(rows.size()), 1, x.D);
  for (size_t b = 0; b < rows.size(); ++b) std::copy_n(x.row(rows[b], 0), x.D, out.row(static_cast<int>(b), 0));
}

void InferenceBackend::concat(Tensor& out, const Tensor& a, const Tensor& b) {
  out.shape(a.B, a.T, a.D + b.D);
  for (int i = 0; i < a.B * a.T; ++i) {
    std::copy_n(a.row(0, i), a.D, out.row(0, i));
    std::copy_n(b.row(0, i), b.D, out.row(0, i) + a.D);
  }
}

void InferenceBackend::tanh(Tensor& out, const Tensor& x) {
  out.shape(x.B, x.T, x.D);
  softalign::tanh(out.row(0, 0), x.row(0, 0), static_cast<int>(x.size()));
}

void InferenceBackend::log_softmax(Tensor& log_prob, const Tensor& z) {
  log_prob.shape(z.B, z.T, z.D);
  for (int i = 0; i < z.B * z.T; ++i) softalign::log_softmax(log_prob.row(0, i), z.row(0, i), z.D);
}

void InferenceBackend::cross_entropy(Tensor& loss, const Tensor& z, const Ids& tgt_out) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < z.B * z.T; ++i) {
    const int32_t target = tgt_out.at(i / z.T, i % z.T);
    if (target == pad) continue;
    const float* row = z.row(0, i);
    const float top = largest(row, z.D);
    sum -= (row[target] - top) - log_sum_exp(row, top, z.D);
    ++count;
  }
  loss.shape(1, 1, 1);
  *loss.row(0, 0) = count ? static_cast<float>(sum / count) : 0.0f;
}

}  // namespace softalign
