// A short prime length in one pass, its own outputs filling the lanes (variant/odd.h).
#include <algorithm>

#include "base/roots.h"
#include "cpu/line.h"
#include "cpu/odd.h"

namespace skipper::cpu {

template <class T>
std::vector<T> odd_pass_weights(Index radix) {
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
std::vector<T> odd_line_weights(Index radix, Index lanes, Direction direction) {
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
class OddLine final : public Line<T> {
 public:
  OddLine(LineSpec const& spec, TableMaker& tables)
      : n_(spec.n),
        scale_(spec.scale),
        pass_(tables.kernels.table[0].odd.line),
        weights_(odd_line_weights<T>(spec.n, tables.kernels.table[0].lanes, spec.direction)) {}

  Index buffer_size(Index, Index) const override { return 0; }
  std::string text() const override { return std::to_string(n_); }

  void run(Tile<T> const& tile) const override {
    Bound const b = bound(tile);
    b.pass(b.args, tile.in, tile.out);
  }
  bool bind(Shape const& shape, std::vector<Bound>& all) const override {
    all.push_back(bound(shape));
    return true;
  }

 private:
  Bound bound(Shape const& shape) const {
    Bound b;
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
std::unique_ptr<Line<T> const> make_odd_line(LineSpec const& spec, TableMaker& tables) {
  return std::make_unique<OddLine<T>>(spec, tables);
}
template std::unique_ptr<Line<float> const> make_odd_line(LineSpec const&, TableMaker&);
template std::unique_ptr<Line<double> const> make_odd_line(LineSpec const&, TableMaker&);
template std::vector<float> odd_pass_weights(Index);
template std::vector<double> odd_pass_weights(Index);

}  // namespace skipper::cpu
