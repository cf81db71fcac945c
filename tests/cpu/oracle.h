#pragma once
// Runs problems on the CPU engine, on arrays with any strides, and compares with the reference (reference/transform.h).
#include <gtest/gtest.h>
#include <skipper/problem.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/kinds.h"
#include "base/numbers.h"
#include "cpu/engine.h"
#include "cpu/kernels.h"
#include "cpu/unset.h"
#include "reference/transform.h"
#include "support/quick.h"
#include "support/uniform.h"

namespace skipper::cpu::testing {

using skipper::testing::quick;
using skipper::testing::takes;

/// Visits every point of a logical array, slowest dimension first: f(index, offset).
template <class F>
void each_point(std::vector<Index> const& sizes, std::vector<Index> const& strides, F f) {
  Index total = 1;
  for (Index s : sizes) total *= s;
  for (Index i = 0; i < total; ++i) {
    Index rest = i, at = 0;
    for (std::size_t d = sizes.size(); d-- > 0;) at += rest % sizes[d] * strides[d], rest /= sizes[d];
    f(i, at);
  }
}

/// The sizes and strides of a side: batch dimensions, then axes.
struct Layout {
  std::vector<Index> sizes, strides;
};
Layout layout(Problem const& p, bool output);

/// f(i) for every scalar i of the output, and for none between them.
template <class F>
void each_output(Problem const& p, F f) {
  Layout const to = layout(p, true);
  int const parts = facts(p.kind).real_out ? 1 : 2;
  each_point(to.sizes, to.strides, [&](Index, Index at) {
    for (int part = 0; part < parts; ++part) f(parts * at + part);
  });
}

template <class T>
std::vector<T> random_scalars(Index count, unsigned seed);

/// The error that is allowed; three times that where a prime above max_radix_prime needs a convolution.
double allowed(Problem const& p);

/// Runs the problem by run(in, out) on random data and returns the relative L2 error. Checks that the input is
/// preserved out of place and that nothing between or after the outputs is touched. The points of the input are the same numbers
/// whatever the strides.
template <class T>
double error_by(Problem const& p, std::function<void(T const*, T*)> const& run, unsigned seed = 1);

/// The same by a plan of the CPU engine.
double error_of(Problem const& p, Options const& options = {}, unsigned seed = 1);

void expect_right(Problem const& p, Options const& options = {}, unsigned seed = 1);

/// By every instruction set of this machine.
void expect_right_by_all(Problem const& p, int threads = 0);

/// Random strides on either side: dimensions in a random order with gaps.
void lay_out_at_random(Problem& p, std::mt19937& random);

}  // namespace skipper::cpu::testing
