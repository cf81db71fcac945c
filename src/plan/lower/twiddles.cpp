// See twiddles.h.
#include "plan/lower/twiddles.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <tuple>

#include "plan/lower/configuration.h"
#include "plan/lower/real_processing.h"
#include "plan/lower/affine_maps.h"
#include "plan/lower/pointwise.h"

namespace skipper {
namespace {

class Twiddles {
 public:
  Twiddles(Program const& program, int s, Tile const& tile, std::vector<int> const& late, Draft& draft,
           std::vector<RootTable>& tables)
      : program_(program), s_(s), tile_(tile), late_(late), draft_(draft), tables_(tables) {}

  void twiddle(int i) {
    draft_.twiddles.emplace_back();
    if (late_[i] >= 0) between(late_[i]);
    int const number = draft_.steps[i].radix_stage;
    if (number < 0) return;
    RadixStage const& radix_stage = draft_.fine_digits.radix_stages[number];
    if (draft_.fine_digits.rader_cofactor(number)) return beside(radix_stage);
    bool const waits = std::find(late_.begin(), late_.end(), radix_stage.sub) != late_.end();
    if (radix_stage.last && !waits) between(radix_stage.sub);
    if (!radix_stage.last && !draft_.fine_digits.first_half(number))
      within(radix_stage, number, draft_.steps[i].assignment);
  }

 private:
  /// Between what is beside the prime that Rader transforms and the prime: w^(k1 j2), where j2 is 1 and more.
  void beside(RadixStage const& radix_stage) {
    auto& t = draft_.twiddles.back();
    t.kind = twiddling_of(program_, tile_, draft_.fine_digits, 0);
    t.k = blank(draft_);
    t.low = draft_.rader.entry;
    t.rows = tile_.transformed.front().prime();
    bool const large = t.kind == kernel::Twiddling::chain;
    t.table = 1 + int(add_table(tables_,
                                {t.rows * radix_stage.radix,
                                 large ? kernel::log2_of(radix_stage.radix - 1) + 1 : radix_stage.radix - 1,
                                 t.rows, 1, large}));
  }

  /// Within a sub-transform: w^(k low) where low counts the radix stages still to come; in the second transform of a
  /// convolution these are the ones before in the first, and its table stands as it is assigned, since low has its digits
  /// reversed.
  void within(RadixStage const& radix_stage, int number, FineAssignment const& assignment) {
    bool const back = radix_stage.again >= 0;
    int const home = draft_.fine_digits.home(number);
    auto& t = draft_.twiddles.back();
    t.kind = twiddling_of(program_, tile_, draft_.fine_digits, number);
    if (t.kind == kernel::Twiddling::none) return;
    t.k = t.low = blank(draft_);
    for (std::size_t a = 0; a < draft_.fine_digits.digits.size(); ++a) {
      FineDigit const& fine_digit = draft_.fine_digits.digits[a];
      bool const later = back ? fine_digit.radix_stage < home : fine_digit.radix_stage > home;
      if (fine_digit.radix_stage >= 0 && later &&
          draft_.fine_digits.radix_stages[fine_digit.radix_stage].sub == radix_stage.sub)
        t.low.tile[a] = back ? fine_digit.k : fine_digit.j;
    }
    Index const rows = t.rows = back ? radix_stage.k : radix_stage.j;
    bool const large = t.kind == kernel::Twiddling::chain;
    RootTable table{rows * radix_stage.radix,
                    large ? kernel::log2_of(radix_stage.radix - 1) + 1 : radix_stage.radix - 1, rows, 1,
                    large};
    if (back) {
      std::tie(t.low, table.place_digits) = as_assigned(draft_, tile_, assignment, t.low);
      table.place_digits.push_back({table.rows, table.columns});
    }
    t.table = int(add_table(tables_, table));
  }

  /// Between sub-transforms of an axis: w^(K low) where low counts the digits of later sweeps (or later in this).
  /// Those are the ones behind; on the way back of a convolved axis the ones in front.
  void between(int sub) {
    Transformed const& t_sub = tile_.transformed[sub];
    DigitKey const digit = t_sub.digit;
    auto const& radices = program_.radices[digit.dim];
    bool const back = t_sub.phase != ConvolutionPhase::forward;
    if (back ? digit.part == 0 : digit.part + 1 == int(radices.size())) return;
    auto& t = draft_.twiddles.back();
    t.kind = kernel::Twiddling::two_level;
    t.k = index_of(tile_, draft_, digit, t_sub.transforms_twice() ? &FineDigit::j : &FineDigit::k);
    t.low = blank(draft_);
    auto const columns = columns_in(program_, s_);
    if (columns) {  // by now the highest fine digit tells two columns apart
      t.k = draft_.conjugate_index.front();
      t.low = draft_.parity;
    }
    Index weight = 1;
    for (int i = back ? 0 : int(radices.size()) - 1; i != digit.part; i += back ? 1 : -1) {
      add(t.low, index_of(tile_, draft_, {digit.dim, i}), weight);
      weight *= radices[i];
    }
    Index const order = weight * radices[digit.part];
    t.shift = std::bit_width(std::uint64_t(order)) / 2;
    // Threads beyond a ragged edge compute too, though their results are not stored: the table must reach them.
    Index const last = reach(tile_, draft_, t.k) + (columns ? 1 : 0);
    Index const most = last * reach(tile_, draft_, t.low);
    t.table = int(add_table(tables_, {order, 1, (most >> t.shift) + 1, Index(1) << t.shift, false}));
    t.table_low = int(add_table(tables_, {order, 1, Index(1) << t.shift, 1, false}));
  }

  Program const& program_;
  int s_;
  Tile const& tile_;
  std::vector<int> const& late_;
  Draft& draft_;
  std::vector<RootTable>& tables_;
};

}  // namespace

void add_twiddles(Program const& program, int s, Tile const& tile, std::vector<int> const& late, Draft& draft,
                  std::vector<RootTable>& tables) {
  Twiddles twiddles(program, s, tile, late, draft, tables);
  for (int i = 0; i < int(draft.steps.size()); ++i) twiddles.twiddle(i);
}

}  // namespace skipper
