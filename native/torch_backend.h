// The model's operations on LibTorch: handles are rebound, so the autograd graph behind them stays intact.
#pragma once
#include <torch/torch.h>

#include <limits>
#include <span>
#include <vector>

#include "native/torch_training_ops.h"
#include "shared/model/seq2seq.h"
#include "shared/task/vocabulary.h"

namespace softalign {

// A host's numbers on the device. From pinned memory the copy waits for nothing: the host may be steps ahead of a GPU.
inline torch::Tensor to_device(const torch::Tensor& host, torch::Device device) {
  return device.is_cuda() ? host.pin_memory().to(device, /*non_blocking=*/true) : host;
}

// Whose GRU and additive score: LibTorch's, which also run on CUDA and judge the others, or those of shared/eigen.
enum class Kernels { torch, own };

class TorchBackend {
 public:
  using Tensor = torch::Tensor;
  using Weight = torch::Tensor;
  struct TokenTable {};   // none: the embeddings change with every step of training
  using Ids = torch::Tensor;  // (B,T) int64, on the device
  struct Lengths {
    torch::Tensor last;  // (B,1,1) int64: index of each source's last character, on the device
    torch::Tensor mask;  // (B,S) bool: true on characters, false on padding, on the device
    std::vector<int32_t> counts;  // (B), on the host
  };

  explicit TorchBackend(torch::Device device, Kernels kernels = Kernels::torch)
      : device_(device), kernels_(kernels) {}
  torch::Device device() const { return device_; }

  Lengths lengths(std::span<const int32_t> counts, int S) const {
    const Tensor n = ids(counts, static_cast<int>(counts.size()), 1);                        // (B,1)
    return {(n - 1).unsqueeze(2), torch::arange(S, n.options()).unsqueeze(0).lt(n),  // (B,1,1), (B,S)
            {counts.begin(), counts.end()}};
  }

  void gru(Tensor& h, Tensor& h_last, const Ids& ids, const Weight& embedding, const Tensor* extra, const Lengths* lengths,
           const Tensor* h_0, const GruWeights<TorchBackend>& w, Direction direction) {
    if (direction == Direction::backward) {
      // What is read backward lies at the start of its row either way, so that padding stays behind it.
      const Tensor order = backward_order(ids, lengths);  // (B,T)
      gru(h, h_last, ids.gather(1, order), embedding, nullptr, lengths, h_0, w, Direction::forward);
      h = h.gather(1, order.unsqueeze(2).expand_as(h));
      if (lengths) h = h * lengths->mask.unsqueeze(2);
      return;
    }
    if (kernels_ == Kernels::torch) return torch_gru(h, h_last, ids, embedding, extra, lengths, h_0, w);
    // The input products: a row for each entry of the vocabulary, or for each token where a context comes with it.
    const Tensor table = torch::linear(extra ? inputs(ids, embedding, extra).flatten(0, 1) : embedding, w.weight_ih, w.bias_ih);
    const Tensor rows = extra ? torch::arange(ids.numel(), torch::kInt32).view_as(ids) : ids.to(torch::kInt32).contiguous();
    const Tensor start = h_0 ? h_0->squeeze(1) : torch::zeros({ids.size(0), w.weight_hh.size(1)}, table.options());
    const auto out = GruFunction::apply(table, w.weight_hh, w.bias_hh, start, rows,
                                        lengths ? lengths->counts : std::vector<int32_t>());
    h = out[0], h_last = out[1].unsqueeze(1);  // (B,T,d_h), (B,1,d_h)
  }

