// The shortest way: a complex transform of a cube and back.
#include <skipper/skipper.h>

#include <cstdio>

int main() {
  std::size_t const points = 32 * 32 * 32;
  std::vector<std::complex<float>> in(points), out(points), back(points);
  in[1] = 1;

  skipper::Plan plan({32, 32, 32});
  plan.execute(in.data(), out.data());
  skipper::Plan const inverse = plan.inverse();  // scaled by 1/N
  inverse.execute(out.data(), back.data());

  std::printf("%s", plan.describe().c_str());
  std::printf("out[5] = %.6f %+.6f i, back[1] = %.6f\n", out[5].real(), out[5].imag(), back[1].real());
  return std::abs(back[1] - in[1]) < 1e-6f ? 0 : 1;
}
