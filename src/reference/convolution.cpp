// See convolution.h. Output k is a sum over the kernel's points t of kernel[t] times in[j], where along each axis j = k + first - t,
// or for correlations k + first + t: `first` says which of all sums the mode keeps. Circular ones take j modulo the length, the
// others leave out what lies beyond the data.
#include "reference/convolution.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <thread>
#include <vector>

#include "reference/scalars.h"

namespace skipper::reference {
namespace {

using Wide = std::complex<double>;
using Index = std::int64_t;

Index product(std::vector<Index> const& sizes) {
  Index all = 1;
  for (Index const n : sizes) all *= n;
  return all;
}

std::vector<Index> index_of(Index i, std::vector<Index> const& sizes) {
  std::vector<Index> index(sizes.size());
  for (std::size_t d = sizes.size(); d-- > 0; i /= sizes[d]) index[d] = i % sizes[d];
  return index;
}

template <class T>
Wide element_at(T const* from, bool complex, Index i) {
  return complex ? Wide(double(from[2 * i]), double(from[2 * i + 1])) : Wide(double(from[i]));
}

/// A point of the kernel that is not zero: input `offset` after output k, along each axis.
struct Term {
  std::vector<Index> offset;
  Wide value;
};

struct ErrorSum {
  double error = 0, worst = 0;
  void add(double square) {
    error += square;
    worst = std::isnan(square) ? INFINITY : std::max(worst, square);
  }
};

template <class T>
class Sums {
 public:
  Sums(ConvolutionProblem const& problem, T const* in, T const* kernel, T const* out)
      : p_(problem), in_(in), out_(out), points_(product(problem.shape)) {
    for (std::size_t d = 0; d < p_.shape.size(); ++d) {
      Index const n = p_.shape[d], k = p_.kernel[d];
      bool const full = p_.mode == ConvolutionMode::full, valid = p_.mode == ConvolutionMode::valid;
      outs_.push_back(full ? n + k - 1 : valid ? n - k + 1 : n);
    }
    for (Index b = 0; b < p_.kernels; ++b) {
      terms_.push_back(terms_of(kernel, b * product(p_.kernel)));
      double squares = 0;
      for (Term const& term : terms_.back()) squares += std::norm(term.value);
      squares_.push_back(squares);
    }
    double squares = 0;
    for (Index i = 0; i < p_.batch * points_; ++i) squares += std::norm(element_at(in_, p_.complex, i));
    mean_square_ = squares / double(p_.batch * points_);
  }

  Index rows() const { return p_.batch * product(outs_) / outs_.back(); }
  Index row_length() const { return outs_.back(); }

  /// Of a row of outputs, the squares of the errors relative to what is usual.
  void add(Index row, std::vector<Wide>& sums, ErrorSum& tally) const {
    std::vector<Index> const outer(outs_.begin(), outs_.end() - 1);
    Index const per_array = product(outer), array = row / per_array;
    std::vector<Index> const k = index_of(row % per_array, outer);
    std::size_t const kernel = std::size_t(p_.kernels > 1 ? array : 0);
    sums.assign(std::size_t(row_length()), 0);
    for (Term const& term : terms_[kernel]) add(term, array, k, sums);
    // What is smaller than the least normal number of f16 is stored with fewer digits.
    double const least = p_.precision == Precision::f16 ? 0x1p-14 * 0x1p-14 : 1e-300;
    double const usual = std::max(mean_square_ * squares_[kernel] * p_.scale * p_.scale, least);
    for (Index i = 0; i < row_length(); ++i) {
      Wide const got = element_at(out_, p_.complex, row * row_length() + i);
      tally.add(std::norm(got - p_.scale * sums[std::size_t(i)]) / usual);
    }
  }

