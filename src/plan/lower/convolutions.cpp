// See convolutions.h.
#include "plan/lower/convolutions.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/convolution_tables.h"
#include "base/numbers.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/affine_maps.h"
#include "plan/lower/pointwise.h"

namespace skipper {
namespace {

std::vector<Index> radices_by_rader(FineDigits const& fine_digits) {
  std::vector<Index> radices;
  auto const& radix_stages = fine_digits.radix_stages;
  for (std::size_t s = 0; s < radix_stages.size(); ++s)
    if (radix_stages[s].again < 0 && !fine_digits.rader_cofactor(int(s)))
      radices.push_back(radix_stages[s].radix);
  return radices;
}

RootTable chirp_of(std::vector<Index> const& lengths) {
  Index const n = std::accumulate(lengths.begin(), lengths.end(), Index(1), std::multiplies<>());
  return {n, 1, n, 1, false, TableKind::chirp, lengths};
}
RootTable spectrum_of(Index n, std::vector<Index> const& digits) {
  Index const m = std::accumulate(digits.begin(), digits.end(), Index(1), std::multiplies<>());
  return {n, 1, m, 1, false, TableKind::spectrum, digits};
}

void multiply_by_table(Draft::Pointwise& to, FineAffineMap const& at, RootTable const& table,
                       std::vector<RootTable>& tables) {
  to = {true, at, add_table(tables, table)};
}

/// After the radix stage that ends the first of the two transforms, or where partners meet then.
void middle(Tile const& tile, Draft& draft, Transformed const& t, FineAffineMap const& at,
            RootTable const& table, std::vector<RootTable>& tables) {
  for (std::size_t i = 0; i < draft.steps.size(); ++i) {
    int const radix_stage = draft.steps[i].radix_stage;
    if (radix_stage < 0 || !draft.fine_digits.first_half(radix_stage)) continue;
    if (&tile.transformed[draft.fine_digits.radix_stages[radix_stage].sub] != &t) continue;
    auto const [form, digits] = as_assigned(draft, tile, draft.steps[i].assignment, at);
    RootTable ordered = table;
    ordered.place_digits = digits;
    multiply_by_table(draft.middles[draft.hermitian.in_middle ? std::size_t(draft.hermitian.step) : i], form,
                      ordered, tables);
  }
}

}  // namespace

void demand_one_chirp(Program const& program, int s, Tile const& tile) {
  int chirps = std::any_of(tile.transformed.begin(), tile.transformed.end(),
                           [](Transformed const& t) { return t.by_bluestein(); });
  for (int dim : program.convolved) {
    auto const [first, last] = convolution_span(program, dim);
    chirps += s == first || s == last;
  }
  if (chirps > 1)
    throw Error(
        "program: sweep " + std::to_string(s + 1),
        "begins or ends the convolution of a long axis together with another; give each its own sweep");
}

void demand_rader_alone(Program const& program, int s, Tile const& tile) {
  auto const& all = tile.transformed;
  auto const own = std::find_if(all.begin(), all.end(), [](Transformed const& t) { return t.by_rader(); });
  if (own == all.end()) return;
  Transformed const& t = *own;
  auto const held = [](Carried const& c) { return c.held; };
  bool const across_cluster = program.sweeps[s].cluster_ranks > 1;
  bool const line = t.cofactor() == 1 && !real_transform_of(program, t.digit.dim) &&
                    std::none_of(tile.carried.begin(), tile.carried.end(), held);
  if (all.size() > 1 || (across_cluster && !line) || program.radices[t.digit.dim].size() > 1 ||
      is_partial(program.problem))
    throw Error("program: sweep " + std::to_string(s + 1),
                "transforms " + std::to_string(t.radix) + " points by " + std::to_string(t.by) +
                    ", which it can do only alone; pad to " + std::to_string(least_convolution(t.radix)) +
                    " or more");
}

void set_rader(Tile const& tile, Draft& draft) {
  Transformed const& t = tile.transformed.front();
  auto& p = draft.rader;
  p.rader.used = true;
  p.rader.across_cluster = draft.fine_digits.across_cluster;
  p.rader.pitch = 1;
  p.rader.prime = int(t.prime());
  p.rader.generator = int(generator(t.prime()));
  p.rader.real_rader = t.real_rader;
  bool const pre = draft.pre.side.real_axis, post = draft.post.side.real_axis;
  p.rader.read = pre ? 0 : t.read.front().stride;
  p.rader.write = post ? 0 : t.cofactor() * t.write.front().stride;
  p.entry = index_of(tile, draft, t.digit);
  p.exponent = p.line = blank(draft);
  auto const weights = exponent_weights(radices_by_rader(draft.fine_digits));
  for (std::size_t a = 0; a < draft.fine_digits.digits.size(); ++a) {
    FineDigit const& fine_digit = draft.fine_digits.digits[a];
    if (fine_digit.radix_stage < 0 || draft.fine_digits.rader_cofactor(fine_digit.radix_stage))
      p.line.tile[a] = fine_digit.apart;
    else
      p.exponent.tile[a] = (t.real_rader ? 2 : 1) * weights[fine_digit.radix_stage - (t.cofactor() > 1)] *
                           (fine_digit.j / draft.fine_digits.radix_stages[fine_digit.radix_stage].j) %
                           (t.prime() - 1);
  }
}

/// Coprime digits are negated one by one, others as the one index that they are.
void hermitian_real_rader(Tile const& tile, Draft& draft) {
  Transformed const& t = tile.transformed.front();
  auto const add = [&](Index extent) {
    draft.hermitian.extent[draft.hermitian.digits++] = int(extent);
    draft.conjugate_index.push_back(blank(draft));
  };
  if (!draft.fine_digits.coprime) add(t.by);
  auto const& radix_stages = draft.fine_digits.radix_stages;
  for (int s = 0; s < int(radix_stages.size()) && radix_stages[s].again < 0; ++s) {
    if (draft.fine_digits.coprime) add(radix_stages[s].radix);
    for (std::size_t a = 0; a < draft.fine_digits.digits.size(); ++a)
      if (FineDigit const& fine_digit = draft.fine_digits.digits[a]; fine_digit.radix_stage == s)
        draft.conjugate_index.back().tile[a] =
            draft.fine_digits.coprime ? fine_digit.k / radix_stages[s].k : fine_digit.k;
  }
}

void add_rader_table(Draft& draft, Index element, std::vector<RootTable>& tables) {
  Index const bytes = 4, p = draft.rader.rader.prime, pitch = draft.rader.rader.pitch;
  bool const across_cluster = draft.rader.rader.across_cluster, real_rader = draft.rader.rader.real_rader;
  Index const points = real_rader ? (p - 1) / 2 : p - 1;
  Index const elements = ((across_cluster ? 4 : 1) * points * bytes + element - 1) / element;
  RootTable table{p,
                  1,
                  elements,
                  pitch,
                  false,
                  across_cluster ? TableKind::routes
                  : real_rader   ? TableKind::real_rader
                                 : TableKind::rader,
                  radices_by_rader(draft.fine_digits)};
  auto const& steps = draft.steps;
  std::size_t const n = steps.size();
  if (across_cluster && (steps[1].assignment.cluster_ranks != steps[n - 2].assignment.cluster_ranks ||
                         steps[0].assignment.cluster_ranks != steps[n - 1].assignment.cluster_ranks))
    throw Error("program: tier", "this line does not come back to the blocks it came from; use another tier");
  for (int end : {0, 1})
    for (int a : steps[std::size_t(end)].assignment.cluster_ranks)
      if (across_cluster)
        table.cluster_ranks[end].push_back(
            {draft.fine_digits.digits[a].extent, draft.fine_digits.digits[a].j});
  draft.rader.rader.table = int(add_table(tables, table) * (element / bytes));
}

void add_convolutions(Program const& program, int s, Tile const& tile, Draft& draft,
                      std::vector<RootTable>& tables) {
  auto const middle_of = [&](Transformed const& t, FineAffineMap const& at, RootTable const& table) {
    middle(tile, draft, t, at, table, tables);
  };
  draft.middles.resize(draft.steps.size());
  FineAffineMap at =
      blank(draft);  // over all digits that are convolved here: one table has the products of their chirps
  std::vector<Index> lengths;
  Index unit = 1;
  for (Transformed const& t : tile.transformed) {
    if (t.by_rader() && draft.fine_digits.by_rader)
      for (TableKind kind : t.real_rader ? std::vector{TableKind::partner_spectrum, TableKind::own_spectrum}
                                         : std::vector{TableKind::rader_spectrum})
        middle_of(t, index_of(tile, draft, t.digit, &FineDigit::k),
                  {t.prime(), 1, t.by / t.cofactor(), 1, false, kind, radices_by_rader(draft.fine_digits)});
    if (t.by_bluestein()) {
      add(at, index_of(tile, draft, t.digit), unit);
      lengths.push_back(t.radix);
      unit *= t.radix;
      middle_of(t, index_of(tile, draft, t.digit, &FineDigit::k), spectrum_of(t.radix, {t.by}));
    }
    if (t.phase == ConvolutionPhase::middle && !tile.fused_inverse)
      middle_of(t, axis_index(program, tile, draft, t.digit.dim, &FineDigit::k),
                spectrum_of(core(program, t.digit.dim), program.radices[t.digit.dim]));
  }
  if (!lengths.empty()) {
    multiply_by_table(draft.load_factor, at, chirp_of(lengths), tables);
    multiply_by_table(draft.store_factor, at, chirp_of(lengths), tables);
  }
  for (int dim : program.convolved) {
    auto const [first, last] = convolution_span(program, dim);
    RootTable const chirp = chirp_of({core(program, dim)});
    if (s == first)
      multiply_by_table(draft.load_factor, axis_index(program, tile, draft, dim, &FineDigit::j), chirp,
                        tables);
    if (s == last)
      multiply_by_table(draft.store_factor, axis_index(program, tile, draft, dim, &FineDigit::k), chirp,
                        tables);
  }
}

}  // namespace skipper
