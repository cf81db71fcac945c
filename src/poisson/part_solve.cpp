// See part_solve.h.
#include "poisson/part_solve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/spare_memory.h"
#include "poisson/part_transforms.h"
#include "poisson/symbols.h"

namespace skipper::poisson {
namespace {

using distributed::Processor;

constexpr Index tile_bytes = 128 * 1024;  // of the columns that are eliminated side by side

/// What all parts of a rank have in common.
struct Common : SpreadOperator {
  SpreadProgram program;
  std::shared_ptr<Processor const> processor;
  PartSolves* all = nullptr;
};

/// Three dimensions, slowest first; those that a problem has not are of one element.
using Three = std::array<Index, 3>;
Three three(std::vector<Index> const& values, Index missing) {
  Three all = {missing, missing, missing};
  std::copy(values.begin(), values.end(), all.end() - std::ptrdiff_t(values.size()));
  return all;
}

/// An array of numbers of `parts` scalars, its strides counting numbers.
template <class T>
struct View {
  T* data;
  Three strides;
};

template <class T>
class PartSolve {
 public:
  PartSolve(std::shared_ptr<Common const> common, std::vector<Index> const& sizes,
            std::vector<Index> const& in_strides, std::vector<Index> const& out_strides, bool all_threads);

  void run(Box const& part, T const* in, T* out) const {
    AlignedMemory memory = between_ ? spare_.take(between_) : nullptr;
    T* const between = static_cast<T*>(memory.get());
    if (there_) there_->run(in, between);
    View<T const> const from{there_ ? between : in, there_ ? dense_ : in_strides_};
    View<T> const to{back_ ? between : out, back_ ? dense_ : out_strides_};
    Three const first = three(part.first, 0);
    if (common_->matrix)
      eliminate(first, from, to);
    else
      divide(first, from, to);
    if (back_) back_->run(between, out);
    if (between_) spare_.give(std::move(memory));
  }

 private:
  void loop(Index count, std::function<void(Index, Index)> const& body) const {
    if (!all_threads_) return body(0, count);
    common_->processor->loop(count, [&](int, Index begin, Index end) { body(begin, end); });
  }
  /// Columns that are eliminated side by side, and what they take: numbers, pivots, what the other axes add, and one column alone.
  Index tile_columns() const {
    Index const column = sizes_[eliminated_] * (parts_ + 1) * Index(sizeof(double));
    return std::clamp<Index>(tile_bytes / column, 8, 64);
  }
  std::size_t tile_memory() const {
    Index const n = sizes_[eliminated_], columns = tile_columns();
    return std::size_t(n * columns * (parts_ + 1) + columns + n) * sizeof(double);
  }
  bool has_constant(Three const& first) const { return common_->singular && first == Three{0, 0, 0}; }
  double symbol(std::size_t dimension, Index i) const {
    std::vector<double> const& all = symbols_[dimension];
    return all.empty() ? 0 : all[std::size_t(i)];
  }

  void divide(Three const& first, View<T const> const& from, View<T> const& to) const;
  void eliminate(Three const& first, View<T const> const& from, View<T> const& to) const;
  void eliminate_tile(Three const& first, Index column, Index columns, View<T const> const& from,
                      View<T> const& to) const;

