// Every planner and execute function of FFTW's interface against the definitions, in the layouts that they can say.
#include "memory.h"

namespace skipper::fftw3::testing {
namespace {

constexpr unsigned estimate = FFTW_ESTIMATE;

std::vector<int> ints(Layout const& l) {
  std::vector<int> n;
  for (auto const& axis : l.axes) n.push_back(static_cast<int>(axis.n));
  return n;
}

std::vector<FFTW_NAME(iodim)> narrow(std::vector<FFTW_NAME(iodim64)> const& dims, Index in = 1,
                                     Index out = 1) {
  std::vector<FFTW_NAME(iodim)> result;
  for (auto const& d : dims)
    result.push_back({static_cast<int>(d.n), static_cast<int>(d.is / in), static_cast<int>(d.os / out)});
  return result;
}

FftwPlan basic(Layout const& l, Side in, Side out) {
  std::vector<int> const n = ints(l);
  int const rank = static_cast<int>(n.size());
  FftwComplex *const ci = complex(in.real), *const co = complex(out.real);
  auto const kind = [&](int i) { return static_cast<FftwKind>(l.kinds[static_cast<std::size_t>(i)]); };
  switch (l.kind) {
    case Kind::c2c:
      return rank == 1   ? FFTW_NAME(plan_dft_1d)(n[0], ci, co, l.sign, estimate)
             : rank == 2 ? FFTW_NAME(plan_dft_2d)(n[0], n[1], ci, co, l.sign, estimate)
             : rank == 3 ? FFTW_NAME(plan_dft_3d)(n[0], n[1], n[2], ci, co, l.sign, estimate)
                         : FFTW_NAME(plan_dft)(rank, n.data(), ci, co, l.sign, estimate);
    case Kind::r2c:
      return rank == 1   ? FFTW_NAME(plan_dft_r2c_1d)(n[0], in.real, co, estimate)
             : rank == 2 ? FFTW_NAME(plan_dft_r2c_2d)(n[0], n[1], in.real, co, estimate)
             : rank == 3 ? FFTW_NAME(plan_dft_r2c_3d)(n[0], n[1], n[2], in.real, co, estimate)
                         : FFTW_NAME(plan_dft_r2c)(rank, n.data(), in.real, co, estimate);
    case Kind::c2r:
      return rank == 1   ? FFTW_NAME(plan_dft_c2r_1d)(n[0], ci, out.real, estimate)
             : rank == 2 ? FFTW_NAME(plan_dft_c2r_2d)(n[0], n[1], ci, out.real, estimate)
             : rank == 3 ? FFTW_NAME(plan_dft_c2r_3d)(n[0], n[1], n[2], ci, out.real, estimate)
                         : FFTW_NAME(plan_dft_c2r)(rank, n.data(), ci, out.real, estimate);
    case Kind::r2r:
      break;
  }
  if (rank == 1) return FFTW_NAME(plan_r2r_1d)(n[0], in.real, out.real, kind(0), estimate);
  if (rank == 2) return FFTW_NAME(plan_r2r_2d)(n[0], n[1], in.real, out.real, kind(0), kind(1), estimate);
  if (rank == 3)
    return FFTW_NAME(plan_r2r_3d)(n[0], n[1], n[2], in.real, out.real, kind(0), kind(1), kind(2), estimate);
  std::vector<FftwKind> kinds;
  for (int i = 0; i < rank; ++i) kinds.push_back(kind(i));
  return FFTW_NAME(plan_r2r)(rank, n.data(), in.real, out.real, kinds.data(), estimate);
}

FftwPlan guru(Layout const& l, Side in, Side out) {
  Index const i = l.real_in() ? 1 : 2, o = l.real_out() ? 1 : 2;
  auto const axes = narrow(l.axes, i, o), batch = narrow(l.batch, i, o);
  int const rank = static_cast<int>(axes.size()), many = static_cast<int>(batch.size());
  std::vector<FftwKind> kinds;
  for (int const kind : l.kinds) kinds.push_back(static_cast<FftwKind>(kind));
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(plan_guru_dft)(rank, axes.data(), many, batch.data(), complex(in.real),
                                      complex(out.real), l.sign, estimate);
    case Kind::r2c:
      return FFTW_NAME(plan_guru_dft_r2c)(rank, axes.data(), many, batch.data(), in.real, complex(out.real),
                                          estimate);
    case Kind::c2r:
      return FFTW_NAME(plan_guru_dft_c2r)(rank, axes.data(), many, batch.data(), complex(in.real), out.real,
                                          estimate);
    case Kind::r2r:
      return FFTW_NAME(plan_guru_r2r)(rank, axes.data(), many, batch.data(), in.real, out.real, kinds.data(),
                                      estimate);
  }
  return nullptr;
}

FftwPlan guru64(Layout const& l, Side in, Side out) {
  Index const i = l.real_in() ? 1 : 2, o = l.real_out() ? 1 : 2;
  auto const counted = [&](std::vector<FFTW_NAME(iodim64)> dims) {
    for (auto& d : dims) d.is /= i, d.os /= o;
    return dims;
  };
  auto const axes = counted(l.axes), batch = counted(l.batch);
  int const rank = static_cast<int>(axes.size()), many = static_cast<int>(batch.size());
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(plan_guru64_dft)(rank, axes.data(), many, batch.data(), complex(in.real),
                                        complex(out.real), l.sign, estimate);
    case Kind::r2c:
      return FFTW_NAME(plan_guru64_dft_r2c)(rank, axes.data(), many, batch.data(), in.real, complex(out.real),
                                            estimate);
    case Kind::c2r:
      return FFTW_NAME(plan_guru64_dft_c2r)(rank, axes.data(), many, batch.data(), complex(in.real), out.real,
                                            estimate);
    case Kind::r2r:
      return make_split(l, in, out);
  }
  return nullptr;
}