 private:
  std::vector<Term> terms_of(T const* kernel, Index begin) const {
    std::vector<Term> terms;
    for (Index i = 0; i < product(p_.kernel); ++i) {
      Wide const value = element_at(kernel, p_.complex, begin + i);
      if (value == 0.0) continue;
      Term term{index_of(i, p_.kernel), p_.correlate ? std::conj(value) : value};
      for (std::size_t d = 0; d < term.offset.size(); ++d) term.offset[d] = offset(d, term.offset[d]);
      terms.push_back(std::move(term));
    }
    return terms;
  }
  Index offset(std::size_t d, Index t) const {
    Index const k = p_.kernel[d];
    Index const first = p_.mode == ConvolutionMode::same    ? (k - 1) / 2
                        : p_.mode == ConvolutionMode::valid ? k - 1
                                                            : 0;
    if (!p_.correlate) return first - t;
    return p_.mode == ConvolutionMode::circular ? t : first + t - (k - 1);
  }

  /// The inputs of one term, where they are; k are the outer indices of the row.
  void add(Term const& term, Index array, std::vector<Index> const& k, std::vector<Wide>& sums) const {
    bool const circular = p_.mode == ConvolutionMode::circular;
    Index at = array;
    for (std::size_t d = 0; d < k.size(); ++d) {
      Index j = k[d] + term.offset[d];
      if (circular) j = (j + p_.shape[d]) % p_.shape[d];
      if (j < 0 || j >= p_.shape[d]) return;
      at = at * p_.shape[d] + j;
    }
    Index const n = p_.shape.back(), first = term.offset.back();
    at *= n;
    for (Index i = std::max<Index>(0, circular ? 0 : -first); i < Index(sums.size()); ++i) {
      Index j = i + first;
      if (circular) j = (j + n) % n;
      if (j >= n) break;
      sums[std::size_t(i)] += term.value * element_at(in_, p_.complex, at + j);
    }
  }

  ConvolutionProblem const& p_;
  T const* in_;
  T const* out_;
  Index points_;
  std::vector<Index> outs_;  // sizes
  std::vector<std::vector<Term>> terms_;
  std::vector<double> squares_;  // of the terms of each kernel
  double mean_square_ = 0;       // of the data
};

template <class T>
Accuracy compared(Sums<T> const& sums, int threads) {
  Index const rows = sums.rows(), run = std::max<Index>(1, 4096 / sums.row_length());
  Index const cores = threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  std::vector<ErrorSum> tallies(std::size_t(std::min(cores, (rows + run - 1) / run)));
  std::atomic<Index> next = 0;
  auto const take = [&](ErrorSum& mine) {
    std::vector<Wide> row;
    for (Index begin; (begin = next.fetch_add(run)) < rows;)
      for (Index i = begin; i < std::min(rows, begin + run); ++i) sums.add(i, row, mine);
  };
  {
    std::vector<std::jthread> team;
    for (ErrorSum& mine : tallies) team.emplace_back([&] { take(mine); });
  }
  ErrorSum all;
  for (ErrorSum const& t : tallies) all.error += t.error, all.worst = std::max(all.worst, t.worst);
  double const samples = double(rows) * double(sums.row_length());
  return {std::sqrt(all.error / samples), std::sqrt(all.worst), std::size_t(samples)};
}

}  // namespace

Accuracy accuracy(ConvolutionProblem const& problem, void const* in, void const* kernel, void const* out,
                  int threads) {
  return with_scalar(problem.precision, [&]<class T>(T) {
    return compared(Sums<T>(problem, static_cast<T const*>(in), static_cast<T const*>(kernel),
                            static_cast<T const*>(out)),
                    threads);
  });
}

double allowed_l2(ConvolutionProblem const& problem) {
  std::vector<Index> padded;
  for (std::size_t d = 0; d < problem.shape.size(); ++d)
    padded.push_back(problem.shape[d] + problem.kernel[d]);
  return 3 * allowed_l2(c2c(padded, 1, problem.precision));
}

}  // namespace skipper::reference
