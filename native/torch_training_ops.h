// The hand-written gradients of shared/eigen as LibTorch autograd functions, for training on a CPU.
//
// LibTorch's own GRU on a CPU is a loop of unfused operations, and its additive score would hold (B,T,S,d_a) numbers.
#pragma once
#include <torch/torch.h>

#include <vector>

#include "shared/eigen/additive_training.h"
#include "shared/eigen/gru_training.h"

namespace softalign {

// The GRU's products through LibTorch, which has the BLAS that suits the machine.
struct TorchProduct {
  static torch::Tensor view(const float* x, int rows, int cols) {
    return torch::from_blob(const_cast<float*>(x), {rows, cols});
  }
  void add_by_transposed(float* C, const float* A, const float* B, int m, int k, int n) const {
    view(C, m, n).addmm_(view(A, m, k), view(B, n, k).t());
  }
  void add(float* C, const float* A, const float* B, int m, int k, int n) const {
    view(C, m, n).addmm_(view(A, m, k), view(B, k, n));
  }
  void add_transposed_by(float* C, const float* A, const float* B, int m, int k, int n) const {
    view(C, m, n).addmm_(view(A, k, m).t(), view(B, k, n));
  }
};

// What GruFunction's forward pass leaves for its backward pass.
struct HeldTrace : torch::CustomClassHolder {
  GruTrace trace;
};

// Eq. 2 and 3: h (B,T,d_h) and h_last (B,d_h) from table (V, 3 d_h), W_hh, b_hh, h_0 (B,d_h) and ids (B,T) int32.
// `lengths` (B), or empty when all of T is valid.
struct GruFunction : torch::autograd::Function<GruFunction> {
  using Context = torch::autograd::AutogradContext;
  using Tensors = torch::autograd::variable_list;

  static Tensors forward(Context* context, const torch::Tensor& table, const torch::Tensor& W_hh,
                         const torch::Tensor& b_hh, const torch::Tensor& h_0, const torch::Tensor& ids,
                         const std::vector<int32_t>& lengths) {
    TORCH_CHECK(W_hh.is_contiguous() && b_hh.is_contiguous() && ids.is_contiguous(), "gru: W_hh, b_hh and ids row by row");
    const auto B = ids.size(0), T = ids.size(1), d_h = W_hh.size(1);
    const auto held = c10::make_intrusive<HeldTrace>();
    context->saved_data["trace"] = c10::IValue::make_capsule(held);
    GruTrace& trace = held->trace;
    const bool fits = trace.lay_out(static_cast<int>(B), static_cast<int>(T), static_cast<int>(d_h),
                                    lengths.empty() ? nullptr : lengths.data());
    TORCH_CHECK(fits, "there is not enough memory for the states of ", B, " sequences");
    const torch::Tensor h = torch::empty({B, T, d_h}, table.options()), h_last = torch::empty({B, d_h}, table.options());
    const torch::Tensor rows = table.contiguous(), start = h_0.contiguous();
    gru_forward(TorchProduct{}, trace, h.data_ptr<float>(), h_last.data_ptr<float>(), ids.data_ptr<int32_t>(),
                rows.data_ptr<float>(), start.data_ptr<float>(), W_hh.data_ptr<float>(), b_hh.data_ptr<float>());
    context->save_for_backward({W_hh, ids});
    context->saved_data["V"] = table.size(0);
    return {h, h_last};
  }

  static Tensors backward(Context* context, const Tensors& grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &W_hh = saved[0], &ids = saved[1];
    const auto held = c10::static_intrusive_pointer_cast<HeldTrace>(context->saved_data["trace"].toCapsule());
    GruTrace& trace = held->trace;
    const int64_t d_h = W_hh.size(1), V = context->saved_data["V"].toInt();
    const auto options = W_hh.options();
    auto given = [&](const torch::Tensor& grad, torch::IntArrayRef shape) {
      return grad.defined() ? grad.contiguous() : torch::zeros(shape, options);
    };
    const torch::Tensor grad_h = given(grads[0], {trace.B, trace.T, d_h}), grad_h_last = given(grads[1], {trace.B, d_h});
    const torch::Tensor grad_table = torch::zeros({V, 3 * d_h}, options), grad_W_hh = torch::zeros_like(W_hh);
    const torch::Tensor grad_b_hh = torch::zeros({3 * d_h}, options), grad_h_0 = torch::empty({trace.B, d_h}, options);
    gru_backward(TorchProduct{}, trace, grad_table.data_ptr<float>(), grad_W_hh.data_ptr<float>(),
                 grad_b_hh.data_ptr<float>(), grad_h_0.data_ptr<float>(), grad_h.data_ptr<float>(),
                 grad_h_last.data_ptr<float>(), ids.data_ptr<int32_t>(), W_hh.data_ptr<float>());
    return {grad_table, grad_W_hh, grad_b_hh, grad_h_0, torch::Tensor(), torch::Tensor()};
  }
};

// Eq. 11: score (B,T,S) from q (B,T,d), k (B,S,d), u (d).
struct AdditiveFunction : torch::autograd::Function<AdditiveFunction> {
  using Context = torch::autograd::AutogradContext;
  using Tensors = torch::autograd::variable_list;

  static AdditiveShape shape_of(const torch::Tensor& q, const torch::Tensor& k) {
    return {static_cast<int>(q.size(0)), static_cast<int>(q.size(1)), static_cast<int>(k.size(1)),
            static_cast<int>(q.size(2))};
  }

  static torch::Tensor forward(Context* context, const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& u) {
    TORCH_CHECK(u.is_contiguous(), "additive_score: u number by number");
    const torch::Tensor queries = q.contiguous(), keys = k.contiguous();
    const torch::Tensor score = torch::empty({q.size(0), q.size(1), k.size(1)}, q.options());
    additive_forward(shape_of(q, k), score.data_ptr<float>(), queries.data_ptr<float>(),
                     keys.data_ptr<float>(), u.data_ptr<float>());
    context->save_for_backward({queries, keys, u});
    return score;
  }

  static Tensors backward(Context* context, const Tensors& grads) {
    const auto saved = context->get_saved_variables();
    const torch::Tensor &q = saved[0], &k = saved[1], &u = saved[2], grad_score = grads[0].contiguous();
    const torch::Tensor grad_q = torch::zeros_like(q), grad_k = torch::zeros_like(k), grad_u = torch::zeros_like(u);
    additive_backward(shape_of(q, k), grad_q.data_ptr<float>(),
                      grad_k.data_ptr<float>(), grad_u.data_ptr<float>(), grad_score.data_ptr<float>(),
                      q.data_ptr<float>(), k.data_ptr<float>(), u.data_ptr<float>());
    return {grad_q, grad_k, grad_u};
  }
};

}  // namespace softalign
