// Transforms of arrays that are spread over ranks: processes of MPI, threads, or several GPUs of one process. Every rank holds
// a box of the input and of the output; the plan transforms the axes that a rank has whole, exchanges data so that others
// become whole, and goes on.
//
//   skipper::DistributedPlan plan(skipper::c2c({512, 512, 512}), communicator);   // on every rank
//   std::vector<std::complex<float>> in(plan.in_elements()), out(plan.out_elements());
//   plan.execute(in.data(), out.data());
//
//   skipper::DistributedPlan plan(problem, {skipper::Device("cuda:0"), skipper::Device("cuda:1")});   // one process
//   plan.execute({{in0, out0}, {in1, out1}});
#pragma once

#include <skipper/communicator.h>
#include <skipper/device.h>
#include <skipper/element.h>
#include <skipper/execute.h>
#include <skipper/problem.h>
#include <skipper/settings.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skipper {

// A part of a global array: along dimension d the indices first[d] .. first[d] + size[d] - 1. Dimensions are those of
// the array, slowest first: the batch, then the axes. A size of 0 makes the box empty.
struct Box {
  std::vector<std::int64_t> first = {}, size = {};

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

// How data get from rank to rank.
//   automatic on CPUs direct, between ranks that reach each other's memory, else messages. On GPUs what kept_exchange() names where
//             one process has them all, else fused; where that cannot be, direct; where memory is not reached, messages or host
//   fused     the last sweep of a stage stores straight into the arrays of its peers (GPUs)
//   direct    each part is copied into the peer's memory; on CPUs, piece by piece as it is computed
//   messages  parts are packed and sent
// On GPUs also, to compare:
//   swap      sweeps store into their own array, where a kernel swaps parts with those of the peers
//   staged    of each pair of ranks one way directly, one by the host
//   host      both ways by the host
enum class ExchangeMethod { automatic, direct, messages, fused, swap, staged, host };

// "fused" and so on; and back, which throws Error.
char const* name(ExchangeMethod method);
ExchangeMethod parse_exchange(std::string const& name);

// What automatic stands for on these devices, where it can be: as it was kept for as many ranks on the same GPUs, else fused.
// It is kept with the compiled kernels; `skipper bench --exchanges` measures and keeps it.
ExchangeMethod kept_exchange(std::vector<Device> const& devices);
void keep_exchange(std::vector<Device> const& devices, ExchangeMethod method);

// The order of the elements along an axis that is split over ranks (DistributedPlan::split()). natural: as everywhere.
// permuted: the digits of the index stay where the transform leaves or takes them, which spares an exchange; FFTW calls it
// scrambled. What a transform leaves permuted, its inverse over as many ranks takes permuted.
enum class AxisOrder { natural, permuted };

// One long axis of n = first x second points that is split over ranks: the transform goes along the first digit, then along
// the second (Bailey's six steps). Input j = j1 second + j2, output k = k1 + first k2, where j1, k1 < first and j2, k2 < second.
struct SplitAxis {
  std::size_t axis = 0;  // of the problem
  std::int64_t first = 1, second = 1;

  bool operator==(SplitAxis const&) const = default;
};

// Of a rank on a GPU.
struct RankGpuSettings {
  int streams = 0;  // 1: copies take turns with transforms, 2: they run beside them; 0: chosen
};

struct DistributedSettings {
  // One box a rank, the same list on every rank, or on each rank its own alone. Empty: slabs of the slowest dimension; of an
  // axis that is split, of whole rows of its second digit (output: first digit).
  std::vector<Box> in = {};
  // Likewise; empty: cut as the input is. With any_output the plan leaves the output where that is cheapest, which
  // spares an exchange; out_box(rank) then says where it is.
  std::vector<Box> out = {};
  bool any_output = false;
  // Where the longest axis has fewer lines than there are ranks it is split over them, if that is faster; with a permuted order
  // wherever it can be. It cannot where its length is prime, and then nothing is permuted. Asking for permuted order throws
  // Error where it is the halved axis of r2c or c2r, where any axis is no Fourier axis, and with boxes on that side.
  AxisOrder in_order = AxisOrder::natural, out_order = AxisOrder::natural;
  ExchangeMethod exchange = ExchangeMethod::automatic;
  // What an exchange by messages or copies is cut into, so that sending and computing overlap; 0: chosen.
  int pieces = 0;
  // Of this rank, where ranks are processes or threads: all on CPUs, or all on GPUs. Not the best one as elsewhere, because ranks
  // of a node must not all take its first GPU, and arrays in host memory are not staged.
  Device device = Device("cpu");
  CpuSettings cpu = {};  // of this rank; with threads = 0 and no executor its share of the node's cores
  RankGpuSettings gpu = {};
  // What joins the ranks, for the choice of stages and pieces: "nvlink", "nvlink3", "pcie", "infiniband", "host" or a full
  // text `links NAME ranks_per_node N node SECONDS BYTES/S network SECONDS BYTES/S`; empty: "host" with the ranks of this node.
  std::string links = {};
  std::string program = {};  // what to run, as describe() prints it; empty: what the planner chooses
};

// The arrays of one rank, where one process has all ranks. The types of elements are not checked here.
struct RankArrays {
  void const* in = nullptr;
  void* out = nullptr;
  ExecuteSettings settings = {};
};

// Seconds that one rank spent in a stage of an execution. On a CPU transforms and moves of pieces alternate; the time
// of both is divided in the ratio in which the threads spent theirs. On a GPU the times are those of the rank's stream:
// moves in other streams count as far as it waits for them, and stores of the fused exchange count as transforms.
struct StageTimes {
  double transform_seconds = 0;
  double move_seconds = 0;  // into the memory of other ranks, into messages, and out of them
  double wait_seconds = 0;  // for messages, and for the other ranks
};

// Copies share one state. One that was moved from throws Error from all functions until another is assigned to it. execute() is const
// and yet uses buffers of the plan: of one plan, and of its copies, never two executions at once.
class DistributedPlan {
 public:
  // Collective: all ranks make the same plan together. Each rank's arrays are its boxes, dense and row-major; in place, a box of
  // r2c or c2r is padded as in_place(problem) would be. Throws Error on every rank where the ranks disagree, where boxes
  // do not cover the array exactly once, and where the problem is padded, cropped, in reversed order, or has strides that are
  // neither zero nor those of dense_layout(). Arrays of f16 problems are of Half (skipper/half.h), of bf16 problems of
  // BFloat16 (skipper/bfloat16.h); what is exchanged before all axes are done is in f32.
  DistributedPlan(Problem const& problem, std::shared_ptr<Communicator> communicator,
                  DistributedSettings const& settings = {});

