// A distributed program: stages with exchanges between them. In a stage every rank transforms its box along axes that it has
// whole; the exchange then fills the boxes of the next stage. The first stage has the input's boxes, the last
// one's are the output's. One canonical text, a line a stage:
//
//   c2c f32 forward 512x512x512 over 8 ranks
//   grid 8x1x1 axes 1,2
//   grid 1x8x1 axes 0
//
// A round trip is forward, pointwise, inverse: once all axes are done, the caller acts on the spectrum, and further stages undo the
// axes. The middle stage does both the last axes forward and the first ones inverse, so that slabs need only two exchanges:
//
//   r2c f32 forward 512x512x512 over 8 ranks
//   grid 8x1x1 axes 1,2
//   grid 1x8x1 axes 0 back 0
//   grid 8x1x1 back 1,2
//
// An axis that is split over ranks (split.h) counts as two axes, with twiddles between them. Here the spectrum stays permuted,
// which saves an exchange:
//
//   c2c f32 forward 1048576 over 8 ranks split 0 1024x1024 permuted_out
//   grid 8x1
//   grid 1x8 axes 0
//   grid 8x1 axes 1
//
// Callers' boxes that are not boxes of digits belong to a first or a last stage, which has the axis as one:
//
//   boxes 0+5;5+11        a box a rank, first index + size
//   grid 2x1
#pragma once

#include <skipper/problem.h>

#include <string>
#include <string_view>
#include <vector>

#include "distributed/distribution.h"
#include "distributed/local_problem.h"
#include "distributed/split.h"

namespace skipper::distributed {

struct Stage {
  Distribution cut;                    // of the array as it comes in
  std::vector<std::size_t> axes;       // of the problem, ascending; none: the stage only holds data
  std::vector<std::size_t> back = {};  // that are undone, after `axes`; ascending

  bool computes() const { return !axes.empty() || !back.empty(); }
  bool operator==(Stage const&) const = default;
};

struct Program {
  Problem problem;  // of the global arrays, of digits where an axis is split; strides mean nothing
  Index ranks = 1;
  std::vector<Stage> stages;
  Index pieces = 1;  // of each exchange by messages
  std::optional<Split> split = {};

  int exchanges() const { return int(stages.size()) - 1; }
  bool is_round_trip() const;
  bool operator==(Program const&) const = default;
};

/// The user's problem, in which a split axis is one.
Problem whole_problem(Program const& program);

/// Whether a stage's cut is of the axis that is split as one. The first's or the last's may be; they, and the stage beside
/// them, only hold data.
bool is_of_axis(Program const& program, std::size_t stage);

/// Both sides of the exchange behind a stage as cuts of one array: of the axis where one of them is, else of its digits.
Distribution sent_cut(Program const& program, std::size_t stage);
Distribution received_cut(Program const& program, std::size_t stage);

/// The order of the dimensions, slowest first, in which data wait for the stage behind that exchange, if they are not
/// to be in the usual one: in that of callers' outputs where they are only handed on to these.
std::vector<std::size_t> waiting_order(Program const& program, std::size_t stage);

/// Whether a stage leaves data that are to be multiplied by twiddles: it transforms the first digit.
bool is_twiddled(Program const& program, std::size_t stage);

/// A rank's box of the input or the output in the caller's array.
Box caller_box(Program const& program, bool input, Index rank);

/// The problem dense, and out of place unless it has one stage.
Program program_of(Problem const& problem, Index ranks, std::vector<Stage> stages, Index pieces = 1);

/// Sizes of the array, batch and axes, once these axes are done.
std::vector<Index> sizes_after(Problem const& problem, std::vector<bool> const& done);

/// The axes that are done when a stage begins.
std::vector<bool> done_before(Program const& program, std::size_t stage);

/// The middle stage of a round trip, in which the spectrum is complete.
std::size_t middle_stage(Program const& program);

/// Whether elements are complex then, and their bytes. What f16 and bf16 problems have between their axes is in f32, as between the
/// sweeps of one device: rounded to 16 bits there, numbers would lose digits, and overflow before the last stage scales them.
bool is_complex(Problem const& problem, std::vector<bool> const& done);
Index element_bytes(Problem const& problem, std::vector<bool> const& done);

/// The boxes in which a stage leaves the data.
Distribution cut_after(Program const& program, std::size_t stage);

/// A transform along some axes of a part of the array that has them whole, all other dimensions as batch. `done`: the axes
/// that are, before it. back: it undoes them, scaled so that there and back is the identity. Strides are those given for the
/// dimensions of the array, on either side.
struct Along {
  std::vector<std::size_t> axes;
  std::vector<bool> done;
  bool back = false;
};
Problem part_problem(Problem const& global, Along const& along, std::vector<Index> const& sizes,
                     std::vector<Index> const& in_strides, std::vector<Index> const& out_strides);

/// The problem that a rank computes in a stage, or on a part of its box that has the stage's axes whole; not for the
/// middle stage of a round trip. The scale of the problem is in the last stage that transforms.
LocalProblem local_problem(Program const& program, std::size_t stage, std::vector<Index> const& sizes,
                           std::vector<Index> const& in_strides, std::vector<Index> const& out_strides);

/// Bytes of an element as a stage takes it in, and as it leaves it.
Index in_element_bytes(Program const& program, std::size_t stage);
Index out_element_bytes(Program const& program, std::size_t stage);

/// Throws Error unless each axis is transformed once, where it is whole, the halved axis before other Fourier axes (r2c) or
/// last (c2r); and in a round trip undone once, after all are done, in the same ways.
void check(Program const& program);

/// The problem in the form that distributed plans use. Throws Error where they cannot compute it.
void check_distributable(Problem const& problem);

std::string text(Program const& program);
/// Throws Error. The result has passed check().
Program parse_program(std::string_view text);
/// Throws Error, too, where it is of another problem, or for other ranks.
Program parse_program(std::string_view text, Problem const& problem, Index ranks);

}  // namespace skipper::distributed
