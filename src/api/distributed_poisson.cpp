// Poisson problems over ranks: what they agree on, boundary values, and the constant mode, which one rank sees and all are told.
#include <skipper/distributed_poisson.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "api/agreement.h"
#include "api/cpu_processor.h"
#include "api/cuda_rank.h"
#include "api/held.h"
#include "api/poisson_arrays.h"
#include "cpu/engine.h"
#include "cpu/host.h"
#include "distributed/run.h"
#include "poisson/boundary.h"
#include "poisson/part_solve.h"
#include "poisson/ranks_on_gpu.h"
#include "poisson/spread.h"
#include "poisson/symbols.h"

namespace skipper {
namespace {

using namespace distributed;

/// All digits of a number.
std::string exactly(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string text_of(PoissonAxis const& axis) {
  std::string all = std::to_string(axis.size) + " unknowns, length " + exactly(axis.length) + ", " +
                    std::string(name(axis.low)) + " and " + std::string(name(axis.high)) + ", " +
                    (axis.centring == Centring::cell ? "cells" : "nodes") +
                    (axis.tridiagonal ? ", tridiagonal" : "");
  for (double const x : axis.coordinates) all += " " + exactly(x);
  return all;
}

CommonFields all_fields(PoissonProblem const& p, DistributedSettings const& settings) {
  CommonFields fields = {{"precision", std::string(name(p.precision))},
                         {"shift", exactly(p.shift)},
                         {"symbols", p.symbols == Symbols::spectral ? "spectral" : "second_order"},
                         {"zero_mode", p.zero_mode == ZeroMode::pin     ? "pin"
                                       : p.zero_mode == ZeroMode::error ? "error"
                                                                        : "zero_mean"}};
  for (std::size_t a = 0; a < 3; ++a)
    fields.emplace_back("axes[" + std::to_string(a) + "]", a < p.axes.size() ? text_of(p.axes[a]) : "none");
  for (auto& field : common_fields(settings)) fields.push_back(std::move(field));
  return fields;
}

void check_orders(DistributedSettings const& settings) {
  if (settings.in_order == AxisOrder::natural && settings.out_order == AxisOrder::natural) return;
  throw Error(settings.in_order != AxisOrder::natural ? "in_order" : "out_order",
              "is permuted but Poisson problems split no axis; use natural order");
}

void check_problem(PoissonProblem const& problem) {
  check(problem);
  if (problem.complex)
    throw Error("complex", "is set, which is not distributed; solve for the real and imaginary parts");
  if (is_16_bit(problem.precision))
    throw Error("precision", "is " + std::string(name(problem.precision)) + "; Poisson solves in f32 or f64");
  poisson::refuse_long_axes(problem, cpu::memory_limit(cpu::host_machine()));
}

/// On all ranks, or on none.
void demand_no_resonance(PoissonProblem const& problem, Communicator& c) {
  char const mine = poisson::meets_eigenvalue(problem, part_of(problem.axes[0].size, c.size(), c.rank()));
  std::vector<char> all(static_cast<std::size_t>(c.size()));
  c.all_gather(&mine, all.data(), 1);
  if (std::find(all.begin(), all.end(), 1) != all.end()) poisson::refuse_resonance(problem.shift);
}

std::vector<Box> default_boxes(std::vector<Index> const& sizes, int ranks) {
  if (ranks > sizes[0] && sizes.size() > 2) return pencils(sizes, ranks, 2);
  return slabs(sizes, ranks);
}

/// What stages are chosen for.
struct Ranks {
  int count = 1;
  Links links;
  double bandwidth = 1e10;
  bool on_gpus = false;
};

/// The stages for these ranks. `boxes` gives the boxes of all ranks from those of the settings.
template <class Boxes>
poisson::SpreadProgram program_for(PoissonProblem const& problem, Ranks const& ranks,
                                   DistributedSettings const& settings, Boxes const& boxes) {
  if (!settings.program.empty()) {
    poisson::SpreadProgram found = poisson::parse_spread_program(problem, settings.program);
    if (found.program.ranks != ranks.count)
      throw Error("program", "is for " + std::to_string(found.program.ranks) + " ranks but there are " +
                                 std::to_string(ranks.count));
    return found;
  }
  std::vector<Index> sizes;
  for (PoissonAxis const& axis : problem.axes) sizes.push_back(axis.size);
  poisson::SpreadRequest request;
  request.in = settings.in.empty() ? default_boxes(sizes, ranks.count) : boxes(settings.in, sizes, "in");
  if (!settings.out.empty()) request.out = boxes(settings.out, sizes, "out");
  request.any_output = settings.any_output;
  request.links = ranks.links;
  request.pieces = settings.pieces;
  request.bandwidth = ranks.bandwidth;
  request.fused_inverses = ranks.on_gpus;
  return poisson::spread_program(problem, request);
}

poisson::SpreadProgram program_for(PoissonProblem const& problem, Communicator& c,
                                   DistributedSettings const& settings) {
  auto const device = cuda_number(settings.device);
  Index const ranks_per_node = Index(least_of_all(c, c.ranks_per_node()));
  Ranks const ranks{c.size(), links_for(settings, device ? "nvlink" : "host", ranks_per_node),
                    least_of_all(c, device ? cuda_copy_bandwidth(*device) : 1e10), device.has_value()};
  return program_for(problem, ranks, settings,
                     [&](std::vector<Box> const& given, std::vector<Index> const& sizes,
                         char const* argument) { return all_boxes(c, given, sizes, argument); });
}

poisson::SpreadProgram program_for(PoissonProblem const& problem, std::vector<int> const& devices,
                                   DistributedSettings const& settings) {
  Ranks const ranks{int(devices.size()), links_for(settings, "nvlink", Index(devices.size())),
                    cuda_copy_bandwidth(devices), true};
  return program_for(
      problem, ranks, settings,
      [&](std::vector<Box> const& given, std::vector<Index> const& sizes, char const* argument) {
        return boxes_of_devices(devices.size(), given, sizes, argument);
      });
}

/// Strides of a rank's array, which is dense in the problem's axes, by dimension of the program.
std::vector<Index> strides_of(Box const& box, std::vector<std::size_t> const& order) {
  std::vector<Index> const dense = dense_strides(box.size);
  std::vector<Index> strides;
  for (std::size_t const a : order) strides.push_back(dense[a]);
  return strides;
}

}  // namespace

struct DistributedPoisson::State {
  PoissonProblem problem;
  std::shared_ptr<Communicator> communicator;  // null where one process has all ranks
  poisson::SpreadProgram spread;
  std::vector<int> here;  // ranks of this process
  Box in_box, out_box;    // of the first of them
  mutable poisson::PartSolves parts;
  mutable std::vector<std::byte> right_side;  // f with boundary values, where there are any
  std::unique_ptr<RankRun> cpu;
  std::unique_ptr<poisson::RanksOnGpu> gpu;

