// Real data: the power spectrum of several signals at once. The real side has n numbers, the complex one n/2+1.
#include <skipper/skipper.h>

#include <cmath>
#include <cstdio>

int main() {
  std::int64_t const n = 1000, signals = 3;
  std::vector<double> in(n * signals);
  for (std::int64_t s = 0; s < signals; ++s)
    for (std::int64_t j = 0; j < n; ++j)
      in[s * n + j] = std::cos(2 * M_PI * double((s + 1) * 10 * j) / double(n));

  skipper::Plan const plan(skipper::r2c({n}, signals, skipper::Precision::f64));
  std::vector<std::complex<double>> out((n / 2 + 1) * signals);
  plan.execute(in.data(), out.data());

  for (std::int64_t s = 0; s < signals; ++s) {
    std::int64_t loudest = 0;
    for (std::int64_t k = 0; k <= n / 2; ++k)
      if (std::abs(out[s * (n / 2 + 1) + k]) > std::abs(out[s * (n / 2 + 1) + loudest])) loudest = k;
    std::printf("signal %d: frequency %d\n", int(s), int(loudest));
    if (loudest != (s + 1) * 10) return 1;
  }
}