  void linear(Tensor& y, const Tensor& x, const Weight& W, const Weight* b) {
    y = b ? torch::linear(x, W, *b) : torch::linear(x, W);
  }
  void dot_score(Tensor& score, const Tensor& q, const Tensor& k) { score = torch::matmul(q, k.transpose(1, 2)); }
  void additive_score(Tensor& score, const Tensor& q, const Tensor& k, const Weight& u) {
    if (kernels_ == Kernels::own) {
      score = AdditiveFunction::apply(q, k, u);
      return;
    }
    score = torch::matmul(torch::tanh(q.unsqueeze(2) + k.unsqueeze(1)), u);  // sums of (B,T,S,d_a)
  }
  // A row without any valid position keeps its finite scores in the softmax, so that neither value nor gradient is NaN.
  void masked_softmax(Tensor& alpha, const Tensor& score, const Lengths& lengths) {
    const Tensor padding = lengths.mask.logical_not().unsqueeze(1);                        // (B,1,S)
    const Tensor excluded = padding.logical_and(lengths.mask.any(1).view({-1, 1, 1}));
    alpha = score.masked_fill(excluded, -std::numeric_limits<float>::infinity()).softmax(-1).masked_fill(padding, 0);
  }
  void edit_alpha(Tensor& alpha_read, const Tensor& alpha, const Tensor& score, const Lengths& lengths, const RowEdit& edit) {
    if (edit.kind == RowEdit::Kind::temperature) return masked_softmax(alpha_read, score / edit.temperature, lengths);
    const auto T = static_cast<size_t>(alpha.size(1)), S = static_cast<size_t>(alpha.size(2));
    const std::span<const float> rows = to_host(alpha);
    Tensor edited = torch::empty_like(host_);
    for (size_t row = 0; row * S < rows.size(); ++row)
      edit_row({edited.data_ptr<float>() + row * S, S}, rows.subspan(row * S, S),
               lengths.counts[lengths.counts.size() == 1 ? 0 : row / T], edit);
    alpha_read = edited.to(device_);
  }
  void weighted_sum(Tensor& h_bar, const Tensor& alpha, const Tensor& h) { h_bar = torch::matmul(alpha, h); }
  void concat(Tensor& out, const Tensor& a, const Tensor& b) { out = torch::cat({a, b}, 2); }
  void tanh(Tensor& out, const Tensor& x) { out = torch::tanh(x); }
  void log_softmax(Tensor& log_prob, const Tensor& z) { log_prob = torch::log_softmax(z, -1); }
  // A batch without targets has loss 0, where LibTorch's own mean would be 0 / 0.
  void cross_entropy(Tensor& loss, const Tensor& z, const Ids& tgt_out) {
    const Tensor log_prob = torch::log_softmax(z, -1).gather(2, tgt_out.unsqueeze(2)).squeeze(2);  // (B,T)
    const Tensor valid = tgt_out.ne(pad);
    loss = -(log_prob.masked_fill(valid.logical_not(), 0).sum() / valid.sum().clamp_min(1));
  }

  int steps(const Ids& ids) const { return static_cast<int>(ids.size(1)); }
  Ids slice_time(const Ids& ids, int t) const { return ids.narrow(1, t, 1); }
  template <class At>
  void stack(Tensor& out, int T, At at) {
    std::vector<Tensor> steps;
    for (int t = 0; t < T; ++t) steps.push_back(at(t));
    out = torch::cat(steps, 1);
  }
  void gather_rows(Tensor& out, const Tensor& x, std::span<const int> rows) {
    out = x.index_select(0, ids(rows, static_cast<int>(rows.size()), 1).squeeze(1));
  }
  Ids ids(std::span<const int32_t> tokens, int B, int T) const {
    const Tensor host = torch::from_blob(const_cast<int32_t*>(tokens.data()), {B, T}, torch::kInt32);
    return to_device(host, device_).to(torch::kInt64);
  }
  std::span<const float> to_host(const Tensor& x) {
    host_ = x.detach().to(torch::kCPU, torch::kFloat32).contiguous();
    return {host_.data_ptr<float>(), static_cast<size_t>(host_.numel())};
  }

 private:
  // x_t = [embedding[id_t]; extra_t]  (B,T,inputs)
  static Tensor inputs(const Ids& ids, const Weight& embedding, const Tensor* extra) {
    const Tensor x = torch::embedding(embedding, ids, /*padding_idx=*/pad);  // (B,T,d_emb)
    return extra ? torch::cat({x, *extra}, 2) : x;
  }
  // For each row the places of its valid part from last to first, then padding as it lies. Its own inverse.
  static Tensor backward_order(const Ids& ids, const Lengths* lengths) {
    const Tensor place = torch::arange(ids.size(1), ids.options()).unsqueeze(0).expand_as(ids);
    if (!lengths) return place.flip(1);
    return torch::where(lengths->mask, lengths->last.squeeze(2) - place, place);
  }
  // Padded rows, then the state after each last character is gathered and what lies behind it cleared. Packing the
  // sequences instead would need the lengths in order, and breaks on CUDA.
  void torch_gru(Tensor& h, Tensor& h_last, const Ids& ids, const Weight& embedding, const Tensor* extra,
                 const Lengths* lengths, const Tensor* h_0, const GruWeights<TorchBackend>& w) {
    const int64_t B = ids.size(0), d_h = w.weight_hh.size(1);
    const Tensor x = inputs(ids, embedding, extra);
    const Tensor start = h_0 ? h_0->transpose(0, 1).contiguous() : torch::zeros({1, B, d_h}, x.options());
    auto [out, last] = torch::gru(x, start, {w.weight_ih, w.weight_hh, w.bias_ih, w.bias_hh}, /*has_biases=*/true,
                                  /*num_layers=*/1, /*dropout=*/0.0, /*train=*/torch::GradMode::is_enabled(),
                                  /*bidirectional=*/false, /*batch_first=*/true);  // (B,T,d_h), (1,B,d_h)
    if (!lengths) {
      h = out;
      h_last = last.transpose(0, 1);
      return;
    }
    h = out * lengths->mask.unsqueeze(2);                                // 0 beyond the end
    h_last = out.gather(1, lengths->last.expand({B, 1, d_h}));           // (B,1,d_h)
  }

  torch::Device device_;
  Kernels kernels_;
  Tensor host_;
};

static_assert(ModelBackend<TorchBackend>);

}  // namespace softalign
