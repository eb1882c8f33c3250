#pragma once
// Eigenvectors of small symmetric matrices.

#include <cmath>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// Turns a symmetric matrix a into one with its eigenvalues on the diagonal, and writes the eigenvectors into the
/// columns of v. Jacobi's rotations, of which a fixed number leaves nothing off the diagonal of a matrix of up to 6
/// x 6.
template <int n>
KDSCOPE_HD void diagonalise(double (&a)[n][n], double (&v)[n][n]) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) v[i][j] = i == j ? 1 : 0;
  for (int sweep = 0; sweep < 8; ++sweep)
    for (int p = 0; p < n - 1; ++p)
      for (int q = p + 1; q < n; ++q) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int i = 0; i < n; ++i) {
          const double ip = a[i][p], iq = a[i][q];
          a[i][p] = c * ip - s * iq, a[i][q] = s * ip + c * iq;
        }
        for (int i = 0; i < n; ++i) {
          const double pi = a[p][i], qi = a[q][i];
          a[p][i] = c * pi - s * qi, a[q][i] = s * pi + c * qi;
        }
        for (int i = 0; i < n; ++i) {
          const double ip = v[i][p], iq = v[i][q];
          v[i][p] = c * ip - s * iq, v[i][q] = s * ip + c * iq;
        }
      }
}

}  // namespace kdscope