  std::shared_ptr<Common const> common_;
  std::array<std::vector<double>, 3> symbols_;
  std::unique_ptr<distributed::Transform> there_, back_;    // none where no axis is transformed
  Three sizes_{}, in_strides_{}, out_strides_{}, dense_{};  // of the spectrum
  int parts_ = 1;                                           // scalars of a number of the spectrum
  bool all_threads_ = false;
  std::size_t eliminated_ = 0;  // of the three dimensions
  std::size_t between_ = 0;     // bytes
  mutable SpareMemory spare_, tiles_;
};

template <class T>
PartSolve<T>::PartSolve(std::shared_ptr<Common const> common, std::vector<Index> const& sizes,
                        std::vector<Index> const& in_strides, std::vector<Index> const& out_strides,
                        bool all_threads)
    : common_(std::move(common)), all_threads_(all_threads) {
  Problem const& problem = common_->program.program.problem;
  auto const [there, back, spectrum, complex] = part_transforms(common_->program, sizes);
  std::size_t const missing = 3 - sizes.size();
  if (auto const eliminated = common_->program.spread.eliminated) eliminated_ = missing + *eliminated;
  parts_ = complex ? 2 : 1;
  std::vector<Index> const dense = dense_strides(spectrum);
  Processor const& processor = *common_->processor;
  if (!there.axes.empty())
    there_ = processor.prepare({part_problem(problem, there, sizes, in_strides, dense)}, all_threads);
  if (!back.axes.empty())
    back_ = processor.prepare({part_problem(problem, back, spectrum, dense, out_strides)}, all_threads);
  if (there_ || back_)
    between_ = std::size_t(distributed::volume(distributed::whole_box(spectrum)) * parts_) * sizeof(T);
  sizes_ = three(spectrum, 1);
  in_strides_ = three(in_strides, 0);
  out_strides_ = three(out_strides, 0);
  dense_ = three(dense, 0);
  for (std::size_t d = 0; d < sizes.size(); ++d) symbols_[missing + d] = common_->symbols[d];
  Index const threads = processor.threads();
  common_->all->memory_bytes += Index(between_) * (all_threads ? 1 : threads);
  if (common_->matrix) common_->all->memory_bytes += Index(tile_memory()) * threads;
}

template <class T>
void PartSolve<T>::divide(Three const& first, View<T const> const& from, View<T> const& to) const {
  Index const rows = sizes_[0] * sizes_[1], columns = sizes_[2];
  bool const constant = has_constant(first);
  if (constant) {
    common_->all->constant.here = true;
    common_->all->constant.mean = double(from.data[0]) / common_->gain;
  }
  loop(rows, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      Index const i = row / sizes_[1], j = row % sizes_[1];
      double const across = common_->shift + symbol(0, first[0] + i) + symbol(1, first[1] + j);
      T const* const x = from.data + (i * from.strides[0] + j * from.strides[1]) * parts_;
      T* const y = to.data + (i * to.strides[0] + j * to.strides[1]) * parts_;
      Index const step = from.strides[2] * parts_, to_step = to.strides[2] * parts_;
      double const* const fast = symbols_[2].data() + first[2];
      if (parts_ == 1)
        for (Index k = 0; k < columns; ++k) y[k * to_step] = x[k * step] * (T(1) / T(across + fast[k]));
      else
        for (Index k = 0; k < columns; ++k) {
          T const factor = T(1) / T(across + fast[k]);
          y[k * to_step] = x[k * step] * factor;
          y[k * to_step + 1] = x[k * step + 1] * factor;
        }
    }
  });
  if (constant)
    for (int part = 0; part < parts_; ++part) to.data[part] = 0;
}

template <class T>
void PartSolve<T>::eliminate(Three const& first, View<T const> const& from, View<T> const& to) const {
  Index const n = sizes_[eliminated_], columns = sizes_[0] * sizes_[1] * sizes_[2] / n;
  Index const tile = tile_columns();
  loop((columns + tile - 1) / tile, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t)
      eliminate_tile(first, t * tile, std::min(tile, columns - t * tile), from, to);
  });
}

