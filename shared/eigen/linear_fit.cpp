// Both fits on Eigen's dense solvers, in double.
#include "shared/eigen/linear_fit.h"

#include <Eigen/Dense>

#include <cassert>

namespace softalign {
namespace {

using Rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
constexpr Eigen::Index block = 4096;  // rows that are taken to double at once

// The rows as double from row `at`, a block of them at most.
Eigen::MatrixXd block_of(const Rows& rows, Eigen::Index at) {
  return rows.middleRows(at, std::min(block, rows.rows() - at)).cast<double>();
}

Eigen::RowVectorXd mean_of(const Rows& rows) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(rows.cols());
  for (Eigen::Index at = 0; at < rows.rows(); at += block) sum += block_of(rows, at).colwise().sum();
  return sum / static_cast<double>(rows.rows());
}

std::vector<float> floats(const Eigen::MatrixXd& matrix) {  // row by row
  std::vector<float> values;
  for (Eigen::Index row = 0; row < matrix.rows(); ++row)
    for (Eigen::Index col = 0; col < matrix.cols(); ++col) values.push_back(static_cast<float>(matrix(row, col)));
  return values;
}

}  // namespace

PrincipalAxes principal_axes(std::span<const float> numbers, int D) {
  assert(D >= 2 && numbers.size() >= static_cast<size_t>(D) && "principal_axes: rows of two numbers or more");
  const Rows rows(numbers.data(), static_cast<Eigen::Index>(numbers.size()) / D, D);
  const Eigen::RowVectorXd mean = mean_of(rows);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(D, D);
  for (Eigen::Index at = 0; at < rows.rows(); at += block) {
    const Eigen::MatrixXd centred = block_of(rows, at).rowwise() - mean;
    covariance.noalias() += centred.transpose() * centred;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance);  // eigenvalues in increasing order
  const double variance = std::max(covariance.trace(), 1e-30);
  PrincipalAxes found{floats(mean), {}, {}};
  for (int axis = 0; axis < 2; ++axis) {
    Eigen::VectorXd direction = solver.eigenvectors().col(D - 1 - axis);
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
    const std::vector<float> row = floats(direction.transpose());
    found.axes.insert(found.axes.end(), row.begin(), row.end());
    found.explained[axis] = static_cast<float>(solver.eigenvalues()(D - 1 - axis) / variance);
  }
  return found;
}

LinearFit ridge_fit(std::span<const float> numbers, int D, std::span<const float> target_numbers, int C, double penalty) {
  const Eigen::Index n = static_cast<Eigen::Index>(numbers.size()) / D;
  assert(static_cast<Eigen::Index>(target_numbers.size()) == n * C && "ridge_fit: a target for every row");
  const Rows rows(numbers.data(), n, D), targets(target_numbers.data(), n, C);
  const Eigen::RowVectorXd mean = mean_of(rows), target_mean = mean_of(targets);
  Eigen::MatrixXd products = penalty * Eigen::MatrixXd::Identity(D, D), with_targets = Eigen::MatrixXd::Zero(D, C);
  for (Eigen::Index at = 0; at < n; at += block) {
    const Eigen::MatrixXd x = block_of(rows, at).rowwise() - mean, y = block_of(targets, at).rowwise() - target_mean;
    products.noalias() += x.transpose() * x;
    with_targets.noalias() += x.transpose() * y;
  }
  const Eigen::MatrixXd weight = products.ldlt().solve(with_targets).transpose();  // (C,D)
  return {floats(weight), floats(target_mean - (weight * mean.transpose()).transpose())};
}

}  // namespace softalign
