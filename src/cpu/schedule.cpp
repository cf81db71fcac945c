// See schedule.h. Axes are transformed from the fastest to the slowest; the real axis comes first, and last for c2r. An axis too
// long for the cache is split in two digits, columns of the first and then lines of the second, with the twiddles between
// them applied as lines are read: the four-step transform, with its transposes inside the sweeps (long_line.h).
#include "cpu/schedule.h"

#include <algorithm>
#include <cmath>

#include "base/kinds.h"
#include "base/numbers.h"
#include "cpu/long_line.h"
#include "cpu/radices.h"

namespace skipper::cpu {
namespace {

struct AxisDim {
  ArrayDim dim;  // size: complex numbers stored
  Index n = 1;   // logical
  LineKind line_kind = LineKind::complex;
  AxisKind kind = AxisKind::fourier;
};

bool is_half_spectrum(AxisDim const& axis) {
  return axis.line_kind == LineKind::from_real || axis.line_kind == LineKind::to_real;
}

/// The loops of a step from one array to another, sorted by stride; loops that are contiguous with each other are merged. `parts`
/// adds one over the real and imaginary parts of complex numbers.
std::vector<Loop> loops_of(std::vector<ArrayDim> const& dims, Array from, Array to, bool parts) {
  std::vector<Loop> loops;
  if (parts) loops.push_back({2, 1, 1});
  for (ArrayDim const& dim : dims)
    if (dim.size > 1) loops.push_back({dim.size, dim.stride[int(from)], dim.stride[int(to)]});
  std::stable_sort(loops.begin(), loops.end(), [](Loop const& a, Loop const& b) { return a.out < b.out; });
  std::vector<Loop> merged;
  for (Loop const& loop : loops) {
    if (!merged.empty() && loop.in == merged.back().in * merged.back().size &&
        loop.out == merged.back().out * merged.back().size)
      merged.back().size *= loop.size;
    else
      merged.push_back(loop);
  }
  return merged;
}

template <class T>
class ScheduleMaker {
 public:
  ScheduleMaker(Problem const& problem, Machine const& machine, TableMaker& tables)
      : problem_(problem), machine_(machine), tables_(tables), kernels_(tables.kernels) {
    read_sides();
    order_axes();
    group_axes();
    for (auto& group : made_.groups) bind(group);
    for (auto const& group : made_.groups)
      for (auto const& scheduled : group.steps)
        made_.buffer = std::max(made_.buffer, scheduled.step->buffer_size());
    double points = 1;
    for (auto const& axis : axes_) points *= static_cast<double>(axis.dim.size);
    double const length = points;
    for (auto const& dim : batch_) points *= static_cast<double>(dim.size);
    made_.cost = points * std::log2(length + 1) * 0.3 * sizeof(T) / 4;
  }

  Schedule<T> take() { return std::move(made_); }

 private:
  void read_sides() {
    bool const real_in = facts(problem_.kind).real_in, real_out = facts(problem_.kind).real_out;
    auto const halved = halved_axis(problem_);
    for (std::size_t i = 0; i < problem_.axes.size(); ++i) {
      Axis const& a = problem_.axes[i];
      AxisDim axis;
      axis.n = a.size;
      axis.dim.size = halved == i ? a.size / 2 + 1 : a.size;
      axis.dim.stride[0] = a.in_stride * (real_in ? 1 : 2);
      axis.dim.stride[1] = a.out_stride * (real_out ? 1 : 2);
      if (halved == i) axis.line_kind = real_in ? LineKind::from_real : LineKind::to_real;
      if (a.kind != AxisKind::fourier) axis.line_kind = LineKind::trig;
      axis.kind = a.kind;
      if (a.size > 1 || halved == i || axis.line_kind == LineKind::trig) axes_.push_back(axis);
    }
    if (axes_.empty()) axes_.push_back({});
    for (Dim const& d : problem_.batch)
      if (d.size > 1)
        batch_.push_back(
            {d.size, {d.in_stride * (real_in ? 1 : 2), d.out_stride * (real_out ? 1 : 2), 0, 0}});
  }

