// How a batch becomes a step of Adam on LibTorch: examples on the device, parts of a batch, one flat vector of weights.
#pragma once
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "native/torch_model.h"

namespace softalign {

// Examples as tensors on the device; a batch is made there by indexing.
struct KeptExamples {
  torch::Tensor src;  // (N, longest S) uint8, <pad> behind each source
  torch::Tensor tgt;  // (N, 1 + longest T) uint8: <bos>, the target with <eos>, <pad>
  std::vector<int32_t> src_lengths, tgt_lengths;  // (N), on the host: shapes are known without asking the device

  KeptExamples() = default;
  KeptExamples(std::span<const EncodedExample> examples, torch::Device device) {
    size_t S = 0, T = 0;
    for (const auto& [source, target] : examples) {
      S = std::max(S, source.size()), T = std::max(T, target.size());
      src_lengths.push_back(static_cast<int32_t>(source.size()));
      tgt_lengths.push_back(static_cast<int32_t>(target.size()));
    }
    const auto N = static_cast<int64_t>(examples.size());
    src = torch::full({N, static_cast<int64_t>(S)}, pad, torch::kUInt8);
    tgt = torch::full({N, static_cast<int64_t>(T) + 1}, pad, torch::kUInt8);
    uint8_t *src_row = src.data_ptr<uint8_t>(), *tgt_row = tgt.data_ptr<uint8_t>();
    for (const auto& [source, target] : examples) {
      std::copy(source.begin(), source.end(), src_row);
      *tgt_row = bos;
      std::copy(target.begin(), target.end(), tgt_row + 1);
      src_row += S, tgt_row += T + 1;
    }
    src = src.to(device), tgt = tgt.to(device);
  }
  KeptExamples on(torch::Device device) const {
    KeptExamples copy = *this;
    copy.src = src.to(device), copy.tgt = tgt.to(device);
    return copy;
  }
};

// Examples of a batch that are computed together: of similar length, so that little of it is padding.
struct BatchPart {
  std::vector<int64_t> indices;
  std::vector<int32_t> lengths;  // of the sources
  int S = 0, T = 0;              // the longest
  int64_t targets = 0;           // tokens to predict
};

// Sorted by length and cut into `count` parts of equal size, the longest first.
inline std::vector<BatchPart> parts_of(const KeptExamples& examples, std::span<const uint32_t> indices, int count) {
  std::vector<uint32_t> sorted(indices.begin(), indices.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](uint32_t a, uint32_t b) { return examples.src_lengths[a] > examples.src_lengths[b]; });
  const size_t size = (sorted.size() + count - 1) / count;
  std::vector<BatchPart> parts;
  for (size_t at = 0; at < sorted.size(); at += size) {
    BatchPart& part = parts.emplace_back();
    for (size_t i = at; i < std::min(at + size, sorted.size()); ++i) {
      const uint32_t index = sorted[i];
      part.indices.push_back(index);
      part.lengths.push_back(examples.src_lengths[index]);
      part.S = std::max(part.S, examples.src_lengths[index]);
      part.T = std::max(part.T, examples.tgt_lengths[index]);
      part.targets += examples.tgt_lengths[index];
    }
  }
  return parts;
}

// Adam (Kingma and Ba, 2015) with PyTorch's defaults, on all weights as one vector. A step with a loss, a gradient norm or
// a new weight that is no finite number changes nothing, nor does any step after it; that too is decided on the device,
// and nothing is read back from it.
struct Adam {
  static constexpr double learning_rate = 2e-3, max_gradient_norm = 1.0, beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-8;
  torch::Tensor weights, first_moment, second_moment;
  torch::Tensor loss, gradient_norm;  // of the last step, before clipping
  torch::Tensor trouble;              // (2) int64: the first step that was not finite, or 0, and a sum of Trouble's kinds
  int step = 0;

  void learn(torch::Tensor gradient, const torch::Tensor& batch_loss) {
    loss = batch_loss;
    gradient_norm = gradient.norm();
    gradient.mul_((max_gradient_norm / (gradient_norm + 1e-6)).clamp_max(1.0));
    ++step;
    const torch::Tensor first = first_moment.mul(beta_1).add_(gradient, 1 - beta_1);
    const torch::Tensor second = second_moment.mul(beta_2).addcmul_(gradient, gradient, 1 - beta_2);
    const double correction_1 = 1 - std::pow(beta_1, step), correction_2 = 1 - std::pow(beta_2, step);
    const torch::Tensor scale = (second.sqrt() / std::sqrt(correction_2)).add_(epsilon);
    const torch::Tensor learnt = torch::addcdiv(weights, first, scale, -learning_rate / correction_1);

    const torch::Tensor good = watch(learnt);
    weights.copy_(torch::where(good, learnt, weights));
    first_moment.copy_(torch::where(good, first, first_moment));
    second_moment.copy_(torch::where(good, second, second_moment));
  }

  // Notes what is not finite, unless a step before had trouble; () bool: whether none had, this one included.
  torch::Tensor watch(const torch::Tensor& learnt) {
    const auto bad = [](const torch::Tensor& x) { return torch::isfinite(x).logical_not().to(torch::kInt64); };
    const torch::Tensor kinds = bad(loss) * Trouble::loss + bad(gradient_norm) * Trouble::gradient_norm +
                                torch::isfinite(learnt).all().logical_not().to(torch::kInt64) * Trouble::weights;
    const torch::Tensor now = torch::stack({torch::full_like(kinds, step), kinds});
    trouble = torch::where(trouble[0].eq(0).logical_and(kinds.ne(0)), now, trouble);
    return trouble[0].eq(0);
  }
  // `step` is where the given weights and moments stand. Those that are not finite are trouble at the next step.
  void start_watch() {
    const bool finite = torch::isfinite(torch::cat({weights, first_moment, second_moment})).all().item<bool>();
    trouble = torch::tensor({finite ? int64_t{0} : int64_t{step + 1}, finite ? int64_t{0} : int64_t{Trouble::weights}})
                  .to(weights.device());
  }
};

}  // namespace softalign
