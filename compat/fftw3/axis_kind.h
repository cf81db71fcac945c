// Skipper's kinds of real transforms by FFTW's names.
#pragma once

#include <skipper/problem.h>

#include "call.h"

namespace skipper::fftw3 {

/// Not for R2HC and HC2R (is_halfcomplex), which Skipper has no kind for.
inline AxisKind axis_kind(RealKind kind) {
  switch (kind) {
    case RealKind::redft00:
      return AxisKind::dct1;
    case RealKind::redft10:
      return AxisKind::dct2;
    case RealKind::redft01:
      return AxisKind::dct3;
    case RealKind::redft11:
      return AxisKind::dct4;
    case RealKind::rodft00:
      return AxisKind::dst1;
    case RealKind::rodft10:
      return AxisKind::dst2;
    case RealKind::rodft01:
      return AxisKind::dst3;
    case RealKind::rodft11:
      return AxisKind::dst4;
    case RealKind::dht:
      return AxisKind::dht;
    case RealKind::r2hc:
    case RealKind::hc2r:
      break;
  }
  return AxisKind::fourier;
}

}  // namespace skipper::fftw3