  /// Sorts the axes from the fastest, the real one first; for c2r in reverse, so that its last sweep is like the first one
  /// of r2c.
  void order_axes() {
    bool const back = problem_.kind == Kind::c2r;
    std::stable_sort(axes_.begin(), axes_.end(), [&](AxisDim const& a, AxisDim const& b) {
      if (is_half_spectrum(a) != is_half_spectrum(b)) return is_half_spectrum(b) == back;
      return back ? a.dim.stride[0] > b.dim.stride[0] : a.dim.stride[1] < b.dim.stride[1];
    });
    if (problem_.kind != Kind::c2r || axes_.size() == 1) return;
    if (problem_.placement == Placement::in_place) {  // the complex axes are done where they stand
      for (auto* dim : all_dims()) dim->stride[int(Array::work)] = dim->stride[int(Array::in)];
      return;
    }
    made_.work = 2;
    auto dims = all_dims();  // dense, in the order of the input's strides
    std::stable_sort(dims.begin(), dims.end(),
                     [](ArrayDim* a, ArrayDim* b) { return a->stride[0] < b->stride[0]; });
    for (ArrayDim* dim : dims) {
      dim->stride[int(Array::work)] = made_.work;
      made_.work *= dim->size;
    }
  }

  std::vector<ArrayDim*> all_dims() {
    std::vector<ArrayDim*> dims;
    for (auto& axis : axes_) dims.push_back(&axis.dim);
    for (auto& dim : batch_) dims.push_back(&dim);
    return dims;
  }

  Index bytes(std::size_t first, std::size_t end) const {
    Index product = (problem_.kind == Kind::r2r ? 1 : 2) * sizeof(T);
    for (std::size_t i = first; i < end; ++i) product *= axes_[i].dim.size;
    return product;
  }

  bool is_long(AxisDim const& axis) const {
    if (axis.line_kind == LineKind::trig) return is_long_trig(axis);
    bool const even_reals =
        axis.line_kind != LineKind::complex && axis.n % 2 == 0;  // then half as many complex points
    Index const n = even_reals ? axis.n / 2 : axis.n;
    if (4 * n * static_cast<Index>(2 * sizeof(T)) <= machine_.l2_bytes) return false;
    if (even_reals) {
      bool const forward = axis.line_kind == LineKind::from_real;
      if (axis.dim.stride[0] != (forward ? 1 : 2) || axis.dim.stride[1] != (forward ? 2 : 1)) return false;
      if (!forward && axes_.size() > 1) return false;
    } else if (axis.line_kind != LineKind::complex && has_passes(n)) {
      return one_line_has_passes<T>(factor_long_line(n).second, kernels_) && factor_long_line(n).second > 1;
    }
    // Rader's rule needs no longer line, so that two arrays of it still fit: one pass after the other is faster there.
    bool const near = n * static_cast<Index>(2 * sizeof(T)) <= machine_.l2_bytes;
    if (near && rader_applies<T>({n, true}, kernels_)) return false;
    bool const odd_reals = axis.line_kind != LineKind::complex && !even_reals;
    return odd_reals ? long_reals_apply<T>(n, axis.line_kind, kernels_) : long_line_applies<T>(n, kernels_);
  }

  /// Whether lines exceed the cache and have no neighbours. Neighbouring lines would share each row of a tile.
  bool is_long_trig(AxisDim const& axis) const {
    Index const core = core_length(axis.kind, axis.n);
    Index const points = core % 2 == 0 ? core / 2 : core;  // of its complex transform
    if (points * static_cast<Index>(2 * sizeof(T)) <= machine_.l2_bytes) return false;
    Index others = problem_.kind == Kind::r2r ? 1 : 2;
    for (AxisDim const& other : axes_)
      if (&other != &axis) others *= other.dim.size;
    for (ArrayDim const& dim : batch_) others *= dim.size;
    bool const contiguous = axis.dim.stride[0] == 1 && axis.dim.stride[1] == 1;
    return contiguous || others < least_lanes(kernels_);
  }

  /// The axes [first, end), next to each other in memory, that share a sweep.
  struct AxisRange {
    std::size_t first, end;
  };
  AxisRange shared_axes() const {
    auto fits = [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i)
        if (is_long(axes_[i])) return false;
      return bytes(first, end) * 5 <= machine_.l2_bytes * 3;
    };
    bool const back = problem_.kind == Kind::c2r;
    AxisRange shared = back ? AxisRange{axes_.size() - 1, axes_.size()} : AxisRange{0, 1};
    if (!has_fastest(axes_[shared.first])) return shared;
    while (back && shared.first > 0 && fits(shared.first - 1, shared.end)) --shared.first;
    while (!back && shared.end < axes_.size() && fits(shared.first, shared.end + 1)) ++shared.end;
    return shared;
  }

