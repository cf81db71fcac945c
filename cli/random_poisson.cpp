// Poisson problems in memory, through slices and over ranks, each put back into its equation.
#include <skipper/distributed_poisson.h>
#include <skipper/stream_poisson.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "coverage/poisson.h"
#include "format.h"
#include "noise.h"
#include "on_threads.h"
#include "random_sorts.h"
#include "reference/poisson.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

using coverage::DrawnPoisson, coverage::FaceValues, coverage::PoissonWay;

constexpr char const* host_and_device = "poisson: by host and device";

template <class T>
std::vector<T> noise_of(std::size_t count, Precision precision, std::uint64_t seed) {
  std::vector<T> values(count);
  fill_with_noise(values.data(), count * sizeof(T), precision, seed, 1);
  return values;
}

std::size_t points_of(PoissonProblem const& p) {
  std::size_t all = 1;
  for (PoissonAxis const& a : p.axes) all *= std::size_t(a.size);
  return all;
}

template <class T>
std::vector<Faces<T>> drawn_faces(DrawnPoisson const& d) {
  if (d.values == FaceValues::none) return {};
  std::vector<Faces<T>> faces;
  for (PoissonAxis const& a : d.problem.axes) {
    Faces<T>& axis = faces.emplace_back();
    if (a.low == Boundary::periodic) continue;
    std::size_t const points = points_of(d.problem) / std::size_t(a.size);
    std::size_t const count = d.values == FaceValues::numbers ? 1 : points;
    axis.low = noise_of<T>(count, d.problem.precision, 2 * faces.size());
    axis.high = noise_of<T>(count, d.problem.precision, 2 * faces.size() + 1);
  }
  return faces;
}

// The arrays of one problem, and what a solve made of them.
template <class T>
struct Solve {
  DrawnPoisson const& drawn;
  std::vector<Faces<T>> const& faces;
  std::vector<T>&f, &phi;  // in place the same
  double defect = 0;
  std::vector<std::string> words = {};

  bool in_place() const { return &f == &phi; }
};

template <class T>
void in_memory(Solve<T>& s, RandomRun& run) {
  PlanSettings settings;
  settings.device = run.device;
  settings.cpu = run.cpu;
  Poisson const poisson(s.drawn.problem, settings);
  std::size_t const bytes = s.f.size() * sizeof(T);
  run.on_device(poisson.device(), {s.f.data(), bytes, s.phi.data(), bytes}, poisson.workspace_bytes(),
                [&](void* f, void* phi, ExecuteSettings const& e) {
                  s.defect = poisson
                                 .solve(static_cast<T const*>(f), static_cast<T*>(phi),
                                        {.faces = s.faces,
                                         .workspace_bytes = e.workspace_bytes,
                                         .workspace = e.workspace,
                                         .stream = e.stream})
                                 .defect;
                });
}

// With the first of the limits, each twice the one before, in which a slice fits.
StreamPoisson fitting_poisson(DrawnPoisson const& d, StreamSettings settings) {
  for (int doublings = 0;; ++doublings) try {
      return StreamPoisson(d.problem, settings);
    } catch (Error const& e) {
      if (e.argument() != "memory_limit" || doublings == 24) throw;
      settings.memory_limit *= 2;
    }
}

template <class T>
void through_slices(Solve<T>& s, RandomRun& run) {
  StreamSettings settings;
  settings.device = run.device;
  settings.cpu = run.host;
  settings.memory_limit = s.drawn.memory_limit;
  settings.strategy = s.drawn.strategy;
  StreamPoisson const poisson = fitting_poisson(s.drawn, settings);
  s.defect = poisson.solve(s.f.data(), s.phi.data(), {.faces = s.faces}).defect;
  if (s.drawn.strategy == StreamStrategy::host_and_device) s.words.push_back(host_and_device);
}

// Rows of a box between the whole array and a rank's: move(here, there, elements).
void each_row(PoissonProblem const& p, Box const& box,
              std::function<void(std::int64_t, std::int64_t, std::int64_t)> const& move) {
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < box.size.size(); ++d) rows *= box.size[d];
  for (std::int64_t row = 0; row < rows && box.size.back() > 0; ++row) {
    std::int64_t rest = row, there = box.first.back(), stride = p.axes.back().size;
    for (std::size_t d = box.size.size() - 1; d-- > 0; rest /= box.size[d]) {
      there += (box.first[d] + rest % box.size[d]) * stride;
      stride *= p.axes[d].size;
    }
    move(row * box.size.back(), there, box.size.back());
  }
}

// The arrays of one rank, in host memory; in place both are one.
template <class T>
struct PoissonBox {
  PoissonBox(Solve<T> const& s, DistributedPoisson const& poisson, int rank)
      : in(poisson.in_box(rank)),
        out(poisson.out_box(rank)),
        f(std::size_t(poisson.in_elements(rank))),
        apart(s.in_place() ? 0 : std::size_t(poisson.out_elements(rank)),
              std::numeric_limits<T>::quiet_NaN()) {
    each_row(s.drawn.problem, in, [&](auto here, auto there, auto count) {
      std::copy_n(s.f.begin() + there, count, f.begin() + here);
    });
  }
  void gather(Solve<T>& s) {
    each_row(s.drawn.problem, out, [&](auto here, auto there, auto count) {
      std::copy_n(phi(s).begin() + here, count, s.phi.begin() + there);
    });
  }
  std::vector<T>& phi(Solve<T> const& s) { return s.in_place() ? f : apart; }

