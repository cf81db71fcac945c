// See cosines.h. With v = x[0] x[2] .. x[3] x[1] and V its transform, the cosines of x are
//   C[k] = (w^k V[k] + w^-k V[n-k]) / 2,   w = exp(-i pi / 2n),
// and back V[k] = w^-k (C[k] - i C[n-k]): without conjugates, so that both hold for complex numbers too. With C[k] divided by
// its symbol in between, w^2 alone is left. Sines are the cosines of x[0] -x[1] x[2] .., from the last to the first.
#include "plan/lower/cosines.h"

#include "plan/lower/real_processing.h"
#include "plan/lower/affine_maps.h"

namespace skipper {
namespace {

kernel::GatherIndex makhoul_permutation(Index n, bool sines) {
  kernel::GatherIndex gather_index;
  gather_index.used = true;
  gather_index.negate = sines;
  gather_index.scale = 2;
  gather_index.bend = (n + 1) / 2;
  gather_index.scale_after = -2;
  gather_index.shift_after = 2 * n - 1;
  return gather_index;
}

}  // namespace

void demand_cosines_alone(Program const& program, int s, Tile const& tile) {
  if (program.sweeps.size() > 1 || tile.transformed.size() != 1 || program.sweeps[s].cluster_ranks > 1 ||
      program.radices[tile.transformed.front().digit.dim].size() > 1)
    throw Error("program: sweep " + std::to_string(s + 1),
                "divides along a cosine axis, which it can do only alone, whole and in a block");
}

void process_fused_inverse(Program const& program, Tile const& tile, Draft& draft,
                           std::vector<RootTable>& tables) {
  DigitKey const digit = tile.transformed.front().digit;
  Dimension const& dim = program.dims[digit.dim];
  Index const n = dim.size;
  draft.symbol_hermitian = digit.dim;
  draft.hermitian.digits = 1;
  draft.hermitian.extent[0] = int(n);
  draft.conjugate_index = {index_of(tile, draft, digit, &FineDigit::k)};
  draft.hermitian.rotation = rotation_of(2 * n, 1, 0, n - 1, tables);
  for (bool const output : {false, true}) {
    Draft::PrePostProcessing& end = output ? draft.post : draft.pre;
    FineAffineMap& address = output ? draft.write : draft.read;
    end.index = index_along(program, tile, draft, digit.dim, output);
    end.side.real_axis = true;
    end.side.extent = end.side.limit = n;
    end.side.stride = output ? dim.out : dim.in;
    end.side.gather_index[0] = makhoul_permutation(n, program.factors == Factors::sines);
    for (std::size_t a = 0; a < address.tile.size(); ++a)
      if (end.index.tile[a] != 0) address.tile[a] = 0;
  }
}

}  // namespace skipper
