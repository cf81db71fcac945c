// See ranks_on_gpu.h.
#include "poisson/ranks_on_gpu.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

#include "gpu/engine.h"
#include "gpu/faces.h"
#include "gpu/levels.h"
#include "poisson/boundary.h"

namespace skipper::poisson {
namespace {

using distributed::is_empty;
using distributed::Owned;
using distributed::volume;

using gpu::address;
using gpu::stream_of;

stream::RowsOfBox one_row(Index bytes) { return {0, 0, bytes, 1, 0, 0}; }

/// Numbers of all faces of a box.
Index face_points(Box const& box) {
  Index all = 0;
  for (std::size_t a = 0; a < box.size.size(); ++a)
    all += 2 * (volume(box) / std::max<Index>(1, box.size[a]));
  return all;
}

}  // namespace

struct RanksOnGpu::Local {
  RankDevice rank;
  gpu::Context context;
  Box in, out;                      // in the problem's axes
  std::shared_ptr<MeanOnGpu> mean;  // where the problem is singular
  bool has_constant = false;
  std::optional<gpu::Levels> levels;  // where the problem is singular
  std::optional<gpu::AddFace> add_face;
  Owned right_side, values;  // f with boundary values, where there are any, and these
  Owned apart;               // phi before it is stored
  Owned first;               // pinned: the first number of phi
  Index memory = 0;

  Owned owned(Index bytes, bool host = false) {
    if (!host) memory += bytes;
    return Owned(rank.gpu, bytes, host);
  }
  bool has_first() const {
    return !is_empty(out) && *std::max_element(out.first.begin(), out.first.end()) == 0;
  }
  ~Local() {
    gpu::Current const current(context);
    levels.reset();
    add_face.reset();
  }
};

/// What a rank knows of a solve, or all of them.
struct RanksOnGpu::Seen {
  double mean = 0;     // that f lost
  double largest = 0;  // of f
  double level = 0;    // of phi at its first point

