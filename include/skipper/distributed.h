// Transforms of arrays that are spread over ranks: processes of MPI, or threads of one process. Every rank holds a box of
// the input and of the output; the plan transforms the axes that a rank has whole, exchanges data so that others become
// whole, and goes on.
//
//   skipper::DistributedPlan plan(skipper::c2c({512, 512, 512}), communicator);   // on every rank
//   std::vector<std::complex<float>> in(plan.in_elements()), out(plan.out_elements());
//   plan.execute(in.data(), out.data());
#pragma once

#include <skipper/communicator.h>
#include <skipper/problem.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skipper {

// A part of a global array: along dimension d the indices first[d] .. first[d] + size[d] - 1. Dimensions are those of
// the array, slowest first: the batch, then the axes. A size of 0 makes the box empty.
struct Box {
  std::vector<std::int64_t> first, size;

  bool operator==(Box const&) const = default;
};

// The sizes of the global arrays of a problem, slowest first, batch before axes: what boxes are parts of.
std::vector<std::int64_t> in_sizes(Problem const& problem);
std::vector<std::int64_t> out_sizes(Problem const& problem);

// Boxes, one a rank, that cut an array of these sizes. Parts of a dimension differ by at most one; where there are more
// ranks than parts, the last ranks have none.
// bricks: parts[d] parts of dimension d, their ranks in row-major order; slabs: of one dimension only; pencils: of two
// others than `whole`, the slowest two, in the most even way that is possible.
std::vector<Box> bricks(std::vector<std::int64_t> const& sizes, std::vector<int> const& parts, int ranks);
std::vector<Box> slabs(std::vector<std::int64_t> const& sizes, int ranks, std::size_t dimension = 0);
std::vector<Box> pencils(std::vector<std::int64_t> const& sizes, int ranks, std::size_t whole);

// How data get from rank to rank. direct: into memory that both ranks reach. messages: packed and sent. automatic:
// direct where the memory can be reached.
enum class ExchangeMethod { automatic, direct, messages };

struct DistributedSettings {
  // One box a rank, the same list on every rank, or on each rank its own alone. Empty: slabs of the slowest dimension.
  std::vector<Box> in = {};
  // Likewise; empty: cut as the input is. With any_output the plan leaves the output where that is cheapest, which
  // spares an exchange; out_boxes() then says where it is.
  std::vector<Box> out = {};
  bool any_output = false;
  ExchangeMethod exchange = ExchangeMethod::automatic;
  int pieces =
      0;  // that an exchange by messages is cut into, so that sending and computing overlap; 0: chosen
  int threads = 0;  // of a rank; 0: its share of the node's cores
  // What joins the ranks, for the choice of stages and pieces: "nvlink", "pcie", "infiniband", "host" or a full text
  // `links NAME ranks_per_node N node SECONDS BYTES/S network SECONDS BYTES/S`; empty: "host" with the ranks of this node.
  std::string links = {};
  std::string program = {};  // what to run, as describe() prints it; empty: what the planner chooses
};

class DistributedPlan {
 public:
  // Collective: all ranks make the same plan together. The strides of the problem are not looked at: each rank's arrays
  // are its boxes, dense and row-major; in place, a box of r2c or c2r is padded as in_place(problem) would be. Throws
  // Error on every rank where the ranks disagree, where boxes do not cover the array exactly once, and where the problem
  // is in f16, padded, cropped or in reversed order.
  DistributedPlan(Problem const& problem, std::shared_ptr<Communicator> communicator,
                  DistributedSettings const& settings = {});

  // Collective. The first elements of this rank's boxes; nullptr is fine where a box is empty. In place both are one.
  // If a rank throws, the others do too.
  void execute(void const* in, void* out) const;

  // The boxes of a rank, and how many elements this rank's arrays need, padding included.
  Box const& in_box() const;
  Box const& out_box() const;
  Box in_box(int rank) const;
  Box out_box(int rank) const;
  std::int64_t in_elements() const;
  std::int64_t out_elements() const;

  Problem const& problem() const;
  // Memory that this rank holds beyond its arrays.
  std::int64_t memory_bytes() const;
  // Exchanges of an execution, and the bytes that this rank sends to others in all of them.
  int exchanges() const;
  std::int64_t sent_bytes() const;
  // The stages, one a line, as DistributedSettings::program reads them.
  std::string describe() const;

 private:
  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
