// Lines of a short prime length in one pass whose outputs fill the lanes (variant/symmetric_prime.h).
#include <algorithm>

#include "base/roots.h"
#include "cpu/line.h"
#include "cpu/symmetric_prime.h"

namespace skipper::cpu {

template <class T>
std::vector<T> symmetric_pass_weights(Index radix) {
  Index const h = radix / 2;
  auto const w = roots<double>(radix, radix);
  std::vector<T> table;
  for (Index block = 1; block <= h; block += 4)
    for (bool sine : {false, true})
      for (Index j = 1; j <= h; ++j)
        for (Index k = block; k < block + 4; ++k) {
          auto const root = w[j * k % radix];
          table.push_back(static_cast<T>(sine ? -root.imag() : root.real()));
        }
  return table;
}

template <class T>
std::vector<T> symmetric_line_weights(Index radix, Index lanes, Direction direction) {
  Index const h = radix / 2, last = std::max<Index>(h - lanes + 1, 1),
              depth = (h + lanes - 1) / lanes * lanes;
  double const sign = direction == Direction::forward ? -1 : 1;
  auto const w = roots<double>(radix, radix);
  std::vector<T> table;
  for (Index pair = 1; pair <= h; pair += 2 * lanes)
    for (Index j = 1; j <= depth; ++j)
      for (bool sine : {false, true})
        for (Index first : {std::min(pair, last), std::min(pair + lanes, last)})
          for (Index k = first; k < first + lanes; ++k) {
            auto const root = w[j * k % radix];
            table.push_back(static_cast<T>(sine ? sign * root.imag() : root.real()));
          }
  return table;
}

namespace {

template <class T>
class SymmetricPrimeLine final : public Line<T> {
 public:
  SymmetricPrimeLine(LineSpec const& spec, TableMaker& tables)
      : n_(spec.n),
        scale_(spec.scale),
        pass_(tables.kernels.table[0].symmetric_prime.line),
        weights_(symmetric_line_weights<T>(spec.n, tables.kernels.table[0].lanes, spec.direction)) {}

  Index buffer_size(Index, Index) const override { return 0; }
  std::string text() const override { return std::to_string(n_); }

  void run(Tile<T> const& tile) const override {
    BoundPass const b = bound(tile);
    b.pass(b.args, tile.in, tile.out);
  }
  bool bind(TileLayout const& shape, std::vector<BoundPass>& all) const override {
    all.push_back(bound(shape));
    return true;
  }

 private:
  BoundPass bound(TileLayout const& shape) const {
    BoundPass b;
    b.pass = pass_;
    b.args.radix = n_;
    b.args.weights = weights_.data();
    b.args.scale = scale_;
    b.args.in_step = shape.in_step;
    b.args.lines = shape.lines;
    b.args.in_line = shape.in_line, b.args.out_line = shape.out_line;
    return b;
  }

  Index n_;
  double scale_;
  Pass pass_;
  std::vector<T> weights_;
};

}  // namespace

template <class T>
std::unique_ptr<Line<T> const> make_symmetric_prime_line(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<SymmetricPrimeLine<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_symmetric_prime_line(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_symmetric_prime_line(LineSpec const&, TableMaker&);
template std::vector<float> symmetric_pass_weights(Index);
template std::vector<double> symmetric_pass_weights(Index);

}  // namespace skipper::cpu
