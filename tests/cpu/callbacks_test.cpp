// Ends of their own on the CPU: padded inputs, cropped outputs, functions on load and store; each against the same
// problem done in the long way.
#include "cpu/callbacks.h"

#include <gtest/gtest.h>

#include <atomic>
#include <complex>

#include "cpu/oracle.h"
#include "cpu/shapes.h"

namespace skipper::cpu::testing {
namespace {

/// The array of a whole side out of a part of it: zeros around, or what lies within.
template <class T>
std::vector<T> padded(Problem const& partial, Problem const& whole, std::vector<T> const& in, Index parts) {
  std::vector<T> all(static_cast<std::size_t>(in_bytes(whole)) / sizeof(T));
  Layout const from = layout(partial, false), to = layout(whole, false);
  std::vector<Index> places;
  each_point(from.sizes, to.strides, [&](Index, Index at) { places.push_back(at); });
  each_point(from.sizes, from.strides, [&](Index i, Index at) {
    for (Index part = 0; part < parts; ++part) all[places[i] * parts + part] = in[at * parts + part];
  });
  return all;
}

TEST(PassTables, PaddingAndCroppingAreTheWholeProblems) {
  std::mt19937 random(3);
  for (Precision precision : {Precision::f32, Precision::f64})
    for (Problem const& whole : shapes(precision)) {
      Problem p = whole;
      for (std::size_t i = 0; i < p.axes.size(); ++i) {
        if (random() % 4) p.axes[i].in_count = 1 + static_cast<Index>(random()) % in_size(whole, i);
        Index const n = out_size(whole, i);
        if (random() % 4 == 0) continue;
        p.axes[i].out_first = static_cast<Index>(random()) % n;
        p.axes[i].out_count = 1 + static_cast<Index>(random()) % (n - p.axes[i].out_first);
      }
      p = dense_layout(p);
      Problem const dense = dense_layout(whole);
      auto compare = [&]<class T>(T) {
        Index const parts = in_element_bytes(p) / Index(sizeof(T)),
                    out_parts = out_element_bytes(p) / Index(sizeof(T));
        std::vector<T> const x = random_scalars<T>(in_bytes(p) / Index(sizeof(T)), 9);
        std::vector<T> const y = done(p, x), all = done(dense, padded(p, dense, x, parts));
        Layout const part = layout(p, true), full = layout(dense, true);
        Index first = 0;
        for (std::size_t i = 0; i < p.axes.size(); ++i)
          first += p.axes[i].out_first * dense.axes[i].out_stride;
        std::vector<Index> places;
        each_point(part.sizes, full.strides, [&](Index, Index at) { places.push_back(first + at); });
        double const near = sizeof(T) == 4 ? 2e-5 : 1e-13;
        each_point(part.sizes, part.strides, [&](Index i, Index at) {
          for (Index k = 0; k < out_parts; ++k)
            ASSERT_NEAR(y[at * out_parts + k], all[places[i] * out_parts + k], near) << text(p);
        });
      };
      if (precision == Precision::f32)
        compare(float());
      else
        compare(double());
    }
}

TEST(Functions, OnLoadAndStoreSeeEveryElementOnce) {
  for (int threads : {1, 4}) {
    Problem p = c2c({8, 12}, 50, Precision::f64);
    p.axes[0].in_count = 5;
    p = dense_layout(p);
    std::vector<double> const x = random_scalars<double>(in_bytes(p) / 8, 6);
    std::atomic<Index> loaded = 0, stored = 0;
    Options options;
    options.threads = threads;
    options.load = [&](CallbackRun const& run) {
      loaded += run.count;
      for (Index i = 0; i < run.count; ++i) run.as<std::complex<double>>()[i] *= double(run.index[0] + 1);
      EXPECT_LT(run.index[1], 5);
      EXPECT_EQ(run.axis, 2u);
    };
    options.store = [&](CallbackRun const& run) {
      stored += run.count;
      for (Index i = 0; i < run.count; ++i) run.as<std::complex<double>>()[i] /= double(run.index[0] + 1);
    };
    std::vector<double> const plain = done(p, x), changed = done(p, x, options);
    EXPECT_EQ(loaded, 50 * 5 * 12);
    EXPECT_EQ(stored, 50 * 8 * 12);
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_NEAR(plain[i], changed[i], 1e-12);
  }
}

TEST(Functions, WhatTheyThrowIsThrown) {
  Options options;
  options.load = [](CallbackRun const&) { throw Error("window", "is closed"); };
  std::vector<float> x(2 * 16 * 20);
  EXPECT_THROW(done(c2c({16}, 20), x, options), Error);
}

}  // namespace
}  // namespace skipper::cpu::testing
