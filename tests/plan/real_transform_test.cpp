// Real transforms against the definitions of their kinds, in plain double arithmetic and without any kernel.
#include "plan/real_transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "base/kinds.h"

namespace skipper {
namespace {

using C = std::complex<double>;
double const pi = std::acos(-1.0);

C root(double k, double n) { return std::polar(1.0, -2 * pi * k / n); }

double sequence(Index j) { return std::sin(double(3 * j * j + j) + 0.5); }

bool at_edge(AxisProcessing const& side, Index at) { return at == side.edge[0] || at == side.edge[1]; }

/// What a gather index finds for element i, as it would in real memory.
double read(AxisProcessing const& side, kernel::GatherIndex const& gather_index, Index i,
            std::vector<double> const& x) {
  Index const at = kernel::index_of(gather_index, i);
  if (!gather_index.used || at < 0 || at >= side.limit) return 0;
  return (gather_index.negate != (gather_index.flip && kernel::bent(gather_index, i)) ? -1 : 1) * x[at] *
         (at_edge(side, at) ? std::sqrt(2) : 1);
}
void write(AxisProcessing const& side, kernel::GatherIndex const& gather_index, Index i, double value,
           std::vector<double>& x, std::vector<int>& times) {
  Index const at = kernel::index_of(gather_index, i);
  if (!gather_index.used || at < 0 || at >= side.limit) return;
  x[at] = (gather_index.negate != (gather_index.flip && kernel::bent(gather_index, i)) ? -1 : 1) * value /
          (at_edge(side, at) ? std::sqrt(2) : 1);
  ++times[at];
}

/// z[k] with z*[-k], as the kernel's Hermitian split joins them; element `core` is the extra one.
std::vector<C> hermitian_split(std::vector<C> const& z, Index core, Index order) {
  std::vector<C> out;
  for (Index k = 0; k <= core; ++k) {
    C const own = z[std::size_t(k) < z.size() ? k : 0];
    C const other = std::conj(z[std::size_t(core - k) < z.size() ? core - k : 0]);
    out.push_back(own + other - C(0, 1) * root(double(k), double(order)) * (own - other));
  }
  return out;
}

std::vector<double> real_axis(RealTransform const& f, std::vector<double> const& x) {
  std::vector<C> z;
  for (Index i = 0; i < f.core + (f.pre.hermitian ? 1 : 0); ++i) {
    C v(read(f.pre, f.pre.gather_index[0], i, x), read(f.pre, f.pre.gather_index[1], i, x));
    if (f.pre.order) v *= root(double(f.pre.scale * i + f.pre.shift), double(f.pre.order));
    z.push_back(v);
  }
  if (f.pre.hermitian) z = hermitian_split(z, f.core, f.hermitian_order);
  std::vector<C> y(f.core);
  for (Index k = 0; k < f.core; ++k)
    for (Index j = 0; j < f.core; ++j) y[k] += z[j] * root(double(j * k % f.core), double(f.core));
  if (f.post.hermitian) y = hermitian_split(y, f.core, f.hermitian_order);
  std::vector<double> out(x.size());
  std::vector<int> times(x.size(), 0);
  for (Index k = 0; k < Index(y.size()); ++k) {
    C v = f.factor * y[k];
    if (f.post.order) v *= root(double(f.post.scale * k + f.post.shift), double(f.post.order));
    write(f.post, f.post.gather_index[0], k, v.real(), out, times);
    write(f.post, f.post.gather_index[1], k, v.imag(), out, times);
  }
  for (int t : times) EXPECT_EQ(t, 1) << "an output is written so many times";
  return out;
}

/// By columns, of n = a b: each number of the halved spectrum once, as an element before the bend or a conjugate after it,
/// unless it is a row's own conjugate.
TEST(RealTransform, ByColumnsHaveEachNumberOnce) {
  for (auto [a, b] : {std::pair<Index, Index>{8, 6}, {6, 4}, {2, 2}, {16, 2}}) {
    Index const n = a * b;
    RealTransform const f = real_by_columns(Kind::r2c, AxisKind::fourier, n);
    kernel::GatherIndex const& gather_index = f.post.gather_index[0];
    std::vector<int> times(n / 2 + 1, 0);
    for (Index k1 = 0; k1 <= a / 2; ++k1)
      for (Index k2 = 0; k2 < b; ++k2) {
        Index const k = k1 + a * k2;
        ASSERT_GE(kernel::index_of(gather_index, k), 0);
        ASSERT_LT(kernel::index_of(gather_index, k), f.post.limit);
        EXPECT_EQ((k + kernel::index_of(gather_index, k)) % n, kernel::bent(gather_index, k) ? 0 : 2 * k % n);
        if (!kernel::bent(gather_index, k) || k % (a / 2) != 0) ++times[kernel::index_of(gather_index, k)];
      }
    for (int t : times) EXPECT_EQ(t, 1);
    EXPECT_EQ(real_by_columns(Kind::c2r, AxisKind::fourier, n).pre.gather_index[0], gather_index);
  }
}

/// To reals a row and its negated one are written together, but for rows that are their own conjugate rows.
TEST(RealTransform, HartleyByColumnsHasEachNumberOnce) {
  for (auto [a, b] : {std::pair<Index, Index>{8, 6}, {6, 4}, {2, 2}, {16, 2}}) {
    Index const n = a * b;
    AxisProcessing const side = real_by_columns(Kind::r2r, AxisKind::dht, n).post;
    std::vector<int> times(n, 0);
    for (Index k1 = 0; k1 <= a / 2; ++k1)
      for (Index k = k1; k < n; k += a) {
        ++times[kernel::index_of(side.gather_index[0], k)];
        if (k % (a / 2) != 0) ++times[kernel::index_of(side.gather_index[1], k)];
      }
    for (int t : times) EXPECT_EQ(t, 1);
  }
}

std::vector<double> defined(AxisKind kind, std::vector<double> const& x) {
  Index const n = Index(x.size());
  std::vector<double> out(n, 0);
  for (Index k = 0; k < n; ++k)
    for (Index j = 0; j < n; ++j) {
      double const a = double(j), b = double(k), m = double(n);
      bool const last = j == n - 1;
      switch (kind) {
        case AxisKind::dct1:
          out[k] += (j == 0 || last ? 1 : 2) * x[j] * std::cos(pi * a * b / (m - 1));
          break;
        case AxisKind::dct2:
          out[k] += 2 * x[j] * std::cos(pi * (a + 0.5) * b / m);
          break;
        case AxisKind::dct3:
          out[k] += (j == 0 ? 1 : 2) * x[j] * std::cos(pi * a * (b + 0.5) / m);
          break;
        case AxisKind::dct4:
          out[k] += 2 * x[j] * std::cos(pi * (a + 0.5) * (b + 0.5) / m);
          break;
        case AxisKind::dst1:
          out[k] += 2 * x[j] * std::sin(pi * (a + 1) * (b + 1) / (m + 1));
          break;
        case AxisKind::dst2:
          out[k] += 2 * x[j] * std::sin(pi * (a + 0.5) * (b + 1) / m);
          break;
        case AxisKind::dst3:
          out[k] += (last ? 1 : 2) * x[j] * std::sin(pi * (a + 1) * (b + 0.5) / m);
          break;
        case AxisKind::dst4:
          out[k] += 2 * x[j] * std::sin(pi * (a + 0.5) * (b + 0.5) / m);
          break;
        case AxisKind::dht:
          out[k] += x[j] * (std::cos(2 * pi * a * b / m) + std::sin(2 * pi * a * b / m));
          break;
        case AxisKind::fourier:
          break;
      }
    }
  return out;
}

TEST(RealTransform, OfEveryRealKindIsItsDefinition) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n = smallest_size(kind); n <= 33; ++n) {
      std::vector<double> x;
      for (Index j = 0; j < n; ++j) x.push_back(sequence(j));
      auto const expected = defined(kind, x);
      for (auto const& real :
           {packed_real(Kind::r2r, kind, n), std::optional(unpacked_real(Kind::r2r, kind, n))}) {
        if (!real) continue;
        SCOPED_TRACE(std::string(name(kind)) + " of " + std::to_string(n) + " by " +
                     std::to_string(real->core));
        auto const got = real_axis(*real, x);
        for (Index k = 0; k < n; ++k) EXPECT_NEAR(got[k], expected[k], 1e-11 * double(n));
      }
    }
}

