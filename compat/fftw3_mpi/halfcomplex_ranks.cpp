// See halfcomplex_ranks.h.
#include "halfcomplex_ranks.h"

#include <algorithm>

namespace skipper::fftw3 {
namespace {

/// The same elements from one spread to another.
Job moves(Job const& job, Spread const& from, Spread const& to) {
  Job result = job;
  result.kinds.clear();
  result.in = from;
  result.out = to;
  return result;
}

std::size_t reals(Job const& job, Spread const& spread, int rank) {
  Job const side = moves(job, spread, spread);
  return static_cast<std::size_t>(reals_of(side, false, box_of(side, false, rank)));
}

Spread second_spread(Job const& job, int ranks) {
  if (job.n.size() == 1) return {0, job.n[0], false};  // one process
  return {1, default_block(job.n[1], ranks), false};
}

}  // namespace

HalfcomplexRanks::HalfcomplexRanks(Job const& job, std::shared_ptr<Communicator> const& communicator)
    : by_first_{0, default_block(job.n[0], communicator->size()), false},
      by_second_(second_spread(job, communicator->size())),
      arrive_(moves(job, job.in, by_first_), false, communicator),
      transpose_(moves(job, by_first_, by_second_), false, communicator),
      leave_(moves(job, by_second_, job.out), false, communicator),
      rows_(reals(job, by_first_, communicator->rank())),
      columns_(reals(job, by_second_, communicator->rank())),
      others_(local_plan(job, by_first_, communicator->rank(), 1, job.n.size(), rows_.data())),
      first_(local_plan(job, by_second_, communicator->rank(), 0, 1, columns_.data())) {}

HalfcomplexRanks::Local HalfcomplexRanks::local_plan(Job const& job, Spread const& spread, int rank,
                                                     std::size_t first, std::size_t end, Real* at) {
  Job const side = moves(job, spread, spread);
  Box const box = box_of(side, false, rank);
  std::vector<Dim> const dims = layout(side, false, box, false);
  bool const empty = std::any_of(box.size.begin(), box.size.end(), [](Index size) { return size == 0; });
  if (empty || first == end) return nullptr;
  std::vector<FFTW_NAME(iodim64)> axes, others;
  std::vector<FftwKind> kinds;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    bool const transformed = i >= first && i < end;
    (transformed ? axes : others).push_back({dims[i].size, dims[i].in_stride, dims[i].in_stride});
    if (transformed) kinds.push_back(static_cast<FftwKind>(job.kinds[i]));
  }
  Local plan(FFTW_NAME(plan_guru64_r2r)(static_cast<int>(axes.size()), axes.data(),
                                        static_cast<int>(others.size()), others.data(), at, at, kinds.data(),
                                        FFTW_ESTIMATE));
  if (!plan) throw Error("kind", "has no transform of these sizes on one process");
  return plan;
}

void HalfcomplexRanks::execute(Real* in, Real* out) {
  arrive_.execute(in, rows_.data());
  if (others_) FFTW_NAME(execute)(others_.get());
  transpose_.execute(rows_.data(), columns_.data());
  if (first_) FFTW_NAME(execute)(first_.get());
  leave_.execute(columns_.data(), out);
}

std::string HalfcomplexRanks::describe() const {
  return "halfcomplex axes on one process each\n" + arrive_.describe() + transpose_.describe() +
         leave_.describe();
}

}  // namespace skipper::fftw3
