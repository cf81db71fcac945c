// FFTW's MPI interface against the definitions, on as many processes as there are: every process has the whole arrays in wide
// numbers, and compares its block of the result.
#include "include/fftw3-mpi.h"

#include <algorithm>
#include <cstdlib>

#include "check.h"
#include "names.h"
#include "reference.h"
#include "support/quick.h"

namespace skipper::fftw3::testing {
namespace {

struct Case {
  Kind kind = Kind::c2c;
  std::vector<std::ptrdiff_t> n;
  std::ptrdiff_t howmany = 1;
  unsigned flags = 0;
  bool in_place = false;
  int sign = -1;
  std::vector<FftwKind> kinds = {};
  std::ptrdiff_t block0 = 0, block1 = 0;

  bool halved() const { return kind == Kind::r2c || kind == Kind::c2r; }
  bool real(bool out) const { return kind == Kind::r2r || (out ? kind == Kind::c2r : kind == Kind::r2c); }
  bool transposed(bool out) const { return flags & (out ? FFTW_MPI_TRANSPOSED_OUT : FFTW_MPI_TRANSPOSED_IN); }
};

std::string text(Case const& c) {
  std::string result = std::to_string(int(c.kind)) + " of";
  for (std::ptrdiff_t n : c.n) result += " " + std::to_string(n);
  for (FftwKind kind : c.kinds) result += " k" + std::to_string(int(kind));
  return result + " x " + std::to_string(c.howmany) + (c.transposed(false) ? " transposed in" : "") +
         (c.transposed(true) ? " transposed out" : "") + (c.in_place ? " in place" : "") + " blocks " +
         std::to_string(c.block0) + " " + std::to_string(c.block1);
}

Layout layout_of(Case const& c) {
  Layout layout;
  layout.kind = c.kind;
  layout.sign = c.sign;
  layout.batch = {{c.howmany, 0, 0}};
  for (std::ptrdiff_t n : c.n) layout.axes.push_back({n, 0, 0});
  for (FftwKind kind : c.kinds) layout.kinds.push_back(int(kind));
  return layout;
}

/// What a process has of each side.
struct Block {
  std::ptrdiff_t alloc = 0;          // elements
  std::ptrdiff_t size[2], first[2];  // by side
  Block(Case const& c) {
    std::vector<std::ptrdiff_t> n = c.n;
    if (c.halved()) n.back() = n.back() / 2 + 1;
    std::ptrdiff_t n0, first0, n1, first1;
    if (n.size() == 1) {
      alloc = MPI_NAME(local_size_many_1d)(n[0], c.howmany, MPI_COMM_WORLD, c.sign, c.flags, &size[0],
                                           &first[0], &size[1], &first[1]);
      return;
    }
    alloc = MPI_NAME(local_size_many_transposed)(int(n.size()), n.data(), c.howmany, c.block0, c.block1,
                                                 MPI_COMM_WORLD, &n0, &first0, &n1, &first1);
    for (int side = 0; side < 2; ++side) {
      size[side] = c.transposed(side) ? n1 : n0;
      first[side] = c.transposed(side) ? first1 : first0;
    }
  }
};

/// Where FFTW has an element in its process's array, in elements; -1 where another process has it. The index is batch, then axes.
std::ptrdiff_t place(Case const& c, Block const& block, bool out, std::vector<Index> index) {
  std::size_t const rank = c.n.size(), cut = c.transposed(out) ? 1 : 0;
  std::vector<Index> sizes(c.n.begin(), c.n.end());
  if (c.halved()) sizes.back() = c.real(out) ? 2 * (c.n.back() / 2 + 1) : c.n.back() / 2 + 1;
  std::vector<Index> at(index.begin() + 1, index.end());
  at[cut] -= block.first[out];
  if (at[cut] < 0 || at[cut] >= block.size[out]) return -1;
  sizes[cut] = block.size[out];
  if (c.transposed(out)) std::swap(sizes[0], sizes[1]), std::swap(at[0], at[1]);
  Index result = 0;
  for (std::size_t i = 0; i < rank; ++i) result = result * sizes[i] + at[i];
  return result * c.howmany + index[0];
}

FftwPlan plan_of(Case const& c, Real* in, Real* out) {
  auto* const complex_in = reinterpret_cast<FftwComplex*>(in);
  auto* const complex_out = reinterpret_cast<FftwComplex*>(out);
  int const rank = int(c.n.size());
  std::ptrdiff_t const iblock = c.transposed(false) ? c.block1 : c.block0,
                       oblock = c.transposed(true) ? c.block1 : c.block0;
  unsigned const flags = c.flags | FFTW_ESTIMATE;
  switch (c.kind) {
    case Kind::c2c:
      return MPI_NAME(plan_many_dft)(rank, c.n.data(), c.howmany, iblock, oblock, complex_in, complex_out,
                                     MPI_COMM_WORLD, c.sign, flags);
    case Kind::r2c:
      return MPI_NAME(plan_many_dft_r2c)(rank, c.n.data(), c.howmany, iblock, oblock, in, complex_out,
                                         MPI_COMM_WORLD, flags);
    case Kind::c2r:
      return MPI_NAME(plan_many_dft_c2r)(rank, c.n.data(), c.howmany, iblock, oblock, complex_in, out,
                                         MPI_COMM_WORLD, flags);
    case Kind::r2r:
      return MPI_NAME(plan_many_r2r)(rank, c.n.data(), c.howmany, iblock, oblock, in, out, MPI_COMM_WORLD,
                                     c.kinds.data(), flags);
  }
  return nullptr;
}

void put(Case const& c, Block const& block, std::vector<WideComplex> const& values, Layout const& layout,
         Real* at) {
  auto const all = places(layout, false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ptrdiff_t const here = place(c, block, false, all[i].index);
    if (here < 0) continue;
    if (c.real(false)) {
      at[here] = Real(values[i].real());
    } else {
      at[2 * here] = Real(values[i].real());
      at[2 * here + 1] = Real(values[i].imag());
    }
  }
}

/// What was compared, and the squares of this process's share of the differences and of the results, two for each.
std::vector<std::string> compared;
std::vector<double> squares;

void compare(Case const& c, Block const& block, std::vector<WideComplex> const& wanted, Layout const& layout,
             Real const* at, char const* how) {
  auto const all = places(layout, true);
  double sums[2] = {0, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ptrdiff_t const here = place(c, block, true, all[i].index);
    if (here < 0) continue;
    WideComplex const got =
        c.real(true) ? WideComplex(at[here]) : WideComplex(at[2 * here], at[2 * here + 1]);
    sums[0] += double(std::norm(got - wanted[i]));
    sums[1] += double(std::norm(wanted[i]));
  }
  compared.push_back(text(c) + " " + how);
  squares.insert(squares.end(), sums, sums + 2);
}

/// What all processes together make of compare(), at once: each of them would wait for the others at every single result.
void expect_small_errors() {
  MPI_Allreduce(MPI_IN_PLACE, squares.data(), int(squares.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < compared.size(); ++i) {
    double const wrong = std::sqrt(squares[2 * i]), norm = std::sqrt(squares[2 * i + 1]);
    expect(wrong <= 4 * tolerance * norm,
           compared[i] + ": error " + std::to_string(wrong / norm * 1e15) + "e-15");
  }
}

void run(Case const& c) {
  Layout const layout = layout_of(c);
  Block const block(c);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<WideComplex> input;
  if (c.kind == Kind::c2r) {
    for (std::ptrdiff_t i = 0; i < c.howmany; ++i) {
      Layout one = layout;
      one.batch.clear();
      auto const more = spectrum_of_reals(one, random);
      input.insert(input.end(), more.begin(), more.end());
    }
  } else {
    input.resize(places(layout, false).size());
    for (auto& value : input) {
      value = Real(uniform(random));
      if (c.kind == Kind::c2c) value += WideComplex(0, Real(uniform(random)));
    }
  }
  for (auto& value : input) value = WideComplex(Real(value.real()), Real(value.imag()));
  std::vector<WideComplex> const wanted = expected(layout, input);

  std::size_t const reals = std::size_t(block.alloc) * (c.kind == Kind::r2r ? 1 : 2);
  std::vector<Real> in(reals), out(reals), other_in(reals), other_out(reals);
  std::vector<Real>& to = c.in_place ? in : out;
  FftwPlan const plan = plan_of(c, in.data(), to.data());
  expect(plan != nullptr, text(c) + ": no plan");
  if (!plan) return;
  put(c, block, input, layout, in.data());
  std::vector<Real> const kept = in;
  FFTW_NAME(execute)(plan);
  compare(c, block, wanted, layout, to.data(), "planned arrays");
  expect(c.in_place || in == kept, text(c) + ": the input has changed");

  put(c, block, input, layout, other_in.data());
  std::vector<Real>& other_to = c.in_place ? other_in : other_out;
  auto* const complex_in = reinterpret_cast<FftwComplex*>(other_in.data());
  auto* const complex_out = reinterpret_cast<FftwComplex*>(other_to.data());
  if (c.kind == Kind::c2c) MPI_NAME(execute_dft)(plan, complex_in, complex_out);
  if (c.kind == Kind::r2c) MPI_NAME(execute_dft_r2c)(plan, other_in.data(), complex_out);
  if (c.kind == Kind::c2r) MPI_NAME(execute_dft_c2r)(plan, complex_in, other_to.data());
  if (c.kind == Kind::r2r) MPI_NAME(execute_r2r)(plan, other_in.data(), other_to.data());
  compare(c, block, wanted, layout, other_to.data(), "new arrays");
  FFTW_NAME(destroy_plan)(plan);
}

/// All kinds of transforms, transposed in all ways, with one and with several at once. With SKIPPER_QUICK=1 each of them is in
/// place or not, and one or several: their number is one less than a multiple of 4, so the next round takes others.
void transforms(int ranks) {
  unsigned const in = FFTW_MPI_TRANSPOSED_IN, out = FFTW_MPI_TRANSPOSED_OUT;
  std::size_t number = 0;
  auto const sampled = [&](Case const& c) {
    if (skipper::testing::takes(number++, 4)) run(c);
  };
  for (bool const in_place : {false, true})
    for (std::ptrdiff_t const howmany : {1, 3}) {
      for (unsigned const flags : {0u, in, out, in | out}) {
        sampled({Kind::c2c, {8, 6}, howmany, flags, in_place, -1});
        sampled({Kind::c2c, {5, 7, 4}, howmany, flags, in_place, 1});
        sampled({Kind::c2c, {2, 3, 4, 5}, howmany, flags, in_place, -1});
        sampled({Kind::r2r, {6, 5}, howmany, flags, in_place, -1, {FFTW_REDFT10, FFTW_RODFT00}});
        sampled({Kind::r2r, {6, 5, 4}, howmany, flags, in_place, -1, {FFTW_R2HC, FFTW_DHT, FFTW_HC2R}});
        if (!(flags & in)) sampled({Kind::r2c, {6, 8}, howmany, flags, in_place});
        if (!(flags & out)) sampled({Kind::c2r, {6, 8}, howmany, flags, in_place});
        sampled({Kind::r2c, {5, 6, 7}, howmany, flags, in_place});
        sampled({Kind::c2r, {5, 6, 7}, howmany, flags, in_place});
      }
      sampled({Kind::c2c, {24}, howmany, 0, in_place, -1});
      sampled({Kind::c2c, {24}, howmany, FFTW_MPI_SCRAMBLED_IN | FFTW_MPI_SCRAMBLED_OUT, in_place, 1});
      sampled({Kind::c2c, {13}, howmany, 0, in_place, 1});
      sampled({Kind::r2r, {9}, howmany, 0, in_place, -1, {FFTW_R2HC}});
      sampled({Kind::r2r, {9}, howmany, 0, in_place, -1, {FFTW_REDFT11}});
      // Blocks that leave processes without any; one process has no others.
      sampled({Kind::c2c, {8, 9}, howmany, out, in_place, -1, {}, ranks > 1 ? 8 : 0, ranks > 1 ? 8 : 0});
      sampled({Kind::r2c, {3, 4, 6}, howmany, 0, in_place, -1, {}, 3, 0});
    }
}

void transpositions() {
  for (bool const in_place : {false, true})
    for (std::ptrdiff_t const howmany : {1, 2})
      for (unsigned const flags : {0u, unsigned(FFTW_MPI_TRANSPOSED_IN), unsigned(FFTW_MPI_TRANSPOSED_OUT)}) {
        std::ptrdiff_t const n0 = 7, n1 = 5;
        std::ptrdiff_t size0, first0, size1, first1;
        std::ptrdiff_t const alloc = howmany * MPI_NAME(local_size_2d_transposed)(
                                                   n0, n1, MPI_COMM_WORLD, &size0, &first0, &size1, &first1);
        std::vector<Real> in(static_cast<std::size_t>(alloc)), out(in.size());
        Real* const to = in_place ? in.data() : out.data();
        FftwPlan const plan = MPI_NAME(plan_many_transpose)(n0, n1, howmany, 0, 0, in.data(), to,
                                                            MPI_COMM_WORLD, flags | FFTW_ESTIMATE);
        expect(plan != nullptr, "no plan of a transposition");
        auto const value = [&](std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t v) {
          return Real((i * n1 + j) * howmany + v);
        };
        for (std::ptrdiff_t i = 0; i < size0; ++i)
          for (std::ptrdiff_t j = 0; j < n1; ++j)
            for (std::ptrdiff_t v = 0; v < howmany; ++v) {
              std::ptrdiff_t const at = flags & FFTW_MPI_TRANSPOSED_IN ? j * size0 + i : i * n1 + j;
              in[std::size_t(at * howmany + v)] = value(first0 + i, j, v);
            }
        FFTW_NAME(execute)(plan);
        for (std::ptrdiff_t j = 0; j < size1; ++j)
          for (std::ptrdiff_t i = 0; i < n0; ++i)
            for (std::ptrdiff_t v = 0; v < howmany; ++v) {
              std::ptrdiff_t const at = flags & FFTW_MPI_TRANSPOSED_OUT ? i * size1 + j : j * n0 + i;
              expect(to[at * howmany + v] == value(i, first1 + j, v), "an element of a transposition");
            }
        FFTW_NAME(destroy_plan)(plan);
      }
}

/// What FFTW has no plan for, and what is said of local sizes.
void refusals(int ranks) {
  std::vector<Real> memory(4096);
  auto* const complex = reinterpret_cast<FftwComplex*>(memory.data());
  std::ptrdiff_t const zero[] = {0, 4}, good[] = {8, 4};
  expect(!MPI_NAME(plan_dft)(2, zero, complex, complex, MPI_COMM_WORLD, -1, FFTW_ESTIMATE), "a size of 0");
  expect(!MPI_NAME(plan_dft)(0, good, complex, complex, MPI_COMM_WORLD, -1, FFTW_ESTIMATE), "a rank of 0");
  expect(!MPI_NAME(plan_dft_r2c)(1, good, memory.data(), complex, MPI_COMM_WORLD, FFTW_ESTIMATE),
         "r2c of rank 1");
  expect(!MPI_NAME(plan_many_dft)(2, good, -1, 0, 0, complex, complex, MPI_COMM_WORLD, -1, FFTW_ESTIMATE),
         "howmany of -1");
  if (ranks < 8)
    expect(!MPI_NAME(plan_many_dft)(2, good, 1, 1, 0, complex, complex, MPI_COMM_WORLD, -1, FFTW_ESTIMATE),
           "more blocks than processes");
  expect(!MPI_NAME(plan_dft)(2, good, complex, complex, MPI_COMM_WORLD, -1, FFTW_ESTIMATE | FFTW_WISDOM_ONLY),
         "wisdom only");
  FftwKind const kinds[] = {FFTW_REDFT00, static_cast<FftwKind>(99)};
  expect(!MPI_NAME(plan_r2r)(2, good, memory.data(), memory.data(), MPI_COMM_WORLD, kinds, FFTW_ESTIMATE),
         "an unknown kind");
  std::ptrdiff_t size = 0, first = 0;
  std::ptrdiff_t const all = MPI_NAME(local_size_3d)(ranks * 3, 4, 5, MPI_COMM_WORLD, &size, &first);
  expect(size == 3 && all == 60, "local_size_3d");
}

void wisdom(int rank) {
  FFTW_NAME(forget_wisdom)();
  std::vector<Real> memory(64);
  auto* const complex = reinterpret_cast<FftwComplex*>(memory.data());
  auto const known = [&](int n) {
    FftwPlan const plan = FFTW_NAME(plan_dft_1d)(n, complex, complex, -1, FFTW_MEASURE | FFTW_WISDOM_ONLY);
    FFTW_NAME(destroy_plan)(plan);
    return plan != nullptr;
  };
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1)
    FFTW_NAME(destroy_plan)(FFTW_NAME(plan_dft_1d)(8, complex, complex, -1, FFTW_MEASURE));
  expect(known(8) == (rank == size - 1), "wisdom of one's own");
  MPI_NAME(gather_wisdom)(MPI_COMM_WORLD);
  expect(known(8) == (rank == size - 1 || rank == 0), "gathered wisdom");
  MPI_NAME(broadcast_wisdom)(MPI_COMM_WORLD);
  expect(known(8) && !known(9), "broadcast wisdom");
}

}  // namespace
}  // namespace skipper::fftw3::testing

int main(int argc, char** argv) {
  using namespace skipper::fftw3::testing;
  MPI_Init(&argc, &argv);
  MPI_NAME(init)();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  transforms(ranks);
  expect_small_errors();
  transpositions();
  refusals(ranks);
  wisdom(rank);
  MPI_NAME(cleanup)();
  return finish();
}