FftwPlan split32(Layout const& l, Side in, Side out) {
  auto const axes = narrow(l.axes), batch = narrow(l.batch);
  int const rank = static_cast<int>(axes.size()), many = static_cast<int>(batch.size());
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(plan_guru_split_dft)(rank, axes.data(), many, batch.data(), in.real, in.imag, out.real,
                                            out.imag, estimate);
    case Kind::r2c:
      return FFTW_NAME(plan_guru_split_dft_r2c)(rank, axes.data(), many, batch.data(), in.real, out.real,
                                                out.imag, estimate);
    case Kind::c2r:
      return FFTW_NAME(plan_guru_split_dft_c2r)(rank, axes.data(), many, batch.data(), in.real, in.imag,
                                                out.real, estimate);
    case Kind::r2r:
      return nullptr;
  }
  return nullptr;
}

void execute_new(FftwPlan plan, Layout const& l, Side in, Side out) {
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(execute_dft)(plan, complex(in.real), complex(out.real));
    case Kind::r2c:
      return FFTW_NAME(execute_dft_r2c)(plan, in.real, complex(out.real));
    case Kind::c2r:
      return FFTW_NAME(execute_dft_c2r)(plan, complex(in.real), out.real);
    case Kind::r2r:
      return FFTW_NAME(execute_r2r)(plan, in.real, out.real);
  }
}

void execute_split(FftwPlan plan, Layout const& l, Side in, Side out) {
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(execute_split_dft)(plan, in.real, in.imag, out.real, out.imag);
    case Kind::r2c:
      return FFTW_NAME(execute_split_dft_r2c)(plan, in.real, out.real, out.imag);
    case Kind::c2r:
      return FFTW_NAME(execute_split_dft_c2r)(plan, in.real, in.imag, out.real);
    case Kind::r2r:
      return;
  }
}

std::vector<std::vector<Index>> const shapes = {{1},    {2},       {8},       {13},        {60},
                                                {6, 5}, {4, 1, 7}, {3, 4, 5}, {2, 3, 2, 4}};
std::vector<Kind> const fourier = {Kind::c2c, Kind::r2c, Kind::c2r};

std::string title(Layout const& l, bool in_place) {
  std::string text(name(l.kind));
  for (auto const& a : l.axes)
    text += " " + std::to_string(a.n) + ":" + std::to_string(a.is) + ":" + std::to_string(a.os);
  for (auto const& b : l.batch)
    text += " x" + std::to_string(b.n) + ":" + std::to_string(b.is) + ":" + std::to_string(b.os);
  for (int const kind : l.kinds) text += " kind " + std::to_string(kind);
  return text + " sign " + std::to_string(l.sign) + (in_place ? " in place" : "");
}

TEST(Basic, FourierOfEveryKindInAndOutOfPlace) {
  for (Kind const kind : fourier)
    for (auto const& n : shapes)
      for (bool const in_place : {false, true})
        for (int const sign : {-1, 1}) {
          if (kind != Kind::c2c && sign == 1) continue;
          Layout l = dense(kind, n, in_place);
          l.sign = sign;
          verify(title(l, in_place), l, in_place, basic);
          verify("new arrays: " + title(l, in_place), l, in_place, basic, execute_new);
        }
}

TEST(Basic, EveryRealKind) {
  for (int kind = 0; kind <= 10; ++kind)
    for (Index n : {1, 2, 3, 4, 7, 8, 15, 16, 30, 101})
      for (bool const in_place : {false, true}) {
        if (kind == FFTW_REDFT00 && n == 1) continue;
        Layout const l = dense(Kind::r2r, {n}, in_place, 1, {kind});
        verify(title(l, in_place), l, in_place, basic, execute_new);
      }
}

