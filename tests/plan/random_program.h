// Random programs that check() accepts but that no planner would choose: any radices, any factorisation to sweeps, layouts
// shuffled and cut, tiles that hold whatever can be held.
#pragma once

#include <utility>

#include "base/numbers.h"
#include "plan/planner.h"
#include "plan/random_problem.h"
#include "plan/tile.h"

namespace skipper::testing {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  Program operator()(Index max_points) {
    Problem const problem = random_(max_points);
    int const sweeps = points(problem) == 1 ? 1 : 1 + int(random_.below(4));
    Program program{problem, dimensions(problem), {}, std::vector<Sweep>(std::size_t(sweeps))};
    for (Dimension const& d : program.dims) program.radices.push_back(d.axis ? cut(d.size) : whole(d.size));
    factorisation(program);
    std::vector<Index> cuts;  // one a digit: layouts that cut it elsewhere could not follow each other
    for (Piece const& p : all_digits(program)) cuts.push_back(divisor(p.extent));
    for (int s = 0; s + 1 < sweeps; ++s) program.sweeps[std::size_t(s)].layout = layout(program, cuts);
    for (int s = 0; s < sweeps; ++s) hold(program, s);
    assign_buffers(program);
    return program;
  }

  RandomProblem& random() { return random_; }

 private:
  static std::vector<Index> whole(Index size) {
    return size > 1 ? std::vector<Index>{size} : std::vector<Index>{};
  }

  /// The primes of an axis, in a random order, multiplied up to a few radices.
  std::vector<Index> cut(Index size) {
    std::vector<Index> primes;
    for (Factor const& f : factorise(size)) primes.insert(primes.end(), std::size_t(f.power), f.prime);
    shuffle(primes);
    Index const glue = 1 + random_.below(4);  // one in so many primes begins a radix of its own
    std::vector<Index> radices;
    for (Index p : primes)
      if (radices.empty() || random_.chance(glue))
        radices.push_back(p);
      else
        radices.back() *= p;
    return radices;
  }

  void factorisation(Program& program) {
    std::vector<int> part(program.dims.size(), 0);
    std::size_t const sweeps = program.sweeps.size();
    for (std::size_t s = 0; s < sweeps; ++s)
      for (std::size_t d = 0; d < program.dims.size(); ++d)
        while (program.dims[d].axis && part[d] < int(program.radices[d].size()) &&
               (s + 1 == sweeps || random_.chance(2)))
          program.sweeps[s].transforms.push_back({int(d), part[d]++});
  }

  std::vector<Piece> layout(Program const& program, std::vector<Index> const& cuts) {
    std::vector<Piece> pieces;
    std::size_t i = 0;
    for (Piece const& p : all_digits(program)) {
      Index const cut = cuts[i++], low = random_.chance(3) ? cut : p.extent;
      if (low > 1) pieces.push_back({p.digit, 1, low});
      if (low < p.extent) pieces.push_back({p.digit, low, p.extent / low});
    }
    if (!random_.chance(3)) shuffle(pieces);
    return pieces;
  }

  void hold(Program& program, int s) {
    auto& with = program.sweeps[std::size_t(s)].with;
    int ragged = 0;
    for (Carried const& c : tile_of(program, s).carried) {
      if (random_.chance(2)) continue;
      Index const whole_digit =
          program.radices[std::size_t(c.piece.digit.dim)][std::size_t(c.piece.digit.part)];
      bool const anywhere =
          c.piece.unit == 1 && c.piece.extent == whole_digit && ragged < 2 && random_.chance(2);
      Index const share = anywhere ? 1 + random_.below(c.piece.extent) : divisor(c.piece.extent);
      ragged += c.piece.extent % share != 0;
      if (share > 1) with.push_back({c.piece.digit, c.piece.unit, share});
    }
  }

  Index divisor(Index n) {
    auto const all = divisors(n);
    return all[std::size_t(random_.below(Index(all.size())))];
  }

  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[std::size_t(random_.below(Index(i)))]);
  }

  RandomProblem random_;
};

}  // namespace skipper::testing