  Box in, out;
  std::vector<T> f, apart;
};

template <class T>
void by_threads(Solve<T>& s) {
  DistributedSettings settings;
  settings.cpu.threads = 1;
  on_threads(s.drawn.ranks, [&](std::shared_ptr<Communicator> const& communicator) {
    int const rank = communicator->rank();
    DistributedPoisson const poisson(s.drawn.problem, communicator, settings);
    PoissonBox<T> box(s, poisson, rank);
    double const defect = poisson.solve(box.f.data(), box.phi(s).data(), {.faces = s.faces}).defect;
    communicator->barrier();  // nobody reads the whole any more
    box.gather(s);
    if (rank == 0) s.defect = defect;
  });
}

template <class T>
void by_gpu(Solve<T>& s, Device const& device) {
  DistributedPoisson const poisson(s.drawn.problem, std::vector<Device>(std::size_t(s.drawn.ranks), device));
  std::vector<PoissonBox<T>> boxes;
  std::vector<std::unique_ptr<Cuda>> ranks;
  std::vector<PoissonArrays<T>> arrays;
  for (int r = 0; r < s.drawn.ranks; ++r) {
    PoissonBox<T>& box = boxes.emplace_back(s, poisson, r);
    Cuda& cuda = *ranks.emplace_back(std::make_unique<Cuda>(cuda_device(device.name())));
    auto const memory = [&](char const* name, std::size_t bytes) {
      void* const data = cuda.device_memory(name, std::max<std::size_t>(bytes, 256)).data;
      cuda.poison(data, bytes);
      return data;
    };
    void* const f = memory("f", box.f.size() * sizeof(T));
    void* const phi = s.in_place() ? f : memory("phi", box.apart.size() * sizeof(T));
    auto const workspace = std::size_t(poisson.workspace_bytes(r));
    void* const work = memory("work", workspace);
    cuda.upload(f, box.f.data(), box.f.size() * sizeof(T));
    arrays.push_back({static_cast<T const*>(f),
                      static_cast<T*>(phi),
                      s.faces,
                      {.workspace_bytes = workspace, .workspace = work, .stream = cuda.stream()}});
  }
  s.defect = poisson.solve(arrays).defect;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    ranks[r]->wait();
    std::vector<T>& phi = boxes[r].phi(s);
    ranks[r]->download(phi.data(), arrays[r].phi, phi.size() * sizeof(T));
    boxes[r].gather(s);
  }
}

Outcome outcome_of(reference::PoissonCheck const& check, bool input_changed) {
  if (input_changed) return {"the right side was not preserved", {}};
  if (check.good()) return {};
  return {formatted("its equation is off by {} times what rounding does, modes by {}, its mean by {}",
                    number_text(check.equation, 2), number_text(check.modes, 2), number_text(check.mean, 2)),
          {}};
}

template <class T>
Outcome verify_poisson_in(DrawnPoisson const& d, RandomRun& run) {
  std::vector<T> const given = noise_of<T>(points_of(d.problem), d.problem.precision, 1);
  std::vector<T> f = given, apart(d.in_place ? 0 : f.size(), std::numeric_limits<T>::quiet_NaN());
  std::vector<Faces<T>> const faces = drawn_faces<T>(d);
  Solve<T> s{d, faces, f, d.in_place ? f : apart};
  switch (d.way) {
    case PoissonWay::in_memory:
      in_memory(s, run);
      break;
    case PoissonWay::stream:
      through_slices(s, run);
      break;
    case PoissonWay::ranks:
      cuda_device(run.device.name()) >= 0 ? by_gpu(s, run.device) : by_threads(s);
      break;
  }
  Outcome outcome =
      outcome_of(reference::poisson_check(d.problem, given.data(), faces, s.phi.data(), s.defect),
                 !d.in_place && f != given);
  outcome.covers = s.words;
  return outcome;
}

Outcome verify_poisson(DrawnPoisson const& d, RandomRun& run) {
  return d.problem.precision == Precision::f32 ? verify_poisson_in<float>(d, run)
                                               : verify_poisson_in<double>(d, run);
}

Drawn draw_poisson(std::uint64_t seed, std::uint64_t number, coverage::Sizes const& sizes) {
  DrawnPoisson const d = coverage::drawn_poisson(seed, number, sizes);
  return {coverage::text(d), coverage::uses_of(d, coverage::poisson_properties()),
          [d](RandomRun& run) { return verify_poisson(d, run); }};
}

}  // namespace

RandomSort random_poisson() {
  std::vector<std::string> words = coverage::names_of(coverage::poisson_properties());
  words.push_back(host_and_device);
  return {"poisson", words, draw_poisson};
}

}  // namespace skipper::cli
