// See fine_transform.h.
#include "reference/fine_transform.h"

#include <map>
#include <memory>
#include <mutex>

#include "base/numbers.h"

namespace skipper::reference {
namespace {

using Line = std::vector<Fine>;

/// exp(-2 pi i k / n) for all k; kept, since the same few are asked for again and again.
std::shared_ptr<Line const> circle(Index n) {
  constexpr Index max_kept = Index(1) << 20;  // of all lengths together
  static std::mutex lock;
  static std::map<Index, std::shared_ptr<Line const>> kept;
  static Index points = 0;
  std::lock_guard const guard(lock);
  if (auto const known = kept.find(n); known != kept.end()) return known->second;
  Line w;
  for (Index k = 0; k < n; ++k) w.push_back(root_in<DoubleDouble>(k, n));
  auto const made = std::make_shared<Line const>(std::move(w));
  if (points + n > max_kept) kept.clear(), points = 0;
  if (n <= max_kept) kept[n] = made, points += n;
  return made;
}

Line by_definition(Line const& x) {
  Index const n = Index(x.size());
  auto const w = circle(n);
  Line out(x.size(), x[0]);
  for (Index k = 0; k < n; ++k)
    for (Index j = 1, e = k; j < n; ++j, e = (e + k) % n) out[k] = out[k] + x[j] * (*w)[e];
  return out;
}

/// j k = (j^2 + k^2 - (j - k)^2) / 2, so that a transform is a convolution, here of a power of two.
Line by_bluestein(Line const& x) {
  Index const n = Index(x.size());
  Index m = 1;
  while (m < 2 * n - 1) m *= 2;
  auto const w = circle(2 * n);
  auto const chirp = [&](Index j) { return (*w)[j * j % (2 * n)]; };
  Line a(m), b(m);
  for (Index j = 0; j < n; ++j) {
    a[j] = x[j] * chirp(j);
    b[j] = b[(m - j) % m] = conjugate(chirp(j));
  }
  Line product = fine_transform(a);
  Line const spectrum = fine_transform(b);
  for (Index k = 0; k < m; ++k) product[k] = conjugate(product[k] * spectrum[k]);
  product = fine_transform(product);  // conjugated before and after: the way back, but for m
  Line out(x.size());
  for (Index k = 0; k < n; ++k) {
    Fine const y = conjugate(product[k]) * chirp(k);
    out[k] = {y.re / DoubleDouble(double(m)), y.im / DoubleDouble(double(m))};
  }
  return out;
}

Line of_prime(Line const& x) { return x.size() < 50 ? by_definition(x) : by_bluestein(x); }

/// Of n numbers that are `stride` apart: those of every p-th one, then transforms of p across.
Line transformed(Fine const* x, Index n, Index stride) {
  if (n == 1) return {*x};
  Index const p = factorise(n).front().prime, m = n / p;
  Line parts;  // [p][m]
  for (Index r = 0; r < p; ++r) {
    Line const part = transformed(x + r * stride, m, p * stride);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  if (p == n) return of_prime(parts);
  auto const w = circle(n);
  Line line(p);
  for (Index k = 0; k < m; ++k)
    if (p == 2) {
      Fine const even = parts[k], odd = parts[m + k] * (*w)[k];
      parts[k] = even + odd, parts[m + k] = even - odd;
    } else {
      for (Index r = 0; r < p; ++r) line[r] = parts[r * m + k] * (*w)[r * k];
      Line const y = of_prime(line);
      for (Index q = 0; q < p; ++q) parts[q * m + k] = y[q];
    }
  return parts;
}

}  // namespace

std::vector<Fine> fine_transform(std::vector<Fine> const& x) {
  return transformed(x.data(), Index(x.size()), 1);
}

}  // namespace skipper::reference
