// See narrow_lanes.h.
#include "cpu/narrow_lanes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cpu/convolution.h"
#include "cpu/host.h"
#include "cpu/pool.h"

namespace skipper::cpu {
namespace {

constexpr Index least_columns = 8;  // that are worth it

/// One side of a problem: the sizes of its axes, and strides of the user's array.
struct NarrowSide {
  std::vector<Index> sizes, strides;
  Index parts = 1;  // scalars an element
  bool narrow = true;

  Index rows() const {
    Index all = 1;
    for (Index const n : sizes) all *= n;
    return all;
  }
};

NarrowSide side_of(Problem const& p, bool output, NarrowSides narrow) {
  NarrowSide side;
  bool const real = p.kind == Kind::r2r || p.kind == (output ? Kind::c2r : Kind::r2c);
  side.parts = real ? 1 : 2;
  side.narrow = output ? narrow_output(narrow) : narrow_input(narrow);
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    side.sizes.push_back(output ? out_size(p, a) : in_size(p, a));
    side.strides.push_back(output ? p.axes[a].out_stride : p.axes[a].in_stride);
  }
  return side;
}

/// How a problem is cut: the dimension of the batch whose lines are side by side, and so many of them at a time.
struct NarrowCut {
  std::size_t dim = 0;
  Index size = 0, lanes = 0;
  NarrowSide in, out;

  /// Scalars of the buffers: a side in f32 is read or written where it is.
  Index in_values() const { return in.narrow ? rounded<float>(in.rows() * in.parts * lanes) : 0; }
  Index out_values() const { return out.narrow ? rounded<float>(out.rows() * out.parts * lanes) : 0; }
};

std::optional<NarrowCut> cut_of(Problem const& p, Machine const& machine, Options const& options) {
  bool const plain = is_16_bit(p.precision) && !is_partial(p) && !options.load && !options.store &&
                     p.placement == Placement::out_of_place;
  auto const dim = std::find_if(p.batch.begin(), p.batch.end(), [](Dim const& d) {
    return d.size >= least_columns && d.in_stride == 1 && d.out_stride == 1;
  });
  if (!plain || dim == p.batch.end()) return std::nullopt;
  NarrowCut cut{std::size_t(dim - p.batch.begin()), dim->size, 0, side_of(p, false, options.narrow),
                side_of(p, true, options.narrow)};
  double line = 4;  // bytes of a line in the buffers
  for (Axis const& axis : p.axes) line *= static_cast<double>(axis.size);
  line *= static_cast<double>((cut.in.narrow ? cut.in.parts : 0) + (cut.out.narrow ? cut.out.parts : 0));
  Index const fitting = static_cast<Index>(static_cast<double>(machine.l2_bytes) / 2 / line);
  if (fitting < least_columns) return std::nullopt;
  cut.lanes = std::min(dim->size, fitting / least_columns * least_columns);
  return cut;
}

/// So many lanes in f32: strides of the buffers, lanes side by side, or of the user's array.
Problem inner_problem(Problem problem, NarrowCut const& cut, Index lanes) {
  problem.precision = Precision::f32;
  problem.batch = {{lanes, 1, 1}};
  Index in = lanes, out = lanes;
  for (std::size_t a = problem.axes.size(); a-- > 0;) {
    if (cut.in.narrow) problem.axes[a].in_stride = in;
    if (cut.out.narrow) problem.axes[a].out_stride = out;
    in *= cut.in.sizes[a];
    out *= cut.out.sizes[a];
  }
  return problem;
}

Conversions const& conversions(Precision precision, Kernels const& kernels) {
  return precision == Precision::f16 ? kernels.f16 : kernels.bf16;
}

class Lanes final : public BufferedTransform {
 public:
  Lanes(Problem const& problem, Machine const& machine, Options const& options)
      : problem_(problem),
        cut_(*cut_of(problem, machine, options)),
        conversions_(conversions(problem.precision, *variant(options.instruction_set).f32)) {
    auto const [threads, executor] = resolved(options.threads, options.executor);
    threads_ = threads;
    executor_ = executor;
    Options const inside{1, options.instruction_set};
    lanes_ = std::make_unique<Transform>(inner_problem(problem, cut_, cut_.lanes), machine, inside);
    std::size_t workspace = lanes_->workspace_bytes();
    if (Index const rest = cut_.size % cut_.lanes) {
      rest_ = std::make_unique<Transform>(inner_problem(problem, cut_, rest), machine, inside);
      workspace = std::max(workspace, rest_->workspace_bytes());
    }
    slot_ = cut_.in_values() + cut_.out_values() +
            rounded<float>(static_cast<Index>(workspace / sizeof(float)) + 1);
  }