  void group_axes() {
    AxisRange const shared = shared_axes();
    for (std::size_t i = 0; i < axes_.size();) {
      std::size_t const end = i == shared.first ? shared.end : i + 1;
      if (is_long(axes_[i]))
        add_long(i);
      else
        add_group(i, end);
      i = end;
    }
  }

  /// Whether this axis has the least stride of all dimensions.
  bool has_fastest(AxisDim const& axis) const {
    for (ArrayDim const& dim : batch_)
      if (dim.stride[1] < axis.dim.stride[1]) return false;
    return true;
  }

  Array source(std::size_t axis) const {
    if (axis == 0) return Array::in;
    return problem_.kind == Kind::c2r ? Array::work : Array::out;
  }
  Array target(std::size_t axis) const {
    return problem_.kind == Kind::c2r && axis + 1 < axes_.size() ? Array::work : Array::out;
  }

  StepSpec spec_of(std::size_t i, std::vector<ArrayDim> const& around) const {
    AxisDim const& axis = axes_[i];
    StepSpec spec;
    spec.line_kind = axis.line_kind;
    spec.n = axis.n;
    spec.in_step = axis.dim.stride[int(source(i))];
    spec.out_step = axis.dim.stride[int(target(i))];
    bool const parts =
        axis.line_kind == LineKind::trig && problem_.kind != Kind::r2r;  // real and imaginary ones alike
    spec.loops = loops_of(around, source(i), target(i), parts);
    spec.kind = axis.kind;
    spec.ortho = problem_.norm == Norm::ortho;
    spec.direction = problem_.direction;
    spec.scale = i == 0 ? whole_scale(problem_) : 1;
    spec.cache_bytes = machine_.l2_bytes / 2;
    Index all = bytes(0, axes_.size());
    for (ArrayDim const& dim : batch_) all *= dim.size;
    spec.out_of_cache = all > machine_.l2_bytes;
    return spec;
  }

  void add_group(std::size_t first, std::size_t end) {
    Group<T> group;
    bool const several = end - first > 1;
    for (std::size_t i = first; i < end; ++i) {
      std::vector<ArrayDim> around;
      for (std::size_t j = 0; j < axes_.size(); ++j)
        if (j != i && (!several || (first <= j && j < end))) around.push_back(axes_[j].dim);
      if (!several) around.insert(around.end(), batch_.begin(), batch_.end());
      StepSpec spec = spec_of(i, around);
      if (i > first) spec.out_of_cache = false;  // the step before has just written it
      group.steps.push_back({make_step<T>(spec, tables_), source(i), target(i)});
    }
    if (several) {
      for (std::size_t j = 0; j < axes_.size(); ++j)
        if (j < first || j >= end) group.outer.push_back(axes_[j].dim);
      group.outer.insert(group.outer.end(), batch_.begin(), batch_.end());
    }
    made_.groups.push_back(std::move(group));
  }

  void add_long(std::size_t i) {
    Group<T> group;
    group.one_at_a_time = true;
    for (std::size_t j = 0; j < axes_.size(); ++j)
      if (j != i) group.outer.push_back(axes_[j].dim);
    group.outer.insert(group.outer.end(), batch_.begin(), batch_.end());
    StepSpec spec = spec_of(i, {});
    Index const scalars = spec.line_kind == LineKind::complex ? 2 * spec.n : spec.n;
    made_.longest = std::max(made_.longest, scalars);
    Index lines = 1;
    for (ArrayDim const& dim : group.outer) lines *= dim.size;
    // Not by how many threads there are: the two forms round differently.
    constexpr Index few = 4;
    spec.shared = scalars * static_cast<Index>(sizeof(T)) > machine_.l2_bytes || lines < few;
    if (axes_[i].line_kind == LineKind::trig) {
      if (problem_.kind != Kind::r2r) group.outer.push_back({2, {1, 1, 1, 0}});  // real and imaginary parts
      made_.line = std::max(made_.line, add_long_trig(group, spec, source(i), target(i), tables_));
      made_.groups.push_back(std::move(group));
      return;
    }
    made_.line = std::max(
        made_.line, add_long_line(group, spec, source(i), target(i), !same(source(i), target(i)), tables_));
    made_.groups.push_back(std::move(group));
  }

