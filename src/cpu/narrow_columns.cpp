// See narrow_columns.h.
#include "cpu/narrow_columns.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/convolution.h"
#include "cpu/host.h"
#include "cpu/pool.h"

namespace skipper::cpu {
namespace {

constexpr Index least_columns = 8;  // fewer are not worth it

/// The input or the output of a problem: the sizes of its axes, and strides in the user's array.
struct NarrowArray {
  std::vector<Index> sizes, strides;
  Index parts = 1;  // scalars an element
  bool narrow = true;

  Index rows() const {
    Index all = 1;
    for (Index const n : sizes) all *= n;
    return all;
  }
};

NarrowArray array_of(Problem const& p, bool output, NarrowSides narrow) {
  NarrowArray array;
  bool const real = p.kind == Kind::r2r || p.kind == (output ? Kind::c2r : Kind::r2c);
  array.parts = real ? 1 : 2;
  array.narrow = output ? narrow_output(narrow) : narrow_input(narrow);
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    array.sizes.push_back(output ? out_size(p, a) : in_size(p, a));
    array.strides.push_back(output ? p.axes[a].out_stride : p.axes[a].in_stride);
  }
  return array;
}

/// The batch dimension whose transforms are columns, its size, and how many columns a tile has.
struct NarrowTiling {
  std::size_t dim = 0;
  Index size = 0, columns = 0;
  NarrowArray in, out;

  /// Scalars of the buffers. An array in f32 needs none: it is read or written directly.
  Index in_values() const { return in.narrow ? cache_aligned<float>(in.rows() * in.parts * columns) : 0; }
  Index out_values() const { return out.narrow ? cache_aligned<float>(out.rows() * out.parts * columns) : 0; }
};

std::optional<NarrowTiling> tiling_of(Problem const& p, Machine const& machine, Options const& options) {
  bool const plain = is_16_bit(p.precision) && !is_partial(p) && !options.load && !options.store &&
                     p.placement == Placement::out_of_place;
  auto const dim = std::find_if(p.batch.begin(), p.batch.end(), [](Dim const& d) {
    return d.size >= least_columns && d.in_stride == 1 && d.out_stride == 1;
  });
  if (!plain || dim == p.batch.end()) return std::nullopt;
  NarrowTiling tiling{std::size_t(dim - p.batch.begin()), dim->size, 0, array_of(p, false, options.narrow),
                      array_of(p, true, options.narrow)};
  double line = 4;  // bytes of a line in the buffers
  for (Axis const& axis : p.axes) line *= static_cast<double>(axis.size);
  line *= static_cast<double>((tiling.in.narrow ? tiling.in.parts : 0) +
                              (tiling.out.narrow ? tiling.out.parts : 0));
  Index const fitting = static_cast<Index>(static_cast<double>(machine.l2_bytes) / 2 / line);
  if (fitting < least_columns) return std::nullopt;
  tiling.columns = std::min(dim->size, fitting / least_columns * least_columns);
  return tiling;
}

/// The problem of one tile in f32, with the strides of the buffers or, of an array in f32, the user's.
Problem inner_problem(Problem problem, NarrowTiling const& tiling, Index columns) {
  problem.precision = Precision::f32;
  problem.batch = {{columns, 1, 1}};
  Index in = columns, out = columns;
  for (std::size_t a = problem.axes.size(); a-- > 0;) {
    if (tiling.in.narrow) problem.axes[a].in_stride = in;
    if (tiling.out.narrow) problem.axes[a].out_stride = out;
    in *= tiling.in.sizes[a];
    out *= tiling.out.sizes[a];
  }
  return problem;
}

Conversions const& conversions(Precision precision, Kernels const& kernels) {
  return precision == Precision::f16 ? kernels.f16 : kernels.bf16;
}

class NarrowColumns final : public BufferedTransform {
 public:
  NarrowColumns(Problem const& problem, Machine const& machine, Options const& options)
      : problem_(problem),
        tiling_(*tiling_of(problem, machine, options)),
        conversions_(conversions(problem.precision, *variant(options.instruction_set).f32)) {
    auto const [threads, executor] = resolved(options.threads, options.executor);
    threads_ = threads;
    executor_ = executor;
    Options const inside{1, options.instruction_set};
    transform_ =
        std::make_unique<Transform>(inner_problem(problem, tiling_, tiling_.columns), machine, inside);
    std::size_t workspace = transform_->workspace_bytes();
    if (Index const rest = tiling_.size % tiling_.columns) {
      rest_ = std::make_unique<Transform>(inner_problem(problem, tiling_, rest), machine, inside);
      workspace = std::max(workspace, rest_->workspace_bytes());
    }
    slot_ = tiling_.in_values() + tiling_.out_values() +
            cache_aligned<float>(static_cast<Index>(workspace / sizeof(float)) + 1);
  }