TEST(RealTransform, IsOrthonormalWithItsEdgesWeighed) {
  for (AxisKind kind : real_axis_kinds)
    for (Index n : {2, 3, 4, 7, 12}) {
      double const norm = round_trip_factor({n, 1, 1, kind});
      for (auto real : {packed_real(Kind::r2r, kind, n), std::optional(unpacked_real(Kind::r2r, kind, n))}) {
        if (!real) continue;
        weigh_edges(*real, kind, n);
        std::vector<std::vector<double>> columns;  // of the matrix
        for (Index j = 0; j < n; ++j) {
          std::vector<double> unit(n, 0);
          unit[j] = 1;
          columns.push_back(real_axis(*real, unit));
        }
        for (Index i = 0; i < n; ++i)
          for (Index j = 0; j < n; ++j) {
            double const dot =
                std::inner_product(columns[i].begin(), columns[i].end(), columns[j].begin(), 0.0);
            EXPECT_NEAR(dot / norm, i == j ? 1 : 0, 1e-12) << name(kind) << " of " << n;
          }
      }
    }
}

TEST(RealTransform, PacksWhereThereArePairs) {
  EXPECT_EQ(packed_real(Kind::r2c, AxisKind::fourier, 16)->core, 8);
  EXPECT_FALSE(packed_real(Kind::r2c, AxisKind::fourier, 15));
  EXPECT_FALSE(packed_real(Kind::c2r, AxisKind::fourier, 2));
  EXPECT_EQ(unpacked_real(Kind::c2r, AxisKind::fourier, 15).core, 15);
  EXPECT_EQ(packed_real(Kind::r2r, AxisKind::dct1, 9)->core, 8);
  EXPECT_EQ(packed_real(Kind::r2r, AxisKind::dst1, 7)->core, 8);
  EXPECT_EQ(unpacked_real(Kind::r2r, AxisKind::dct4, 7).core, 14);
}

