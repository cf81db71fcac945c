/* A program that transforms in double and in long double: the former by Skipper, the latter by FFTW's own library. Prints who
 * computed what; 1 where a result is wrong. */
#include <fftw3.h>
#include <stdio.h>

int main(void) {
  fftw_complex x[4] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  fftwl_complex y[4] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  fftw_plan p = fftw_plan_dft_1d(4, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwl_plan q = fftwl_plan_dft_1d(4, y, y, FFTW_FORWARD, FFTW_ESTIMATE);
  int good = p && q;
  if (good) {
    fftw_execute(p);
    fftwl_execute(q);
    good = x[0][0] == 10 && x[1][0] == -2 && x[1][1] == 2 && y[0][0] == 10 && y[1][0] == -2 && y[1][1] == 2;
  }
  fftw_destroy_plan(p);
  fftwl_destroy_plan(q);
  printf("%s and %s\n", fftw_version, fftwl_version);
  return !good;
}