  std::size_t workspace_bytes() const override {
    return 64 + sizeof(float) * static_cast<std::size_t>(slot_ * threads_);
  }

  std::string describe() const override {
    return text(problem_) + "\nwidened, done and rounded " + std::to_string(tiling_.columns) +
           " side by side, by " + transform_->describe();
  }

  void execute(void const* in, void* out, void* workspace) const override {
    auto const address = (reinterpret_cast<std::uintptr_t>(workspace) + 63) / 64 * 64;
    auto* const memory = reinterpret_cast<float*>(address);
    Index const groups = (tiling_.size + tiling_.columns - 1) / tiling_.columns;
    Index count = groups;
    for (std::size_t d = 0; d < problem_.batch.size(); ++d)
      if (d != tiling_.dim) count *= problem_.batch[d].size;
    parallel_for(count, Team(threads_, &executor_), [&](int slot, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) run(in, out, memory + slot * slot_, i % groups, i / groups);
    });
  }

 private:
  void run(void const* in, void* out, float* buffer, Index group, Index others) const {
    Index const first = group * tiling_.columns, columns = std::min(tiling_.columns, tiling_.size - first);
    Index from = first, to = first;
    for (std::size_t d = problem_.batch.size(); d-- > 0;) {
      Dim const& dim = problem_.batch[d];
      if (d == tiling_.dim) continue;
      from += others % dim.size * dim.in_stride;
      to += others % dim.size * dim.out_stride;
      others /= dim.size;
    }
    from *= tiling_.in.parts, to *= tiling_.out.parts;
    float* const loaded = buffer;
    float* const done = loaded + tiling_.in_values();
    float* const workspace = done + tiling_.out_values();
    if (tiling_.in.narrow)
      each_row(tiling_.in, columns,
               [&, user = static_cast<std::uint16_t const*>(in) + from](Index at, Index row) {
                 conversions_.widen(user + at, loaded + row, columns * tiling_.in.parts);
               });
    void const* const source = tiling_.in.narrow ? loaded : static_cast<float const*>(in) + from;
    void* const target = tiling_.out.narrow ? done : static_cast<float*>(out) + to;
    (columns == tiling_.columns ? transform_ : rest_)->execute(source, target, workspace);
    if (tiling_.out.narrow)
      each_row(tiling_.out, columns, [&, user = static_cast<std::uint16_t*>(out) + to](Index at, Index row) {
        conversions_.narrow(done + row, user + at, columns * tiling_.out.parts);
      });
  }

  /// body(scalars before a row of columns in the user's array, in the buffer)
  template <class Body>
  static void each_row(NarrowArray const& array, Index columns, Body const& body) {
    Index const rows = array.rows();
    for (Index r = 0; r < rows; ++r) {
      Index rest = r, at = 0;
      for (std::size_t a = array.sizes.size(); a-- > 0; rest /= array.sizes[a])
        at += rest % array.sizes[a] * array.strides[a];
      body(at * array.parts, r * columns * array.parts);
    }
  }

  Problem problem_;
  NarrowTiling tiling_;
  Conversions const& conversions_;
  int threads_ = 1;
  Executor executor_;
  std::unique_ptr<Transform const> transform_, rest_;
  Index slot_ = 0;
};

}  // namespace

bool has_narrow_columns(Problem const& problem, Machine const& machine, Options const& options) {
  return tiling_of(problem, machine, options).has_value();
}

Needs needs_of_narrow_columns(Problem const& problem, Machine const& machine, Options const& options) {
  NarrowTiling const tiling = *tiling_of(problem, machine, options);
  int const threads = options.threads > 0 ? options.threads : cores();
  Needs all = needs(inner_problem(problem, tiling, tiling.columns), machine, {1, options.instruction_set});
  all.workspace_bytes += 4.0 * static_cast<double>(tiling.in_values() + tiling.out_values());
  all.workspace_bytes *= threads;
  return all;
}

std::unique_ptr<BufferedTransform const> make_narrow_columns(Problem const& problem, Machine const& machine,
                                                             Options const& options) {
  return std::make_unique<NarrowColumns>(problem, machine, options);
}

}  // namespace skipper::cpu