TEST(RealTransform, IsFoundByTheLengthOfItsTransform) {
  EXPECT_TRUE(real_with_core(Kind::r2c, AxisKind::fourier, 16, 8)->post.hermitian);
  EXPECT_FALSE(real_with_core(Kind::r2c, AxisKind::fourier, 16, 16)->has_hermitian_split());
  EXPECT_FALSE(real_with_core(Kind::r2c, AxisKind::fourier, 16, 4));
}

/// What is known of a number beforehand saves questions and changes no answer.
TEST(RealTransform, GatherIndicesKnowWhereTheyAre) {
  for (AxisKind kind : {AxisKind::dct1, AxisKind::dct2, AxisKind::dct3, AxisKind::dct4, AxisKind::dst1})
    for (Index n : {6, 9, 16}) {
      RealTransform const f = packed_real(Kind::r2r, kind, n).value_or(unpacked_real(Kind::r2r, kind, n));
      for (AxisProcessing const& side : {f.pre, f.post})
        for (kernel::GatherIndex const& gather_index : side.gather_index)
          for (Index least = 0; least <= f.core; ++least)
            for (Index most = least; most <= f.core; ++most)
              for (Index i = least; i <= most; ++i) {
                kernel::Along<Index> const at{i, least, most};
                Index const index = kernel::index_of(gather_index, i);
                EXPECT_EQ(kernel::bent(gather_index, at), kernel::bent(gather_index, i));
                EXPECT_EQ(kernel::index_of(gather_index, at), index);
                EXPECT_EQ(kernel::within(gather_index, at, n), index >= 0 && index < n);
              }
    }
}

}  // namespace
}  // namespace skipper