TEST(Basic, RealKindsMixedByAxis) {
  std::vector<std::pair<std::vector<Index>, std::vector<int>>> const cases = {
      {{4, 6}, {FFTW_R2HC, FFTW_R2HC}},
      {{5, 6}, {FFTW_HC2R, FFTW_DHT}},
      {{4, 6}, {FFTW_REDFT10, FFTW_R2HC}},
      {{7, 3}, {FFTW_DHT, FFTW_RODFT11}},
      {{3, 4, 5}, {FFTW_HC2R, FFTW_REDFT00, FFTW_DHT}},
      {{3, 4, 5}, {FFTW_RODFT00, FFTW_RODFT01, FFTW_REDFT01}},
      {{2, 3, 1, 5}, {FFTW_R2HC, FFTW_RODFT10, FFTW_HC2R, FFTW_REDFT11}},
  };
  for (auto const& [n, kinds] : cases)
    for (bool const in_place : {false, true}) {
      Layout const l = dense(Kind::r2r, n, in_place, 1, kinds);
      verify(title(l, in_place), l, in_place, basic);
      verify("guru: " + title(l, in_place), l, in_place, guru);
    }
}

TEST(Guru, BatchesByAllFourInterfaces) {
  for (Kind const kind : fourier)
    for (auto const& n : shapes)
      for (bool const in_place : {false, true}) {
        Layout const l = dense(kind, n, in_place, 3);
        std::string const what = title(l, in_place);
        verify("guru " + what, l, in_place, guru, execute_new);
        verify("guru64 " + what, l, in_place, guru64, execute_new);
        verify("split " + what, l, in_place, split32, execute_split);
        verify("split64 " + what, l, in_place, make_split);
      }
}

/// Strides that no dense array has.
std::vector<Layout> odd_layouts(Kind kind) {
  std::vector<Layout> all;
  Index const in = kind == Kind::c2c || kind == Kind::c2r ? 2 : 1,
              out = kind == Kind::c2c || kind == Kind::r2c ? 2 : 1;
  auto const add = [&](std::vector<FFTW_NAME(iodim64)> axes, std::vector<FFTW_NAME(iodim64)> batch) {
    Layout l;
    l.kind = kind;
    for (auto& d : axes) d.is *= in, d.os *= out;
    for (auto& d : batch) d.is *= in, d.os *= out;
    l.axes = std::move(axes);
    l.batch = std::move(batch);
    all.push_back(l);
  };
  add({{6, 1, 5}, {5, 6, 1}}, {});                // transposed
  add({{6, 3, 3}, {4, 20, 20}}, {{3, 1, 1}});     // the batch is the fastest
  add({{8, -1, -1}}, {{2, 8, 8}});                // backwards
  add({{8, 1, 1}}, {{3, -8, 8}});                 // a batch turned round
  add({{5, 2, 3}}, {{4, 11, 17}, {2, 50, 100}});  // gaps, and two batches
  add({{4, 1, 6}, {3, 4, 24}, {5, 12, 1}}, {});   // other orders on either side
  add({}, {{5, 1, 3}, {3, 5, 1}});                // no axis: a transposition
  add({}, {});                                    // a single element
  add({{3, 1, 1}}, {{0, 3, 3}});                  // nothing to do
  add({{50, 2, 1}}, {{3, 100, 50}});
  return all;
}

TEST(Guru, OddStrides) {
  for (Kind const kind : fourier)
    for (Layout const& l : odd_layouts(kind)) {
      verify("guru " + title(l, false), l, false, guru, execute_new);
      verify("split " + title(l, false), l, false, make_split);
    }
}

TEST(Guru, OddStridesOfRealKinds) {
  for (int kind = 0; kind <= 10; ++kind)
    for (Layout l : odd_layouts(Kind::r2r)) {
      l.kinds.assign(l.axes.size(), kind);
      verify(title(l, false), l, false, guru, execute_new);
    }
}

TEST(Guru, InPlaceWithOtherStrides) {
  // Square and not: what is read and what is written are the same places, in another order.
  Layout square;
  square.axes = {{6, 12, 2}, {6, 2, 12}};
  verify("transposed square", square, true, guru);
  Layout transposition;
  transposition.batch = {{4, 10, 2}, {5, 2, 8}};
  verify("transposition in place", transposition, true, guru);
  Layout reals = dense(Kind::r2c, {3, 8});
  verify("r2c in place without padding", reals, true, guru);
  Layout back = dense(Kind::c2r, {3, 8});
  verify("c2r in place without padding", back, true, guru);
  Layout halfcomplex = dense(Kind::r2r, {6, 4}, true, 1, {FFTW_R2HC, FFTW_DHT});
  halfcomplex.axes = {{6, 4, 1}, {4, 1, 6}};
  verify("halfcomplex transposed", halfcomplex, true, guru);
}