  /// Whether two arrays are the same memory, which they may be where the problem is in place.
  bool same(Array a, Array b) const {
    return a == b || (problem_.placement == Placement::in_place && a != Array::line && b != Array::line);
  }

  /// Prepares all passes of a group where these are few, so that execution only calls them.
  void bind(Group<T>& group) const {
    constexpr std::size_t most = 64;
    for (auto const& scheduled : group.steps) {
      if (scheduled.from_at || scheduled.to_at || scheduled.line_at) return group.calls.clear();
      std::vector<BoundPass> passes;
      if (scheduled.step->tiles() > static_cast<Index>(most)) return group.calls.clear();
      for (Index tile = 0; tile < scheduled.step->tiles(); ++tile)
        if (!scheduled.step->bind(tile, same(scheduled.from, scheduled.to), passes))
          return group.calls.clear();
      if (group.calls.size() + passes.size() > most) return group.calls.clear();
      auto number = [&](TileArray place) {
        return place == TileArray::buffer ? buffer_array
                                          : int(place == TileArray::in ? scheduled.from : scheduled.to);
      };
      for (BoundPass const& b : passes)
        group.calls.push_back({b.pass, b.args, number(b.from), number(b.to), b.from_at, b.to_at});
    }
  }

  Problem const& problem_;
  Machine const& machine_;
  TableMaker& tables_;
  Kernels const& kernels_;
  std::vector<AxisDim> axes_;
  std::vector<ArrayDim> batch_;
  Schedule<T> made_;
};

/// c2r of several axes needs an array between its complex axes and the real one. Lest that be as large as the whole batch, this
/// reduces the batch of `problem` until it fits in cache or is one transform, and returns the dimensions to repeat it over.
std::vector<ArrayDim> cut_batch(Problem& problem, Machine const& machine) {
  std::vector<ArrayDim> repeat;
  if (problem.kind != Kind::c2r || problem.axes.size() == 1 || problem.placement == Placement::in_place)
    return repeat;
  Index bytes = in_element_bytes(problem);
  for (std::size_t i = 0; i < problem.axes.size(); ++i) bytes *= in_size(problem, i);
  for (Dim& d : problem.batch) {
    Index kept = 1;
    for (Index part : divisors(d.size))
      if (part * bytes <= 2 * machine.l2_bytes) kept = std::max(kept, part);
    if (kept < d.size) repeat.push_back({d.size / kept, {2 * d.in_stride * kept, d.out_stride * kept, 0, 0}});
    d.size = kept;
    bytes *= kept;
  }
  return repeat;
}

char const* name(Array array) {
  switch (array) {
    case Array::in:
      return "in";
    case Array::out:
      return "out";
    case Array::work:
      return "work";
    default:
      return "line";
  }
}

}  // namespace

template <class T>
Schedule<T> make_schedule(Problem const& problem, Machine const& machine, TableMaker& tables) {
  Problem part = problem;
  std::vector<ArrayDim> repeat = cut_batch(part, machine);
  Schedule<T> made = ScheduleMaker<T>(part, machine, tables).take();
  for (ArrayDim const& dim : repeat) made.cost *= static_cast<double>(dim.size);
  made.repeat = std::move(repeat);
  return made;
}

template <class T>
std::string text(Schedule<T> const& schedule) {
  std::string all;
  for (auto const& group : schedule.groups) {
    Index times = 1;
    for (ArrayDim const& dim : group.outer) times *= dim.size;
    all += "sweep x" + std::to_string(times) + " {";
    for (auto const& scheduled : group.steps)
      all += std::string(&scheduled == &group.steps.front() ? "" : "; ") + name(scheduled.from) + " -> " +
             name(scheduled.to) + ": " + scheduled.step->text();
    all += "}\n";
  }
  return all;
}

template Schedule<float> make_schedule(Problem const&, Machine const&, TableMaker&);
template Schedule<double> make_schedule(Problem const&, Machine const&, TableMaker&);
template std::string text(Schedule<float> const&);
template std::string text(Schedule<double> const&);

}  // namespace skipper::cpu
