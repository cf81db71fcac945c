// See long_line.h: a cosine or sine line longer than the cache. Each op of its program (trig.h) is a sweep of its own, which
// all threads share: row ops by parts, complex transforms as long lines. Array::line holds the points, the rows of reals, and
// behind them the Array::line of the complex lines.
#include <algorithm>
#include <map>

#include "cpu/convolution.h"
#include "cpu/long_line.h"
#include "cpu/planned_row_op.h"

namespace skipper::cpu {
namespace {

/// A row op by parts.
template <class T>
class RowSweep final : public Step<T> {
 public:
  RowSweep(PlannedRowOp<T> op, RowStrides const& strides, RowOp kind)
      : op_(std::move(op)), strides_(strides), kind_(kind) {}

  Index tiles() const override { return std::max<Index>(1, (op_.count() + part - 1) / part); }
  Index buffer_size() const override { return 0; }
  std::string text() const override {
    char const* const names[row_ops] = {"combine", "pack", "unpack", "split", "merge"};
    if (op_.product() > 0) return "matrix of " + std::to_string(op_.product());
    return std::string(names[int(kind_)]) + " " + std::to_string(op_.count());
  }
  void run(Index tile, T const* in, T* out, T*, T*) const override {
    op_.run(tile * part, std::min((tile + 1) * part, op_.count()), strides_, in, out);
  }

 private:
  static constexpr Index part = PlannedRowOp<T>::grain;
  PlannedRowOp<T> op_;
  RowStrides strides_;
  RowOp kind_;
};

}  // namespace

template <class T>
Index add_long_trig(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables) {
  auto const is_long = [&](Index n) { return n * Index(2 * sizeof(T)) > spec.cache_bytes / 2; };
  auto const by_sums = [&](Index n) {
    return is_long(n) && !two_sweeps_apply(n) && long_sums_apply<T>(n, tables.kernels);
  };
  TrigProgram const program = trig_program(spec.kind, spec.n, spec.scale, spec.ortho, true,
                                           tables.counting() ? TrigRoots::none : TrigRoots::quick, by_sums);
  Index const real_axis_at = cache_aligned<T>(2 * program.points),
              line_at = real_axis_at + cache_aligned<T>(program.reals);
  Array const arrays[] = {from, to, Array::line, Array::line};  // by Rows
  Index const at[] = {0, 0, real_axis_at, 0}, rows[] = {spec.in_step, spec.out_step, 1, 2};
  Index line = 0;
  std::map<Index, SharedSums<T>> pairs;  // by length: the first kinds come down to two of one length
  for (TrigOp const& op : program.ops) {
    if (op.n > 0) {
      std::size_t const first = group.steps.size();
      StepSpec points;
      points.n = op.n;
      points.direction = op.direction;
      points.cache_bytes = spec.cache_bytes;
      if (op.sums) {
        SharedSums<T>& known = pairs[op.n];
        if (!known) known = make_long_sums<T>(op.n, tables);
        line = std::max(line, add_long_sums(group, known, *op.sums, Array::work, tables));
      } else if (is_long(op.n) && long_line_applies<T>(op.n, tables.kernels))
        line = std::max(line, add_long_line(group, points, Array::work, Array::work, false, tables));
      else
        group.steps.push_back({make_step<T>(points, tables), Array::work, Array::work});
      for (std::size_t i = first; i < group.steps.size(); ++i) {  // work stands for the points so far
        ScheduledStep<T>& scheduled = group.steps[i];
        scheduled.line_at = line_at;
        scheduled.from_at = scheduled.from == Array::line ? line_at : 0;
        scheduled.to_at = scheduled.to == Array::line ? line_at : 0;
        scheduled.from = scheduled.to = Array::line;
      }
      continue;
    }
    int const in = int(op.from), out = int(op.to);
    bool const neighbours =
        (op.from != TrigArray::in || spec.in_step == 1) && (op.to != TrigArray::out || spec.out_step == 1);
    for (auto& part : PlannedRowOp<T>::of(op, neighbours, PlannedRowOp<T>::Entries::computed, tables)) {
      RowStrides const strides = {rows[in], rows[out], 1};
      group.steps.push_back({std::make_unique<RowSweep<T>>(std::move(part), strides, op.kind), arrays[in],
                             arrays[out], at[in], at[out]});
    }
  }
  return line_at + line;
}
template Index add_long_trig(Group<float>&, StepSpec const&, Array, Array, TableMaker&);
template Index add_long_trig(Group<double>&, StepSpec const&, Array, Array, TableMaker&);

}  // namespace skipper::cpu