/// Columns are counted along the other two dimensions. The tile is in double, with a pivot for each of its numbers.
template <class T>
void PartSolve<T>::eliminate_tile(Three const& first, Index column, Index columns, View<T const> const& from,
                                  View<T> const& to) const {
  std::size_t const e = eliminated_, slow = e == 0 ? 1 : 0, fast = e == 2 ? 1 : 2;
  Index const n = sizes_[e], row = columns * parts_;
  AlignedMemory memory = tiles_.take(tile_memory());
  double* const x = static_cast<double*>(memory.get());
  double *const pivots = x + n * row, *const across = pivots + n * columns, *const alone = across + columns;
  auto const offset = [&](Three const& strides, Index j) {
    Index const at = column + j;
    return (at / sizes_[fast] * strides[slow] + at % sizes_[fast] * strides[fast]) * parts_;
  };
  for (Index j = 0; j < columns; ++j) {
    Index const at = column + j;
    across[j] = common_->shift + symbol(slow, first[slow] + at / sizes_[fast]) +
                symbol(fast, first[fast] + at % sizes_[fast]);
    T const* const source = from.data + offset(from.strides, j);
    for (Index i = 0; i < n; ++i)
      for (int part = 0; part < parts_; ++part)
        x[i * row + j * parts_ + part] = double(source[i * from.strides[e] * parts_ + part]);
  }
  bool const constant = column == 0 && has_constant(first);
  if (constant) {
    for (Index i = 0; i < n; ++i) alone[i] = x[i * row];
    common_->all->constant.here = true;
    common_->all->constant.mean = solve_singular(*common_->matrix, alone, 1) / common_->gain;
    across[0] = -1;  // in its place stands a matrix that is harmless
  }
  sweep_columns(*common_->matrix, across, columns, parts_, x, pivots);
  for (Index i = 0; constant && i < n; ++i) {
    x[i * row] = alone[i];
    if (parts_ == 2) x[i * row + 1] = 0;
  }
  for (Index j = 0; j < columns; ++j) {
    T* const target = to.data + offset(to.strides, j);
    for (Index i = 0; i < n; ++i)
      for (int part = 0; part < parts_; ++part)
        target[i * to.strides[e] * parts_ + part] = T(x[i * row + j * parts_ + part]);
  }
  tiles_.give(std::move(memory));
}

template <class T>
distributed::Action action_of(std::shared_ptr<PartSolve<T> const> solve) {
  return [solve = std::move(solve)](Box const& part, void const* in, void* out) {
    solve->run(part, static_cast<T const*>(in), static_cast<T*>(out));
  };
}

}  // namespace

distributed::MakeMiddle part_solves(PoissonProblem const& problem, SpreadProgram const& program,
                                    std::shared_ptr<Processor const> processor, PartSolves& all) {
  auto common = std::make_shared<Common>();
  static_cast<SpreadOperator&>(*common) = spread_operator(problem, program.spread);
  common->program = program;
  common->processor = std::move(processor);
  common->all = &all;
  bool const wide = problem.precision == Precision::f64;
  return [common, wide](std::vector<Index> const& sizes, std::vector<Index> const& in_strides,
                        std::vector<Index> const& out_strides, bool all_threads) -> distributed::Action {
    if (wide)
      return action_of<double>(
          std::make_shared<PartSolve<double>>(common, sizes, in_strides, out_strides, all_threads));
    return action_of<float>(
        std::make_shared<PartSolve<float>>(common, sizes, in_strides, out_strides, all_threads));
  };
}

bool meets_eigenvalue(PoissonProblem const& problem, distributed::Part const& part) {
  for (PoissonAxis const& axis : problem.axes)
    if (is_tridiagonal(axis)) return false;
  if (problem.shift <= 0) return false;
  std::vector<double> across = {problem.shift};
  for (std::size_t a = 0; a + 1 < problem.axes.size(); ++a) {
    std::vector<double> values = eigenvalues(problem.axes[a], problem.symbols), next;
    if (a == 0) values = {values.begin() + part.first, values.begin() + part.first + part.size};
    for (double const sum : across)
      for (double const v : values) next.push_back(sum + v);
    across = std::move(next);
  }
  try {
    check_resonance(eigenvalues(problem.axes.back(), problem.symbols), across, problem.shift);
  } catch (Error const&) {
    return true;
  }
  return false;
}

}  // namespace skipper::poisson