  Box in_box_of(int rank) const { return box_of(spread.program.stages.front().cut, rank); }
  Box out_box_of(int rank) const {
    return box_of(cut_after(spread.program, spread.program.stages.size() - 1), rank);
  }

  void make_boxes() {
    in_box = in_box_of(here.front());
    out_box = out_box_of(here.front());
  }
  std::size_t index(int rank) const {
    in_box_of(rank);  // or there is no such rank
    auto const found = std::find(here.begin(), here.end(), rank);
    if (found == here.end())
      throw Error("rank", "is " + std::to_string(rank) + " but this process has rank " +
                              std::to_string(here.front()) + " only");
    return std::size_t(found - here.begin());
  }
  void make_cpu(DistributedSettings const& settings);
  void make_gpu(std::vector<int> const& devices, DistributedSettings const& settings,
                ExchangeMethod preferred);

  template <class T>
  PoissonResult solve(std::vector<PoissonArrays<T>> const& ranks) const;

 private:
  Box box_of(Distribution const& cut, int rank) const {
    if (rank < 0 || rank >= spread.program.ranks)
      throw Error("rank", "is " + std::to_string(rank) + " but the solver has the ranks 0 to " +
                              std::to_string(spread.program.ranks - 1));
    return poisson::in_axes(cut.box(rank), spread.spread.order);
  }
  template <class T>
  void check(std::vector<PoissonArrays<T>> const& ranks) const;
  template <class T>
  PoissonResult solve_on_cpu(T const* f, T* phi, std::vector<Faces<T>> const& faces) const;
  template <class T>
  T const* with_values(T const* f, std::vector<Faces<T>> const& faces) const;
  template <class T>
  void demand_solvable(T const* f) const;
  template <class T>
  double settle(T* phi) const;
};

/// The right side: f itself, or a copy with boundary values. Throws Error where what this rank hands in makes no sense.
template <class T>
T const* DistributedPoisson::State::with_values(T const* f, std::vector<Faces<T>> const& faces) const {
  if (!poisson::any_values(problem, in_box, faces) || is_empty(in_box)) return f;
  right_side.resize(std::size_t(volume(in_box)) * sizeof(T));
  T* const changed = reinterpret_cast<T*>(right_side.data());
  std::copy_n(f, volume(in_box), changed);
  poisson::add_boundary_values(problem, in_box, faces, changed);
  return changed;
}

/// Every rank adds the same numbers in the same order, so all come to the same end.
template <class T>
void DistributedPoisson::State::demand_solvable(T const* f) const {
  poisson::Summary const mine = is_empty(in_box) ? poisson::Summary{} : poisson::summary(problem, in_box, f);
  std::vector<poisson::Summary> all(static_cast<std::size_t>(communicator->size()));
  communicator->all_gather(&mine, all.data(), sizeof mine);
  poisson::Summary whole;
  for (poisson::Summary const& s : all) {
    whole.mean += s.mean;
    whole.largest = std::max(whole.largest, s.largest);
  }
  poisson::demand_solvable(whole.mean, whole.largest, double(std::numeric_limits<T>::epsilon()));
}

/// The defect, and phi as the zero mode wants it: one rank has seen the constant mode, one has the first point.
template <class T>
double DistributedPoisson::State::settle(T* phi) const {
  struct Seen {
    double mean = 0, level = 0;
  };
  bool const has_first =
      !is_empty(out_box) && *std::max_element(out_box.first.begin(), out_box.first.end()) == 0;
  Seen const mine{parts.constant.here ? parts.constant.mean : 0, has_first ? double(phi[0]) : 0};
  std::vector<Seen> all(static_cast<std::size_t>(communicator->size()));
  communicator->all_gather(&mine, all.data(), sizeof mine);
  Seen whole;
  for (Seen const& s : all) {
    whole.mean += s.mean;
    whole.level += s.level;
  }
  if (problem.zero_mode == ZeroMode::pin)
    for (Index i = 0, n = volume(out_box); i < n; ++i) phi[i] -= T(whole.level);
  return whole.mean;
}

/// What is the same on all engines.
template <class T>
void DistributedPoisson::State::check(std::vector<PoissonArrays<T>> const& ranks) const {
  bool const wide = sizeof(T) == 8;
  if (wide != (problem.precision == Precision::f64))
    throw Error("f", wide ? "the arrays are f64 but the problem is f32; set its precision"
                          : "the arrays are f32 but the problem is f64; set its precision");
  if (ranks.size() != here.size())
    throw Error("ranks", "has " + std::to_string(ranks.size()) + " entries but this process has " +
                             std::to_string(here.size()) + " ranks; give the arrays of each");
  if (cpu && ranks.front().settings.stream)
    throw Error("stream", "is given but the rank is on the cpu, which has none; leave it out");
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    PoissonArrays<T> const& arrays = ranks[i];
    constexpr std::int64_t element = sizeof(T);
    Spans const spans{volume(in_box_of(here[i])) * element, volume(out_box_of(here[i])) * element};
    if (arrays.f && arrays.phi && arrays.f != arrays.phi)
      demand_apart(arrays.f, arrays.phi, spans, "f", "phi", "");
    demand_workspace(arrays.settings, [&] { return cpu ? 0 : gpu->workspace_bytes(i); });
  }
}

template <class T>
PoissonResult DistributedPoisson::State::solve_on_cpu(T const* f, T* phi,
                                                      std::vector<Faces<T>> const& faces) const {
  T const* from = f;
  try {
    if (!f && !is_empty(in_box)) throw Error("f", "is a null pointer but this rank's box has elements");
    if (!phi && !is_empty(out_box)) throw Error("phi", "is a null pointer but this rank's box has elements");
    from = with_values(f, faces);
  } catch (std::exception const& e) {
    communicator->fail(e.what());
    throw;
  }
  bool const singular = is_singular(problem);
  if (singular && problem.zero_mode == ZeroMode::error) demand_solvable(from);
  parts.constant = {};
  cpu->execute(from, phi);
  return {singular ? settle(phi) : 0};
}

template <class T>
PoissonResult DistributedPoisson::State::solve(std::vector<PoissonArrays<T>> const& ranks) const {
  try {
    check(ranks);
  } catch (std::exception const& e) {
    if (communicator) communicator->fail(e.what());
    throw;
  }
  if (gpu) return gpu->solve(ranks);
  return solve_on_cpu(ranks.front().f, ranks.front().phi, ranks.front().faces);
}

void DistributedPoisson::State::make_cpu(DistributedSettings const& settings) {
  check_cpu_exchange(settings.exchange);
  cpu::Options const on_cpu = rank_options(settings.cpu, *communicator);
  RunOptions options;
  options.method = settings.exchange;
  options.middle = poisson::part_solves(problem, spread, std::make_shared<CpuProcessor>(on_cpu), parts);
  options.in_strides = strides_of(in_box, spread.spread.order);
  options.out_strides = strides_of(out_box, spread.spread.order);
  cpu = std::make_unique<RankRun>(spread.program, communicator, std::make_unique<CpuProcessor>(on_cpu),
                                  std::move(options));
}

void DistributedPoisson::State::make_gpu(std::vector<int> const& devices, DistributedSettings const& settings,
                                         ExchangeMethod preferred) {
  std::vector<poisson::RankDevice> ranks;
  for (std::size_t i = 0; i < devices.size(); ++i)
    ranks.push_back({here[i], devices[i], cuda_rank(devices[i])});
  GpuOptions options;
  options.method = settings.exchange;
  options.preferred = preferred;
  options.streams = settings.gpu.streams;
  gpu = std::make_unique<poisson::RanksOnGpu>(problem, spread, std::move(ranks), communicator,
                                              std::move(options));
}

DistributedPoisson::DistributedPoisson(PoissonProblem const& problem,
                                       std::shared_ptr<Communicator> communicator,
                                       DistributedSettings const& settings) {
  if (!communicator) throw Error("communicator", "is null; give one, as thread_communicators() makes them");
  try {
    demand_agreement(*communicator, all_fields(problem, settings));
    check_problem(problem);
    check_settings(settings);
    demand_for_rank(settings, cuda_number(settings.device).has_value());
    check_orders(settings);
    auto const device = cuda_number(settings.device);
    demand_no_resonance(problem, *communicator);
    auto state = std::make_shared<State>();
    state->problem = problem;
    state->communicator = communicator;
    state->spread = program_for(problem, *communicator, settings);
    demand_same_program(*communicator, poisson::text(state->spread));
    state->here = {communicator->rank()};
    state->make_boxes();
    if (device)
      state->make_gpu({*device}, settings, ExchangeMethod::fused);
    else
      state->make_cpu(settings);
    state_ = std::move(state);
  } catch (std::exception const& e) {
    communicator->fail(e.what());
    throw;
  }
}

DistributedPoisson::DistributedPoisson(PoissonProblem const& problem, std::vector<Device> const& devices,
                                       DistributedSettings const& settings) {
  std::vector<int> const numbers = cuda_numbers(devices);
  check_problem(problem);
  check_settings(settings);
  demand_for_rank(settings, true);
  demand_no_device(settings);
  check_orders(settings);
  if (poisson::meets_eigenvalue(problem, {0, problem.axes[0].size})) poisson::refuse_resonance(problem.shift);
  auto state = std::make_shared<State>();
  state->problem = problem;
  state->spread = program_for(problem, numbers, settings);
  for (std::size_t r = 0; r < devices.size(); ++r) state->here.push_back(int(r));
  state->make_boxes();
  state->make_gpu(numbers, settings, kept_exchange(devices));
  state_ = std::move(state);
}

PoissonResult DistributedPoisson::solve(float const* f, float* phi,
                                        SolveSettings<float> const& settings) const {
  return held(state_, "poisson").solve<float>({{f, phi, settings.faces, execution(settings)}});
}
PoissonResult DistributedPoisson::solve(double const* f, double* phi,
                                        SolveSettings<double> const& settings) const {
  return held(state_, "poisson").solve<double>({{f, phi, settings.faces, execution(settings)}});
}
PoissonResult DistributedPoisson::solve(std::vector<PoissonArrays<float>> const& ranks) const {
  return held(state_, "poisson").solve(ranks);
}
PoissonResult DistributedPoisson::solve(std::vector<PoissonArrays<double>> const& ranks) const {
  return held(state_, "poisson").solve(ranks);
}

Box const& DistributedPoisson::in_box() const { return held(state_, "poisson").in_box; }
Box const& DistributedPoisson::out_box() const { return held(state_, "poisson").out_box; }
Box DistributedPoisson::in_box(int rank) const { return held(state_, "poisson").in_box_of(rank); }
Box DistributedPoisson::out_box(int rank) const { return held(state_, "poisson").out_box_of(rank); }
std::int64_t DistributedPoisson::in_elements() const { return volume(held(state_, "poisson").in_box); }
std::int64_t DistributedPoisson::out_elements() const { return volume(held(state_, "poisson").out_box); }
std::int64_t DistributedPoisson::in_elements(int rank) const { return volume(in_box(rank)); }
std::int64_t DistributedPoisson::out_elements(int rank) const { return volume(out_box(rank)); }
PoissonProblem const& DistributedPoisson::problem() const { return held(state_, "poisson").problem; }
std::int64_t DistributedPoisson::memory_bytes() const {
  State const& s = held(state_, "poisson");
  if (s.cpu) return s.cpu->memory_bytes() + s.parts.memory_bytes + std::int64_t(s.right_side.size());
  std::int64_t all = 0;
  for (std::size_t i = 0; i < s.here.size(); ++i) all += s.gpu->memory_bytes(i);
  return all;
}
std::int64_t DistributedPoisson::workspace_bytes(int rank) const {
  State const& s = held(state_, "poisson");
  std::size_t const i = s.index(rank);
  return s.cpu ? 0 : s.gpu->workspace_bytes(i);
}
int DistributedPoisson::exchanges() const { return held(state_, "poisson").spread.program.exchanges(); }
ExchangeMethod DistributedPoisson::exchange() const {
  State const& s = held(state_, "poisson");
  return s.cpu ? s.cpu->method() : s.gpu->method();
}
std::int64_t DistributedPoisson::sent_bytes() const {
  State const& s = held(state_, "poisson");
  if (s.cpu) return s.cpu->sent_bytes();
  std::int64_t all = 0;
  for (std::size_t i = 0; i < s.here.size(); ++i) all += s.gpu->sent_bytes(i);
  return all;
}
std::string DistributedPoisson::describe() const { return poisson::text(held(state_, "poisson").spread); }

}  // namespace skipper
