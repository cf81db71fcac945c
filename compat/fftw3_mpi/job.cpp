// See job.h.
#include "job.h"

#include <algorithm>
#include <utility>

#include "axis_kind.h"

namespace skipper::fftw3 {
namespace {

bool is_real(Job const& job, bool out) { return out ? real_out(job.kind) : real_in(job.kind); }
bool is_halved(Job const& job) { return job.kind == Kind::r2c || job.kind == Kind::c2r; }

/// Reals of an element.
Index width(Job const& job, bool out) { return is_real(job, out) ? 1 : 2; }

/// FFTW pads rows of reals that a spectrum belongs to, in place or not.
Index stored_row(Job const& job, bool out, Index in_box) {
  return is_halved(job) && is_real(job, out) ? 2 * (job.n.back() / 2 + 1) : in_box;
}

/// The dimensions of a box that are those of n: behind howmany where that is a dimension, before it where elements move.
std::size_t first_of_n(Job const& job) { return !only_moves(job) && job.howmany > 1 ? 1 : 0; }

}  // namespace

Share share_of(Index n, Index block, int rank) {
  Index const first = rank < blocks(n, block) ? rank * block : 0;
  return {first, rank < blocks(n, block) ? std::min(block, n - first) : 0};
}

std::vector<Index> side_sizes(Job const& job, bool out) {
  std::vector<Index> sizes = job.n;
  if (is_halved(job) && !is_real(job, out)) sizes.back() = job.n.back() / 2 + 1;
  return sizes;
}

Problem problem_of(Job const& job) {
  Problem problem;
  problem.kind = job.kind;
  problem.precision = precision;
  problem.direction = job.kind == Kind::c2r   ? Direction::inverse
                      : job.kind == Kind::c2c ? job.direction
                                              : Direction::forward;
  if (only_moves(job)) {
    for (Index const n : job.n) problem.batch.push_back({n, 0, 0});
    if (job.howmany > 1) problem.batch.push_back({job.howmany, 0, 0});
    problem.axes.push_back({1, 0, 0});
    problem.axes.back().kind = AxisKind::dht;
  } else {
    if (job.howmany > 1) problem.batch.push_back({job.howmany, 0, 0});
    for (std::size_t i = 0; i < job.n.size(); ++i) {
      problem.axes.push_back({job.n[i], 0, 0});
      if (job.kind == Kind::r2r) problem.axes.back().kind = axis_kind(job.kinds[i]);
    }
  }
  return dense_layout(std::move(problem));
}

Box box_of(Job const& job, bool out, int rank) {
  Spread const& spread = out ? job.out : job.in;
  std::vector<Index> sizes = side_sizes(job, out);
  Share const share = share_of(sizes[spread.cut], spread.block, rank);
  Box box{std::vector<Index>(sizes.size(), 0), sizes};
  box.first[spread.cut] = share.first;
  box.size[spread.cut] = share.size;
  if (job.howmany > 1) {
    auto const at = only_moves(job) ? static_cast<std::ptrdiff_t>(sizes.size()) : 0;
    box.first.insert(box.first.begin() + at, 0);
    box.size.insert(box.size.begin() + at, job.howmany);
  }
  if (only_moves(job)) {
    box.first.push_back(0);
    box.size.push_back(1);
  }
  if (share.size == 0) {
    std::fill(box.first.begin(), box.first.end(), 0);
    std::fill(box.size.begin(), box.size.end(), 0);
  }
  return box;
}

std::vector<Dim> layout(Job const& job, bool out, Box const& box, bool padded) {
  Spread const& spread = out ? job.out : job.in;
  std::size_t const rank = job.n.size(), first = first_of_n(job);
  std::vector<std::size_t> order(rank);  // FFTW's, slowest first
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  if (spread.transposed) std::swap(order[0], order[1]);

  std::vector<Dim> dims(box.size.size());
  Index const reals = width(job, out);
  Index stride = reals * job.howmany;
  for (std::size_t i = rank; i-- > 0;) {
    std::size_t const axis = order[i];
    Index const size = box.size[first + axis];
    dims[first + axis] = {size, stride, 0};
    stride *= axis + 1 == rank ? stored_row(job, out, size) : size;
  }
  if (job.howmany > 1) dims[only_moves(job) ? rank : 0] = {job.howmany, reals, 0};
  if (only_moves(job)) dims.back() = {1, reals, 0};

  stride = reals;
  for (std::size_t i = dims.size(); i-- > 0;) {
    dims[i].out_stride = stride;
    stride *= padded && i + 1 == dims.size() ? stored_row(job, out, dims[i].size) : dims[i].size;
  }
  return dims;
}

bool is_dense(std::vector<Dim> const& layout) {
  return std::all_of(layout.begin(), layout.end(),
                     [](Dim const& d) { return d.size < 2 || d.in_stride == d.out_stride; });
}

Index reals_of(Job const& job, bool out, Box const& box) {
  std::size_t const rank = job.n.size(), first = first_of_n(job);
  Index count = width(job, out) * job.howmany;
  for (std::size_t i = 0; i < rank; ++i) {
    Index const size = box.size[first + i];
    count *= i + 1 == rank && size > 0 ? stored_row(job, out, size) : size;
  }
  return count;
}

}  // namespace skipper::fftw3