  std::size_t workspace_bytes() const override {
    return 64 + sizeof(float) * static_cast<std::size_t>(slot_ * threads_);
  }

  std::string describe() const override {
    return text(problem_) + "\nwidened, done and rounded " + std::to_string(cut_.lanes) +
           " side by side, by " + lanes_->describe();
  }

  void execute(void const* in, void* out, void* workspace) const override {
    auto const address = (reinterpret_cast<std::uintptr_t>(workspace) + 63) / 64 * 64;
    auto* const memory = reinterpret_cast<float*>(address);
    Index const groups = (cut_.size + cut_.lanes - 1) / cut_.lanes;
    Index count = groups;
    for (std::size_t d = 0; d < problem_.batch.size(); ++d)
      if (d != cut_.dim) count *= problem_.batch[d].size;
    parallel_for(count, Team(threads_, &executor_), [&](int slot, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) run(in, out, memory + slot * slot_, i % groups, i / groups);
    });
  }

 private:
  void run(void const* in, void* out, float* buffer, Index group, Index others) const {
    Index const first = group * cut_.lanes, lanes = std::min(cut_.lanes, cut_.size - first);
    Index from = first, to = first;
    for (std::size_t d = problem_.batch.size(); d-- > 0;) {
      Dim const& dim = problem_.batch[d];
      if (d == cut_.dim) continue;
      from += others % dim.size * dim.in_stride;
      to += others % dim.size * dim.out_stride;
      others /= dim.size;
    }
    from *= cut_.in.parts, to *= cut_.out.parts;
    float* const loaded = buffer;
    float* const done = loaded + cut_.in_values();
    float* const workspace = done + cut_.out_values();
    if (cut_.in.narrow)
      each_row(cut_.in, lanes, [&, user = static_cast<std::uint16_t const*>(in) + from](Index at, Index row) {
        conversions_.widen(user + at, loaded + row, lanes * cut_.in.parts);
      });
    void const* const source = cut_.in.narrow ? loaded : static_cast<float const*>(in) + from;
    void* const target = cut_.out.narrow ? done : static_cast<float*>(out) + to;
    (lanes == cut_.lanes ? lanes_ : rest_)->execute(source, target, workspace);
    if (cut_.out.narrow)
      each_row(cut_.out, lanes, [&, user = static_cast<std::uint16_t*>(out) + to](Index at, Index row) {
        conversions_.narrow(done + row, user + at, lanes * cut_.out.parts);
      });
  }

  /// body(scalars before a row of lanes in the user's array, in the buffer)
  template <class Body>
  static void each_row(NarrowSide const& side, Index lanes, Body const& body) {
    Index const rows = side.rows();
    for (Index r = 0; r < rows; ++r) {
      Index rest = r, at = 0;
      for (std::size_t a = side.sizes.size(); a-- > 0; rest /= side.sizes[a])
        at += rest % side.sizes[a] * side.strides[a];
      body(at * side.parts, r * lanes * side.parts);
    }
  }

  Problem problem_;
  NarrowCut cut_;
  Conversions const& conversions_;
  int threads_ = 1;
  Executor executor_;
  std::unique_ptr<Transform const> lanes_, rest_;
  Index slot_ = 0;
};

}  // namespace

bool has_lanes(Problem const& problem, Machine const& machine, Options const& options) {
  return cut_of(problem, machine, options).has_value();
}

Needs needs_of_lanes(Problem const& problem, Machine const& machine, Options const& options) {
  NarrowCut const cut = *cut_of(problem, machine, options);
  int const threads = options.threads > 0 ? options.threads : cores();
  Needs all = needs(inner_problem(problem, cut, cut.lanes), machine, {1, options.instruction_set});
  all.workspace_bytes += 4.0 * static_cast<double>(cut.in_values() + cut.out_values());
  all.workspace_bytes *= threads;
  return all;
}

std::unique_ptr<BufferedTransform const> make_lanes(Problem const& problem, Machine const& machine,
                                                    Options const& options) {
  return std::make_unique<Lanes>(problem, machine, options);
}

}  // namespace skipper::cpu
