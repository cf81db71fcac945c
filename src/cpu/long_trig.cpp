// See long_line.h: a cosine or sine line longer than the cache. Each action of its program (trig.h) is a sweep of its own,
// which all threads share: row ops by parts, complex transforms as long lines. Array::line holds the points, the rows of
// reals, and behind them what the complex lines need.
#include <algorithm>
#include <map>

#include "cpu/convolution.h"
#include "cpu/long_line.h"
#include "cpu/row_action.h"

namespace skipper::cpu {
namespace {

/// A row op by parts.
template <class T>
class RowSweep final : public Step<T> {
 public:
  RowSweep(RowAction<T> action, RowPlaces const& places, RowOp op)
      : action_(std::move(action)), places_(places), op_(op) {}

  Index tiles() const override { return std::max<Index>(1, (action_.count() + part - 1) / part); }
  Index buffer_size() const override { return 0; }
  std::string text() const override {
    char const* const names[row_ops] = {"mix", "zip", "unzip", "split", "join"};
    if (action_.product() > 0) return "matrix of " + std::to_string(action_.product());
    return std::string(names[int(op_)]) + " " + std::to_string(action_.count());
  }
  void run(Index tile, T const* in, T* out, T*, T*) const override {
    action_.run(tile * part, std::min((tile + 1) * part, action_.count()), places_, in, out);
  }

 private:
  static constexpr Index part = RowAction<T>::grain;
  RowAction<T> action_;
  RowPlaces places_;
  RowOp op_;
};

}  // namespace

template <class T>
Index add_long_trig(Group<T>& group, StepSpec const& spec, Array from, Array to, TableMaker& tables) {
  auto const is_long = [&](Index n) { return n * Index(2 * sizeof(T)) > spec.cache_bytes / 2; };
  auto const by_sums = [&](Index n) {
    return is_long(n) && !takes_two_sweeps(n) && takes_long_pairs<T>(n, tables.kernels);
  };
  TrigProgram const program = trig_program(spec.kind, spec.n, spec.scale, spec.ortho, true,
                                           tables.counting() ? TrigRoots::none : TrigRoots::quick, by_sums);
  Index const real_axis_at = rounded<T>(2 * program.points),
              line_at = real_axis_at + rounded<T>(program.reals);
  Array const arrays[] = {from, to, Array::line, Array::line};  // by Rows
  Index const at[] = {0, 0, real_axis_at, 0}, rows[] = {spec.in_step, spec.out_step, 1, 2};
  Index line = 0;
  std::map<Index, SharedPairs<T>> pairs;  // by length: the first kinds come down to two of one length
  for (TrigAction const& action : program.actions) {
    if (action.n > 0) {
      std::size_t const first = group.steps.size();
      StepSpec points;
      points.n = action.n;
      points.direction = action.direction;
      points.cache_bytes = spec.cache_bytes;
      if (action.sums) {
        SharedPairs<T>& known = pairs[action.n];
        if (!known) known = make_long_pairs<T>(action.n, tables);
        line = std::max(line, add_long_pairs(group, known, *action.sums, Array::work, tables));
      } else if (is_long(action.n) && takes_long_line<T>(action.n, tables.kernels))
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
    int const in = int(action.from), out = int(action.to);
    bool const neighbours =
        (action.from != Rows::in || spec.in_step == 1) && (action.to != Rows::out || spec.out_step == 1);
    for (auto& part : RowAction<T>::of(action, neighbours, RowAction<T>::Entries::made, tables)) {
      RowPlaces const places = {rows[in], rows[out], 1};
      group.steps.push_back({std::make_unique<RowSweep<T>>(std::move(part), places, action.op), arrays[in],
                             arrays[out], at[in], at[out]});
    }
  }
  return line_at + line;
}
template Index add_long_trig(Group<float>&, StepSpec const&, Array, Array, TableMaker&);
template Index add_long_trig(Group<double>&, StepSpec const&, Array, Array, TableMaker&);

}  // namespace skipper::cpu
