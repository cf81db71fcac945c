// Prints programs, in the papers' notation with what our sweeps add to it:
//   {X(1,256,1,256,no-tw), Y(4,64,4,256,tw)} with B%2 on block tile 128KB segments 2KB/128B in -> work [Y1 X Z Y2]
// Two sweeps that go through L2 in L2 blocks of 16 MB, two at once, say `l2_block 2x16MB in -> l2_buffer` and `l2_buffer -> out`.
// A product with the matrix is X(1,59,1,59,no-tw,by 59), a convolution on chip X(1,1009,1,1009,no-tw,by 2048); over
// sweeps its middle says convolve, the way back back.
#include <algorithm>

#include "plan/memory_units.h"
#include "plan/program.h"
#include "plan/tile.h"

namespace skipper {

std::string_view name(Tier tier) {
  switch (tier) {
    case Tier::thread:
      return "thread";
    case Tier::block:
      return "block";
    case Tier::cluster:
      return "cluster";
  }
  return "?";
}

std::string_view name(Buffer buffer) {
  switch (buffer) {
    case Buffer::in:
      return "in";
    case Buffer::out:
      return "out";
    case Buffer::work:
      return "work";
    case Buffer::work2:
      return "work2";
    case Buffer::l2_buffer:
      return "l2_buffer";
  }
  return "?";
}

std::string bytes_text(Index bytes) {
  if (bytes >= mb && bytes % mb == 0) return std::to_string(bytes / mb) + "MB";
  if (bytes >= kb && bytes % kb == 0) return std::to_string(bytes / kb) + "KB";
  return std::to_string(bytes) + "B";
}

std::string text(SubTransform const& s) {
  std::string out = "(";
  for (Index n : {s.count, s.radix, s.stride, s.span}) out += std::to_string(n) + ",";
  out += s.twiddled ? "tw" : "no-tw";
  if (s.by) out += ",by " + std::to_string(s.by);
  if (s.phase != ConvolutionPhase::forward)
    out += s.phase == ConvolutionPhase::middle ? ",convolve" : ",back";
  return out + ")";
}

std::string digit_text(Program const& program, DigitKey digit) {
  std::string const& name = program.dims[digit.dim].name;
  if (digit.part < 0) return name + "*";
  return program.radices[digit.dim].size() == 1 ? name : name + std::to_string(digit.part + 1);
}

std::string text(Program const& program, Piece const& piece) {
  Index const whole = extent_of(program, piece.digit);
  std::string out = digit_text(program, piece.digit);
  if (piece.unit > 1) out += "/" + std::to_string(piece.unit);
  if (piece.unit * piece.extent < whole) out += "%" + std::to_string(piece.extent);
  return out;
}

std::string text(Program const& program, int s, Tile const& tile) {
  Sweep const& sweep = program.sweeps[s];
  Index const element = element_bytes(program.problem);
  std::string out = "{";
  for (DigitKey d : sweep.transforms) {
    if (out.size() > 1) out += ", ";
    out += program.dims[d.dim].name + text(sub_transform(program, d, phase_of(program, s, d)));
  }
  out += "}";
  if (!sweep.with.empty()) out += " with";
  for (Piece const& p : sweep.with) out += " " + text(program, p);
  out += " on " + std::string(name(sweep.tier));
  if (sweep.tier == Tier::cluster) out += " of " + std::to_string(sweep.cluster_ranks);
  out += " tile " + bytes_text(tile_points(tile) * element) + " segments " +
         bytes_text(read_segment(tile) * tile.read_bytes) + "/" +
         bytes_text(write_segment(tile) * tile.write_bytes);
  if (sweep.l2_block)
    out += " l2_block " + (sweep.streams > 1 ? std::to_string(sweep.streams) + "x" : "") +
           bytes_text(sweep.l2_block) + (sweep.fused ? " fused" : "");
  out += " " + std::string(name(sweep.from)) + " -> " + std::string(name(sweep.to));
  if (sweep.layout.empty()) return out;
  out += " [";
  for (Piece const& p : sweep.layout) out += (out.back() == '[' ? "" : " ") + text(program, p);
  return out + "]";
}

std::string text(Program const& program) {
  std::string out = text(program.problem) + "\n";
  for (int s = 0; s < int(program.sweeps.size()); ++s) out += text(program, s, tile_of(program, s)) + "\n";
  return out;
}

}  // namespace skipper
