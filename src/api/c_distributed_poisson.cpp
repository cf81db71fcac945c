// The C interface to Poisson problems over ranks.
#include <skipper/distributed_poisson.h>

#include "api/c_distributed.h"
#include "api/c_poisson.h"
#include "api/c_problem.h"

struct skipper_distributed_poisson {
  skipper::DistributedPoisson poisson;
  int rank = 0;
  std::size_t ranks = 0;  // of this process, where it has all of them; else 0
};

using namespace skipper::c;

namespace {

template <class T>
double solved(skipper::DistributedPoisson const& poisson, skipper_poisson_rank_arrays const* arrays,
              int ranks) {
  std::vector<skipper::PoissonArrays<T>> all;
  for (int r = 0; r < ranks; ++r) {
    skipper_solve_settings const& with = arrays[r].settings;
    all.push_back({static_cast<T const*>(arrays[r].f),
                   static_cast<T*>(arrays[r].phi),
                   faces_of<T>(poisson.in_box(r).size, with.low, with.high),
                   {.workspace_bytes = size_of(with.workspace_bytes),
                    .workspace = with.workspace,
                    .stream = with.stream}});
  }
  return poisson.solve(all).defect;
}

}  // namespace

extern "C" {

int skipper_distributed_poisson_create(skipper_distributed_poisson** poisson,
                                       skipper_poisson_problem const* problem,
                                       skipper_communicator* communicator,
                                       skipper_distributed_settings const* settings) {
  return guarded([&] {
    if (poisson) *poisson = nullptr;
    together(communicator, [&](std::shared_ptr<skipper::Communicator> const& ranks) {
      demanded(poisson, "poisson");
      skipper::PoissonProblem const given = poisson_of(problem);
      *poisson = new skipper_distributed_poisson{
          skipper::DistributedPoisson(given, ranks, settings_of(settings, given.axes.size())), ranks->rank()};
    });
  });
}

int skipper_distributed_poisson_create_devices(skipper_distributed_poisson** poisson,
                                               skipper_poisson_problem const* problem,
                                               char const* const* devices, int ranks,
                                               skipper_distributed_settings const* settings) {
  return guarded([&] {
    demanded(poisson, "poisson") = nullptr;
    skipper::PoissonProblem const given = poisson_of(problem);
    std::vector<skipper::Device> const all = devices_of(devices, ranks, "ranks");
    demand_no_device(settings);
    *poisson = new skipper_distributed_poisson{
        skipper::DistributedPoisson(given, all, settings_of(settings, given.axes.size(), all.size())), 0,
        all.size()};
  });
}

void skipper_distributed_poisson_destroy(skipper_distributed_poisson* poisson) { delete poisson; }

int skipper_distributed_poisson_solve(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                      double* defect) {
  return skipper_distributed_poisson_solve_on(poisson, f, phi, nullptr, defect);
}

int skipper_distributed_poisson_solve_on(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                         skipper_solve_settings const* settings, double* defect) {
  return guarded([&] {
    skipper::DistributedPoisson const& p = demanded(poisson, "poisson").poisson;
    hand_out(solved(p, p.in_box().size, f, phi, settings), defect);
  });
}

int skipper_distributed_poisson_workspace_bytes(skipper_distributed_poisson const* poisson,
                                                long long* bytes) {
  return guarded([&] {
    skipper_distributed_poisson const& p = demanded(poisson, "poisson");
    demanded(bytes, "bytes") = p.poisson.workspace_bytes(p.rank);
  });
}

skipper_poisson_rank_arrays skipper_poisson_rank_arrays_default(void) { return {}; }

int skipper_distributed_poisson_solve_ranks(skipper_distributed_poisson const* poisson,
                                            skipper_poisson_rank_arrays const* arrays, int ranks,
                                            double* defect) {
  return guarded([&] {
    skipper_distributed_poisson const& p = demanded(poisson, "poisson");
    demand_arrays(arrays, ranks, p.ranks);
    bool const wide = p.poisson.problem().precision == skipper::Precision::f64;
    hand_out(wide ? solved<double>(p.poisson, arrays, ranks) : solved<float>(p.poisson, arrays, ranks),
             defect);
  });
}

int skipper_distributed_poisson_rank_elements(skipper_distributed_poisson const* poisson, int rank,
                                              long long* in, long long* out) {
  return guarded([&] {
    skipper::DistributedPoisson const& p = demanded(poisson, "poisson").poisson;
    demanded(in, "in") = p.in_elements(rank);
    demanded(out, "out") = p.out_elements(rank);
  });
}

int skipper_distributed_poisson_rank_workspace_bytes(skipper_distributed_poisson const* poisson, int rank,
                                                     long long* bytes) {
  return guarded(
      [&] { demanded(bytes, "bytes") = demanded(poisson, "poisson").poisson.workspace_bytes(rank); });
}

int skipper_distributed_poisson_in_box(skipper_distributed_poisson const* poisson, int rank, long long* first,
                                       long long* size) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.in_box(rank), first, size); });
}

int skipper_distributed_poisson_out_box(skipper_distributed_poisson const* poisson, int rank,
                                        long long* first, long long* size) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.out_box(rank), first, size); });
}

int skipper_distributed_poisson_elements(skipper_distributed_poisson const* poisson, long long* in,
                                         long long* out) {
  return guarded([&] {
    skipper::DistributedPoisson const& p = demanded(poisson, "poisson").poisson;
    demanded(in, "in") = p.in_elements();
    demanded(out, "out") = p.out_elements();
  });
}

int skipper_distributed_poisson_costs(skipper_distributed_poisson const* poisson, int* exchanges,
                                      long long* sent_bytes, long long* memory_bytes) {
  return guarded(
      [&] { hand_out_costs(demanded(poisson, "poisson").poisson, exchanges, sent_bytes, memory_bytes); });
}

int skipper_distributed_poisson_describe(skipper_distributed_poisson const* poisson, char* text,
                                         long long size, long long* needed) {
  return guarded([&] { hand_out(demanded(poisson, "poisson").poisson.describe(), text, size, needed); });
}

}  // extern "C"
