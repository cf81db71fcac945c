// A Poisson problem over ranks on GPUs: boundary values, the round trip of transforms, and the constant mode, which
// one rank has and all are told.
#pragma once

#include <skipper/distributed_poisson.h>

#include <memory>
#include <vector>

#include "poisson/part_on_gpu.h"

namespace skipper::poisson {

class RanksOnGpu {
 public:
  /// Collective where there is a communicator, which then says which rank is here; else all ranks are, in order. Of
  /// the options the arrays and the middle are set here.
  RanksOnGpu(PoissonProblem const& problem, SpreadProgram const& program,
             std::vector<RankDevice> const& ranks, std::shared_ptr<Communicator> communicator,
             distributed::GpuOptions options);
  ~RanksOnGpu();

  /// The arrays of each rank that is here.
  template <class T>
  PoissonResult solve(std::vector<PoissonArrays<T>> const& ranks);

  /// Of the i-th rank that is here.
  Index workspace_bytes(std::size_t i) const { return run_->workspace_bytes(i); }
  Index memory_bytes(std::size_t i) const;
  Index sent_bytes(std::size_t i) const { return run_->sent_bytes(i); }
  ExchangeMethod method() const { return run_->method(); }

 private:
  struct Local;
  struct Seen;
  template <class T>
  void check(Local const& local, PoissonArrays<T> const& arrays) const;
  template <class T>
  T const* with_values(Local& local, PoissonArrays<T> const& arrays);
  template <class T>
  Seen seen(Local& local, PoissonArrays<T> const& arrays, T const* right_side) const;
  Seen everywhere(Seen mine) const;
  template <class T>
  void settle(Local& local, PoissonArrays<T> const& arrays, double level) const;

  PoissonProblem problem_;
  bool singular_;       // phi is determined up to a constant
  bool apart_ = false;  // phi is stored when the defect has been looked at
  std::shared_ptr<Communicator> communicator_;
  std::vector<std::unique_ptr<Local>> locals_;
  std::unique_ptr<distributed::GpuRun> run_;
};

}  // namespace skipper::poisson