  // Several GPUs of this process: rank r is devices[r]. One may be named more than once. Another one in settings.device is an Error.
  DistributedPlan(Problem const& problem, std::vector<Device> const& devices,
                  DistributedSettings const& settings = {});

  // Collective. The first elements of this rank's boxes; nullptr is fine where a box is empty. In place both are one.
  // If a rank throws, the others do too. On a GPU it returns when ranks
  // have exchanged their data, and the output is there when the stream is; with messages by NCCL it only enqueues (skipper/nccl.h).
  // Types of pointers as a plan's. A workspace is taken on a GPU only.
  template <ArrayElement In, WritableElement Out>
  void execute(In* in, Out* out, ExecuteSettings const& settings = {}) const {
    run(in, element_v<In>, out, element_v<Out>, settings);
  }

  // The same, timed: returns the times of each stage on this rank. On a CPU this reads the clock twice for each piece
  // in cache. On a GPU it records events in the stream, and returns only when the output is there.
  template <ArrayElement In, WritableElement Out>
  std::vector<StageTimes> execute_timed(In* in, Out* out, ExecuteSettings const& settings = {}) const {
    return run_timed(in, element_v<In>, out, element_v<Out>, settings);
  }

  // The same of a plan that has all ranks: one entry each. It only enqueues; the output of a rank is there when its stream is.
  void execute(std::vector<RankArrays> const& ranks) const;
  std::vector<std::vector<StageTimes>> execute_timed(std::vector<RankArrays> const& ranks) const;

  // The boxes of a rank, and how many elements its arrays need, padding included. Without a rank: this process's own; of a plan
  // that has several, the first.
  Box const& in_box() const;
  Box const& out_box() const;
  Box in_box(int rank) const;
  Box out_box(int rank) const;
  std::int64_t in_elements() const;
  std::int64_t out_elements() const;
  std::int64_t in_elements(int rank) const;
  std::int64_t out_elements(int rank) const;

  // The axis that is split over ranks, if any is. On a side in permuted order boxes have its digits as two dimensions, and
  // so have the arrays: of the output [.., k1, k2, ..], of the input [.., j2, j1, ..].
  std::optional<SplitAxis> split() const;
  AxisOrder in_order() const;
  AxisOrder out_order() const;
  // Which element of the global array, dense and row-major in natural order, is element i of a rank's box, which is counted
  // row-major and without padding.
  std::int64_t in_index(std::int64_t i) const;
  std::int64_t out_index(std::int64_t i) const;
  std::int64_t in_index(int rank, std::int64_t i) const;
  std::int64_t out_index(int rank, std::int64_t i) const;

  Problem const& problem() const;
  // Memory that this process's ranks hold beyond their arrays, and what an execution may be given on a GPU.
  std::int64_t memory_bytes() const;
  std::int64_t workspace_bytes(int rank) const;
  // Exchanges of an execution, how they are done, and the bytes that this process's ranks send to others in all of them.
  int exchanges() const;
  ExchangeMethod exchange() const;
  std::int64_t sent_bytes() const;
  // The stages, one a line, as DistributedSettings::program reads them.
  std::string describe() const;

 private:
  void run(void const* in, Element in_type, void* out, Element out_type,
           ExecuteSettings const& settings) const;
  std::vector<StageTimes> run_timed(void const* in, Element in_type, void* out, Element out_type,
                                    ExecuteSettings const& settings) const;

  struct State;
  std::shared_ptr<State const> state_;
};

}  // namespace skipper
