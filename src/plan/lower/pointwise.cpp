// See pointwise.h.
#include "plan/lower/pointwise.h"

#include "plan/lower/affine_maps.h"

namespace skipper {
namespace {

/// An affine map over what a fused inverse has in its middle, by the stride of each digit times its unit.
template <class Stride>
FineAffineMap assigned(Draft const& draft, Tile const& tile, Stride const& stride) {
  FineAffineMap at = blank(draft);
  for (std::size_t a = 0; a < at.tile.size(); ++a) {
    FineDigit const& fine_digit = draft.fine_digits.digits[a];
    at.tile[a] =
        fine_digit.radix_stage < 0
            ? stride(tile.carried[fine_digit.carried].piece.digit, fine_digit.unit)
            : stride(tile.transformed[draft.fine_digits.radix_stages[fine_digit.radix_stage].sub].digit,
                     fine_digit.k);
  }
  for (std::size_t g = 0; g < at.grid.size(); ++g) {
    Piece const& piece = tile.carried[draft.grid[g]].piece;
    at.grid[g] = stride(piece.digit, piece.unit);
  }
  return at;
}

bool goes_back(Draft const& draft, std::size_t step) {
  int const radix_stage = draft.steps[step].radix_stage;
  return radix_stage >= 0 && draft.fine_digits.radix_stages[radix_stage].again >= 0;
}

}  // namespace

void add_meeting(Draft& draft, std::vector<int>& late) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < draft.steps.size(); ++i)
    if (int const radix_stage = draft.steps[i].radix_stage;
        radix_stage >= 0 && draft.fine_digits.radix_stages[radix_stage].again < 0)
      last = i;
  AssignedStep const meeting{draft.steps[last].assignment, -1};
  draft.steps.insert(draft.steps.begin() + std::ptrdiff_t(last) + 1, meeting);
  late.insert(late.begin() + std::ptrdiff_t(last) + 1, -1);
  draft.hermitian.used = draft.hermitian.in_middle = true;
  draft.hermitian.step = int(last) + 1;
}

std::pair<FineAffineMap, std::vector<TableDigit>> as_assigned(Draft const& draft, Tile const& tile,
                                                              FineAssignment const& assignment,
                                                              FineAffineMap const& at) {
  FineAffineMap form = blank(draft);
  std::vector<TableDigit> digits;
  Index unit = 1;
  auto const go = [&](Index& to, Index step, Index extent) {
    if (step == 0) return;
    digits.push_back({extent, step});
    to = std::exchange(unit, unit * extent);
  };
  for (auto const* fine_digits : {&assignment.threads, &assignment.registers, &assignment.cluster_ranks})
    for (int a : *fine_digits) go(form.tile[a], at.tile[a], draft.fine_digits.digits[a].extent);
  for (std::size_t g = 0; g < at.grid.size(); ++g)
    go(form.grid[g], at.grid[g], tile.carried[draft.grid[g]].piece.extent);
  return {form, digits};
}

std::vector<TableDigit> set_middle(Program const& program, Tile const& tile, Draft& draft) {
  std::size_t step = 0;
  while (step + 1 < draft.steps.size() && !goes_back(draft, step + 1)) ++step;
  Draft::Pointwise& to = draft.middles[step];
  to.needed = to.given = true;
  std::vector<Dimension> const dims = dimensions(program.problem);  // of the spectrum, dense
  auto const index = [&](DigitKey digit, Index unit) {
    return unit * (digit.part < 0 ? 1 : index_weight(program, digit, true));
  };
  if (divides(program.factors)) {
    to.at = blank(draft);
    for (int d = 0; d < int(dims.size()); ++d)
      draft.symbol.push_back(assigned(
          draft, tile, [&](DigitKey digit, Index unit) { return digit.dim == d ? index(digit, unit) : 0; }));
    return {};
  }
  FineAffineMap const at = assigned(draft, tile, [&](DigitKey digit, Index unit) {
    Dimension const& dim = dims[digit.dim];
    if (!dim.axis && program.factors == Factors::shared) return Index(0);
    return index(digit, unit) * dim.out;
  });
  auto const [form, digits] = as_assigned(draft, tile, draft.steps[step].assignment, at);
  to.at = form;
  return digits;
}

}  // namespace skipper
