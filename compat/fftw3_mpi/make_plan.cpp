// See make_plan.h. SCRAMBLED sides are in natural order here, which FFTW leaves open; local_size_1d() says what blocks they have.
#include "make_plan.h"

#include <skipper/mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <variant>

#include "base/environment.h"
#include "communicators.h"
#include "halfcomplex_ranks.h"
#include "include/fftw3-mpi.h"

namespace skipper::fftw3 {
namespace {

bool logs() { return switched_on("SKIPPER_LOG"); }

/// What libskipper_fftw3 calls back.
struct Made {
  std::variant<Distributed, HalfcomplexRanks> plan;

  static void execute(void* self, Real* in, Real* out) {
    std::visit([&](auto& made) { made.execute(in, out); }, static_cast<Made*>(self)->plan);
  }
  static void destroy(void* self) { delete static_cast<Made*>(self); }
};

std::optional<Job> job_of(Request const& request, int ranks) {
  Job job;
  job.kind = request.kind;
  job.howmany = request.howmany;
  bool const halved = job.kind == Kind::r2c || job.kind == Kind::c2r;
  if (request.rank < (halved ? 2 : 1) || request.rank > static_cast<int>(max_rank) || !request.n) return {};
  if (request.howmany < 1 || request.in_block < 0 || request.out_block < 0) return {};
  job.n.assign(request.n, request.n + request.rank);
  if (std::any_of(job.n.begin(), job.n.end(), [](Index n) { return n < 1; })) return {};
  job.in.transposed = request.flags & FFTW_MPI_TRANSPOSED_IN;
  job.out.transposed = request.flags & FFTW_MPI_TRANSPOSED_OUT;
  for (bool const out : {false, true}) {
    Spread& spread = out ? job.out : job.in;
    bool const real = out ? real_out(job.kind) : real_in(job.kind);
    // Rows of reals cannot be cut, nor is there a second dimension to cut where there is but one.
    if (spread.transposed && (request.rank == 1 || (halved && real && request.rank == 2))) return {};
    spread.cut = spread.transposed ? 1 : 0;
    Index const size = side_sizes(job, out)[spread.cut], asked = out ? request.out_block : request.in_block;
    spread.block = asked ? asked : default_block(size, ranks);
    if (blocks(size, spread.block) > ranks) return {};
  }
  return job;
}

bool add_kinds(Job& job, FftwKind const* kinds) {
  if (!kinds) return false;
  for (std::size_t i = 0; i < job.n.size(); ++i) {
    int const number = static_cast<int>(kinds[i]);
    if (number < 0 || number >= real_kinds) return false;
    if (RealKind(number) == RealKind::redft00 && job.n[i] < 2) return false;
    job.kinds.push_back(RealKind(number));
  }
  return true;
}

/// The usual count of 5 N log2 N, of reals half as many.
double operations(Job const& job) {
  double points = 1;
  for (Index const n : job.n) points *= static_cast<double>(n);
  if (only_moves(job) || points <= 1) return 0;
  return (job.kind == Kind::c2c ? 5 : 2.5) * static_cast<double>(job.howmany) * points * std::log2(points);
}

bool needs_halfcomplex(Job const& job) {
  return std::any_of(job.kinds.begin(), job.kinds.end(),
                     [](RealKind kind) { return kind == RealKind::r2hc || kind == RealKind::hc2r; });
}

FftwPlan make(Job const& job, unsigned flags, Real* in, Real* out, MPI_Comm comm) {
  if (flags & FFTW_WISDOM_ONLY) return nullptr;  // there is none of distributed plans
  int const apart = in != out;                   // an idle process may have no arrays at all
  int any_apart = apart;
  MPI_Allreduce(&apart, &any_apart, 1, MPI_INT, MPI_MAX, comm);
  auto const communicator = communicator_of(comm);
  std::unique_ptr<Made> made(needs_halfcomplex(job)
                                 ? new Made{HalfcomplexRanks(job, communicator)}
                                 : new Made{Distributed(job, any_apart == 0, communicator)});
  std::string const text = std::visit([](auto const& plan) { return plan.describe(); }, made->plan);
  if (logs() && communicator->rank() == 0) std::fprintf(stderr, "skipper %s_mpi: %s\n", prefix, text.c_str());
  Adopted const plan{made.get(), Made::execute, Made::destroy,   in,
                     out,        job.kind,      operations(job), text.c_str()};
  FftwPlan const handle = SKIPPER_FFTW_ADOPT(&plan);
  if (handle) made.release();
  return handle;
}

/// Why there is no plan.
FftwPlan none(char const* why) noexcept {
  if (logs()) std::fprintf(stderr, "skipper %s_mpi: no plan: %s\n", prefix, why);
  return nullptr;
}

}  // namespace

FftwPlan plan_transform(Request const& request, int sign, FftwKind const* kinds, Real* in, Real* out,
                        MPI_Comm comm) noexcept try {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  std::optional<Job> job = job_of(request, ranks);
  if (!job) return none("an argument makes no sense, or there are more blocks than processes");
  job->direction = sign == FFTW_FORWARD ? Direction::forward : Direction::inverse;
  if (job->kind == Kind::r2r && !add_kinds(*job, kinds)) return none("a kind of r2r is unknown or too short");
  return make(*job, request.flags, in, out, comm);
} catch (std::exception const& e) {
  return none(e.what());
}

FftwPlan plan_transposition(Request const& request, Real* in, Real* out, MPI_Comm comm) noexcept try {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  Request asked = request;
  asked.kind = Kind::r2r;
  asked.flags =
      (request.flags & ~(FFTW_MPI_TRANSPOSED_IN | FFTW_MPI_TRANSPOSED_OUT)) | FFTW_MPI_TRANSPOSED_OUT;
  std::optional<Job> job = job_of(asked, ranks);
  if (!job) return none("an argument makes no sense, or there are more blocks than processes");
  // The output is spread by its own first dimension, the second of the input. The flags say which side is not transposed yet, or
  // no more, within a process.
  job->in.transposed = request.flags & FFTW_MPI_TRANSPOSED_IN;
  job->out.transposed = !(request.flags & FFTW_MPI_TRANSPOSED_OUT);
  return make(*job, request.flags, in, out, comm);
} catch (std::exception const& e) {
  return none(e.what());
}

}  // namespace skipper::fftw3