  void add(Seen const& other) {
    mean += other.mean;
    largest = std::max(largest, other.largest);
    level += other.level;
  }
};

RanksOnGpu::RanksOnGpu(PoissonProblem const& problem, SpreadProgram const& program,
                       std::vector<RankDevice> const& ranks, std::shared_ptr<Communicator> communicator,
                       distributed::GpuOptions options)
    : problem_(problem), singular_(is_singular(problem)), communicator_(communicator) {
  apart_ = singular_ && problem.zero_mode == ZeroMode::error;
  SpreadOperator const matrix = spread_operator(problem, program.spread);
  bool const wide = problem.precision == Precision::f64;
  distributed::Program const& stages = program.program;
  std::vector<distributed::GpuRank> gpus;
  for (RankDevice const& rank : ranks) {
    auto local = std::make_unique<Local>();
    local->rank = rank;
    local->context = gpu::context_for(rank.device);
    local->in = in_axes(stages.stages.front().cut.box(rank.rank), program.spread.order);
    local->out = in_axes(cut_after(stages, stages.stages.size() - 1).box(rank.rank), program.spread.order);
    gpu::Current const current(local->context);
    if (singular_) {
      local->mean = std::make_shared<MeanOnGpu>(rank.gpu);
      local->levels.emplace(wide, rank.device);
      local->first = local->owned(sizeof(double), true);
    }
    if (apart_) local->apart = local->owned(volume(local->out) * (wide ? 8 : 4));
    gpus.push_back({rank.rank, rank.gpu});
    locals_.push_back(std::move(local));
  }
  options.arrays.in_place = true;  // f and phi may be one
  options.arrays.order.resize(problem.axes.size());
  for (std::size_t d = 0; d < problem.axes.size(); ++d) options.arrays.order[program.spread.order[d]] = d;
  options.middle = [this, program, matrix](distributed::GpuRank const& rank, Box const& part,
                                           std::vector<Index> const& in_strides,
                                           std::vector<Index> const& out_strides, Index peer_unit) {
    auto const local = std::find_if(locals_.begin(), locals_.end(),
                                    [&](auto const& l) { return l->rank.rank == rank.rank; });
    (*local)->has_constant = (*local)->has_constant || has_constant(matrix, part);
    return part_on_gpu({problem_, program, matrix, (*local)->rank, (*local)->mean}, part, in_strides,
                       out_strides, peer_unit);
  };
  run_ = std::make_unique<distributed::GpuRun>(stages, std::move(gpus), std::move(communicator),
                                               std::move(options));
}

RanksOnGpu::~RanksOnGpu() = default;

Index RanksOnGpu::memory_bytes(std::size_t i) const { return run_->memory_bytes(i) + locals_[i]->memory; }

template <class T>
void RanksOnGpu::check(Local const& local, PoissonArrays<T> const& arrays) const {
  gpu::Current const current(local.context);
  auto const demand = [&](char const* argument, void const* array, Box const& box) {
    if (is_empty(box)) return;
    if (!array)
      throw Error(argument, "is a null pointer but the box of rank " + std::to_string(local.rank.rank) +
                                " has elements");
    if (!gpu::on_device(address(array), local.rank.device, argument))
      throw Error(argument, "lies in host memory but rank " + std::to_string(local.rank.rank) +
                                " is on cuda:" + std::to_string(local.rank.device) +
                                "; copy the array to the device");
  };
  demand("f", arrays.f, local.in);
  demand("phi", arrays.phi, local.out);
}

/// The right side: f itself, or a copy with boundary values.
template <class T>
T const* RanksOnGpu::with_values(Local& local, PoissonArrays<T> const& arrays) {
  if (!any_values(problem_, local.in, arrays.faces) || is_empty(local.in)) return arrays.f;
  gpu::Current const current(local.context);
  Index const bytes = volume(local.in) * Index(sizeof(T));
  if (!local.add_face) {
    local.right_side = local.owned(bytes);
    local.values = local.owned(face_points(local.in) * Index(sizeof(T)));
    local.add_face.emplace(sizeof(T) == 8, local.rank.device);
  }
  gpu::Stream const stream = stream_of(arrays.settings.stream);
  local.rank.gpu->copy(one_row(bytes), arrays.f, local.right_side.memory(), stream);
  gpu::DevicePointer at = address(local.values.memory());
  for (FaceLayer<T> const& layer : face_layers(problem_, local.in, arrays.faces)) {
    std::size_t const size = layer.values.size() * sizeof(T);
    gpu::demand(gpu::driver()->to_device_async(at, layer.values.data(), size, stream),
                "copying boundary values to the device");
    local.add_face->run({layer.outer, layer.inner, layer.pitch},
                        address(static_cast<T*>(local.right_side.memory()) + layer.first), at, stream);
    at += size;
  }
  return static_cast<T const*>(local.right_side.memory());
}

/// Waits for what it tells.
template <class T>
RanksOnGpu::Seen RanksOnGpu::seen(Local& local, PoissonArrays<T> const& arrays, T const* right_side) const {
  gpu::Current const current(local.context);
  gpu::Stream const stream = stream_of(arrays.settings.stream);
  Seen mine;
  if (local.has_constant) mine.mean = local.mean->value();
  if (apart_ && !is_empty(local.in))
    mine.largest = local.levels->largest(address(right_side), volume(local.in),
                                         *gpu::Pool::of(local.rank.device), stream);
  if (problem_.zero_mode == ZeroMode::pin && local.has_first()) {
    T level = 0;
    local.rank.gpu->copy(one_row(sizeof level), arrays.phi, local.first.memory(), stream);
    local.rank.gpu->synchronise(stream);
    std::memcpy(&level, local.first.memory(), sizeof level);
    mine.level = double(level);
  }
  return mine;
}

/// Every rank adds the same numbers in the same order, so all come to the same end.
RanksOnGpu::Seen RanksOnGpu::everywhere(Seen mine) const {
  if (!communicator_) return mine;
  std::vector<Seen> all(static_cast<std::size_t>(communicator_->size()));
  communicator_->all_gather(&mine, all.data(), sizeof mine);
  Seen whole;
  for (Seen const& s : all) whole.add(s);
  return whole;
}

/// Phi as the zero mode wants it.
template <class T>
void RanksOnGpu::settle(Local& local, PoissonArrays<T> const& arrays, double level) const {
  if (is_empty(local.out)) return;
  gpu::Current const current(local.context);
  Index const count = volume(local.out);
  if (apart_)
    local.rank.gpu->copy(one_row(count * Index(sizeof(T))), local.apart.memory(), arrays.phi,
                         arrays.settings.stream);
  if (problem_.zero_mode == ZeroMode::pin)
    local.levels->lower(address(arrays.phi), count, level, stream_of(arrays.settings.stream));
}

template <class T>
PoissonResult RanksOnGpu::solve(std::vector<PoissonArrays<T>> const& ranks) {
  std::vector<distributed::GpuCall> calls;
  Seen all;
  try {
    for (std::size_t i = 0; i < locals_.size(); ++i) check(*locals_[i], ranks[i]);
    for (std::size_t i = 0; i < locals_.size(); ++i)
      calls.push_back({with_values(*locals_[i], ranks[i]), apart_ ? locals_[i]->apart.memory() : ranks[i].phi,
                       ranks[i].settings.workspace, ranks[i].settings.stream});
    run_->execute(calls);
    for (std::size_t i = 0; singular_ && i < locals_.size(); ++i)
      all.add(seen(*locals_[i], ranks[i], static_cast<T const*>(calls[i].in)));
  } catch (std::exception const& e) {
    if (communicator_) communicator_->fail(e.what());
    throw;
  }
  if (!singular_) return {0};
  all = everywhere(all);
  if (apart_) demand_solvable(all.mean, all.largest, double(std::numeric_limits<T>::epsilon()));
  for (std::size_t i = 0; i < locals_.size(); ++i) settle(*locals_[i], ranks[i], all.level);
  return {all.mean};
}

template PoissonResult RanksOnGpu::solve(std::vector<PoissonArrays<float>> const&);
template PoissonResult RanksOnGpu::solve(std::vector<PoissonArrays<double>> const&);

}  // namespace skipper::poisson
