// The values of a lowered sweep's tables.
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/convolution_tables.h"
#include "base/numbers.h"
#include "base/roots.h"
#include "kernel/queries.h"
#include "plan/lower/lower.h"

namespace skipper {
namespace {

/// A spectrum as its kernel reads it: entry by entry with the highest digit of the index counting fastest.
template <class T>
void append_spectrum(std::vector<std::complex<T>> const& natural, std::vector<Index> const& digits,
                     std::vector<std::complex<T>>& out) {
  std::vector<Index> count(digits.size(), 0), unit(digits.size(), 1);
  for (std::size_t d = 1; d < digits.size(); ++d) unit[d] = unit[d - 1] * digits[d - 1];
  for (std::size_t entries = 0; entries < natural.size(); ++entries) {
    Index at = 0;
    for (std::size_t d = 0; d < digits.size(); ++d) at += count[d] * unit[d];
    out.push_back(natural[std::size_t(at)]);
    for (std::size_t d = digits.size(); d-- > 0 && ++count[d] == digits[d];) count[d] = 0;
  }
}

/// The products of the chirps of several lengths, the first counting fastest.
template <class T>
void append_chirps(std::vector<Index> const& lengths, std::vector<std::complex<T>>& out) {
  std::vector<std::complex<T>> all = chirp<T>(lengths.front());
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    std::vector<std::complex<T>> const faster = std::move(all);
    all.clear();
    for (auto const& slow : chirp<T>(lengths[i]))
      for (auto const& fast : faster) all.push_back(slow * fast);
  }
  out.insert(out.end(), all.begin(), all.end());
}

/// Places of points in Rader's order, as many to an element as it has bytes for.
template <class T>
void append_rader(RootTable const& t, std::vector<std::complex<T>>& out) {
  std::vector<std::int32_t> places;
  for (Index power : rader_order(t.order, t.digits)) places.push_back(std::int32_t(t.step * (power - 1)));
  std::size_t const before = out.size();
  out.resize(before + std::size_t(t.columns));
  std::memcpy(reinterpret_cast<char*>(out.data() + before), places.data(),
              places.size() * sizeof places.front());
}

/// The same of real pairs: the places of an even power and the next in one number.
template <class T>
void append_real_rader(RootTable const& t, std::vector<std::complex<T>>& out) {
  std::vector<std::uint32_t> places;
  Index const g = generator(t.order);
  for (Index power : rader_order(t.order, t.digits))
    places.push_back(std::uint32_t(t.step * (power - 1) | t.step * (power * g % t.order - 1) << 16));
  std::size_t const before = out.size();
  out.resize(before + std::size_t(t.columns));
  std::memcpy(reinterpret_cast<char*>(out.data() + before), places.data(),
              places.size() * sizeof places.front());
}

/// The routes of a line of p - 1 points: the slot of each point of memory in the block that loads it, sorted by the
/// blocks that want them; the rank, times 2^16, and the place to which each slot goes; the place of each point in the
/// Rader order; and from each place back the rank and the slot.
template <class T>
void append_routes(RootTable const& t, std::vector<std::complex<T>>& out) {
  auto const rank_of = [](std::vector<TableDigit> const& digits, Index entry) {
    Index cluster_rank = 0, span = 1;
    for (TableDigit const& d : digits)
      cluster_rank += entry / d.step % d.extent * std::exchange(span, span * d.extent);
    return cluster_rank;
  };
  auto const power = rader_order(t.order, t.digits);
  Index const m = t.order - 1, cluster_ranks = places(t.cluster_ranks[0]), share = m / cluster_ranks;
  std::vector<Index> entry(std::size_t(m), 0), number(std::size_t(m), 0),
      given(std::size_t(cluster_ranks * cluster_ranks), 0);
  for (Index e = 0; e < m; ++e) entry[std::size_t(power[std::size_t(e)] - 1)] = e;
  auto const between = [&](Index i) {
    return std::pair(rank_of(t.cluster_ranks[0], i), rank_of(t.cluster_ranks[1], entry[std::size_t(i)]));
  };
  for (Index i = 0; i < m; ++i) {
    auto const [from, to] = between(i);
    number[std::size_t(i)] = given[std::size_t(from * cluster_ranks + to)]++;
  }
  std::vector<std::int32_t> routes(std::size_t(4 * m));
  for (Index i = 0; i < m; ++i) {
    auto const [from, to] = between(i);
    Index slot = number[std::size_t(i)], place = slot;
    for (Index d = 0; d < to; ++d) slot += given[std::size_t(from * cluster_ranks + d)];
    for (Index s = 0; s < from; ++s) place += given[std::size_t(s * cluster_ranks + to)];
    routes[std::size_t(i)] = std::int32_t(slot);
    routes[std::size_t(m + from * share + slot)] = std::int32_t(to << 16 | place);
    routes[std::size_t(2 * m + entry[std::size_t(i)])] = std::int32_t(place);
    routes[std::size_t(3 * m + to * share + place)] = std::int32_t(from << 16 | slot);
  }
  std::size_t const before = out.size();
  out.resize(before + std::size_t(t.columns));
  std::memcpy(reinterpret_cast<char*>(out.data() + before), routes.data(),
              routes.size() * sizeof routes.front());
}

/// Cosines and sines of 2 pi j k / n: sixteen rows k and four columns j at a time, of which lane 4 g + t has rows g and g + 8
/// of column t as a pair, first of cosines, then of sines. Beyond n/2 there are zeros.
template <class T>
void append_matrix(RootTable const& t, std::vector<std::complex<T>>& out) {
  int const n = int(t.order);
  auto const entry = [&](int k, int j, bool sine) {
    std::complex<double> const w = 2 * k <= n && 2 * j <= n ? root64(Index(j) * k % n, n) : 0.0;
    return sine ? -w.imag() : w.real();
  };
  std::vector<std::complex<double>> pairs;
  for (int rows = 0; rows < kernel::blocks_of_rows(n); ++rows)
    for (int columns = 0; columns < kernel::blocks_of_columns(n); ++columns)
      for (bool sine : {false, true})
        for (int lane = 0; lane < 32; ++lane) {
          int const k = 16 * rows + lane / 4, j = 4 * columns + lane % 4;
          pairs.push_back({entry(k, j, sine), entry(k + 8, j, sine)});
        }
  std::size_t const before = out.size();
  out.resize(before + std::size_t(t.columns));
  std::memcpy(reinterpret_cast<char*>(out.data() + before), pairs.data(),
              pairs.size() * sizeof pairs.front());
}

template <class T, class Root>
void append(RootTable const& t, std::vector<std::complex<T>>& out, Root root) {
  switch (t.kind) {
    case TableKind::roots:
      for (Index row = 0; row < t.rows; ++row)
        for (Index column = 0; column < t.columns; ++column)
          out.push_back(root((t.doubling ? Index(1) << row : row + 1) * column * t.step + t.start, t.order));
      break;
    case TableKind::chirp:
      append_chirps(t.digits, out);
      break;
    case TableKind::spectrum:
      append_spectrum(chirp_spectrum<T>(t.order, t.columns), t.digits, out);
      break;
    case TableKind::rader:
      append_rader(t, out);
      break;
    case TableKind::real_rader:
      append_real_rader(t, out);
      break;
    case TableKind::routes:
      append_routes(t, out);
      break;
    case TableKind::rader_spectrum:
      for (auto const& s : rader_spectrum<T>(t.order, t.digits)) out.push_back(s);
      break;
    case TableKind::own_spectrum:
    case TableKind::partner_spectrum:
      for (auto const& s : real_rader_spectrum<T>(t.order, t.digits, t.kind == TableKind::partner_spectrum))
        out.push_back(s);
      break;
    case TableKind::matrix:
      append_matrix(t, out);
      break;
  }
}

/// The entries from `first` on in the order of the table's place digits.
template <class T>
void reorder(RootTable const& t, std::vector<std::complex<T>>& out, std::size_t first) {
  std::vector<std::complex<T>> const plain(out.begin() + std::ptrdiff_t(first), out.end());
  out.resize(first + std::size_t(entries(t)));
  for (Index i = 0; i < entries(t); ++i) {
    Index const at = entry_at(t.place_digits, i);
    out[first + std::size_t(i)] = at < Index(plain.size()) ? plain[std::size_t(at)] : std::complex<T>{};
  }
}

template <class T, class Root>
std::vector<std::complex<T>> values(Lowered const& lowered, Root root) {
  std::vector<std::complex<T>> out;
  for (RootTable const& t : lowered.tables) {
    std::size_t const first = out.size();
    append(t, out, root);
    if (!t.place_digits.empty()) reorder(t, out, first);
  }
  return out;
}

}  // namespace

Index places(std::vector<TableDigit> const& digits) {
  Index n = 1;
  for (TableDigit const& digit : digits) n *= digit.extent;
  return n;
}

Index entry_at(std::vector<TableDigit> const& digits, Index place) {
  Index entry = 0;
  for (TableDigit const& digit : digits) {
    entry += place % digit.extent * digit.step;
    place /= digit.extent;
  }
  return entry;
}

Index entries(RootTable const& table) {
  return table.place_digits.empty() ? table.rows * table.columns : places(table.place_digits);
}

std::vector<std::complex<float>> roots32(Lowered const& lowered) {
  return values<float>(lowered, [](Index k, Index n) { return root32(k, n); });
}
std::vector<std::complex<double>> roots64(Lowered const& lowered) {
  return values<double>(lowered, [](Index k, Index n) { return root64(k, n); });
}

}  // namespace skipper