TEST(Split, PartsApart) {
  for (Kind const kind : fourier)
    for (bool const in_place : {false, true})
      for (auto const& n : shapes) {
        Layout l = dense(kind, n, false, 2);
        if (kind != Kind::c2c && in_place) continue;
        Index const in = l.real_in() ? 1 : 2, out = l.real_out() ? 1 : 2;
        for (auto* dims : {&l.axes, &l.batch})
          for (auto& d : *dims) d.is /= in, d.os /= out;
        for (int const sign : {-1, 1}) {
          if (kind != Kind::c2c && sign == 1) continue;
          l.sign = sign;
          l.in_pair = in_place ? 500 : 700;
          l.out_pair = 500;
          verify(title(l, in_place), l, in_place, make_split);
        }
        l.sign = -1;
        verify("split32 " + title(l, in_place), l, in_place, split32, execute_split);
      }
}

FftwPlan many(Layout const& l, Side in, Side out, int const* inembed, int istride, int idist,
              int const* onembed, int ostride, int odist) {
  std::vector<int> const n = ints(l);
  int const rank = static_cast<int>(n.size()), howmany = static_cast<int>(l.batch.at(0).n);
  std::vector<FftwKind> kinds;
  for (int const kind : l.kinds) kinds.push_back(static_cast<FftwKind>(kind));
  switch (l.kind) {
    case Kind::c2c:
      return FFTW_NAME(plan_many_dft)(rank, n.data(), howmany, complex(in.real), inembed, istride, idist,
                                      complex(out.real), onembed, ostride, odist, l.sign, estimate);
    case Kind::r2c:
      return FFTW_NAME(plan_many_dft_r2c)(rank, n.data(), howmany, in.real, inembed, istride, idist,
                                          complex(out.real), onembed, ostride, odist, estimate);
    case Kind::c2r:
      return FFTW_NAME(plan_many_dft_c2r)(rank, n.data(), howmany, complex(in.real), inembed, istride, idist,
                                          out.real, onembed, ostride, odist, estimate);
    case Kind::r2r:
      return FFTW_NAME(plan_many_r2r)(rank, n.data(), howmany, in.real, inembed, istride, idist, out.real,
                                      onembed, ostride, odist, kinds.data(), estimate);
  }
  return nullptr;
}

TEST(Many, DenseWithoutEmbeddings) {
  for (Kind const kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r})
    for (bool const in_place : {false, true}) {
      Layout const l =
          dense(kind, {4, 6}, in_place, 3,
                kind == Kind::r2r ? std::vector<int>{FFTW_REDFT10, FFTW_DHT} : std::vector<int>{});
      int const in = static_cast<int>(l.batch[0].is) / (l.real_in() ? 1 : 2),
                out = static_cast<int>(l.batch[0].os) / (l.real_out() ? 1 : 2);
      verify(title(l, in_place), l, in_place, [&](Layout const& layout, Side i, Side o) {
        return many(layout, i, o, nullptr, 1, in, nullptr, 1, out);
      });
    }
}

TEST(Many, EmbeddedAndInterleavedBatch) {
  int const inembed[] = {5, 8}, onembed[] = {6, 9};
  for (Kind const kind : {Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r}) {
    Layout l;
    l.kind = kind;
    if (kind == Kind::r2r) l.kinds = {FFTW_RODFT10, FFTW_HC2R};
    Index const in = l.real_in() ? 1 : 2, out = l.real_out() ? 1 : 2;
    l.axes = {{4, 8 * 3 * in, 9 * 2 * out}, {6, 3 * in, 2 * out}};
    l.batch = {{2, 1 * in, 1 * out}};
    verify(title(l, false), l, false, [&](Layout const& layout, Side i, Side o) {
      return many(layout, i, o, inembed, 3, 1, onembed, 2, 1);
    });
  }
}

TEST(Flags, AllGivePlans) {
  Layout const l = dense(Kind::c2r, {6, 10});
  for (unsigned const flags : {FFTW_MEASURE, FFTW_PATIENT, FFTW_EXHAUSTIVE, FFTW_ESTIMATE | FFTW_UNALIGNED,
                               FFTW_MEASURE | FFTW_DESTROY_INPUT, FFTW_MEASURE | FFTW_PRESERVE_INPUT,
                               FFTW_ESTIMATE | FFTW_CONSERVE_MEMORY})
    verify("flags " + std::to_string(flags), l, false, [&](Layout const&, Side in, Side out) {
      return FFTW_NAME(plan_dft_c2r_2d)(6, 10, complex(in.real), out.real, flags);
    });
}

}  // namespace
}  // namespace skipper::fftw3::testing
