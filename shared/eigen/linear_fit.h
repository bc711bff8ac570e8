// Least squares and principal axes: what is fitted to the states of a trained model, beside its training.
#pragma once
#include <array>
#include <span>
#include <vector>

namespace softalign {

// Where rows of D numbers differ most (principal component analysis).
struct PrincipalAxes {
  std::vector<float> mean;           // (D)
  std::vector<float> axes;           // (2,D) of length 1; the largest entry of each is positive
  std::array<float, 2> explained{};  // share of the variance along each
};
// Of `rows` (n,D), n at least 1 and D at least 2.
PrincipalAxes principal_axes(std::span<const float> rows, int D);

// y = weight x + bias.
struct LinearFit {
  std::vector<float> weight, bias;  // (C,D), (C)
};
// The least squares fit of targets (n,C) by rows (n,D), with `penalty` times the squared weights added: ridge regression.
LinearFit ridge_fit(std::span<const float> rows, int D, std::span<const float> targets, int C, double penalty);

}  // namespace softalign
