/* The C interface to what the plain calls do not have: a problem by its fields, a function on load, a streamed plan, Poisson's
 * equation with workspace, and a convolution of complex numbers. */
#include <complex.h> /* before the header, which has no word that this makes a macro of */

#include <skipper/skipper_c.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int demand(int code) {
  if (code != SKIPPER_OK) fprintf(stderr, "%s\n", skipper_message());
  return code == SKIPPER_OK;
}

static void twice(void* values, long long count, long long const* index, int axis, void* data) {
  long long i;
  (void)index, (void)axis, (void)data;
  for (i = 0; i < count; ++i) ((float*)values)[i] *= 2;
}

/* Cosines along the rows of an image, sines along its columns, and back. */
static int cosines_and_sines(void) {
  static float in[48 * 64], out[48 * 64], back[48 * 64];
  skipper_axis axes[2] = {skipper_axis_default(), skipper_axis_default()};
  skipper_problem problem = skipper_problem_default();
  skipper_plan_settings settings = skipper_plan_settings_default();
  skipper_plan *plan, *inverse;
  int i, good;

  axes[0].size = 48, axes[0].kind = SKIPPER_AXIS_DST2;
  axes[1].size = 64, axes[1].kind = SKIPPER_AXIS_DCT2;
  problem.kind = SKIPPER_R2R;
  problem.rank = 2, problem.axes = axes;
  settings.device = "cpu";
  settings.callbacks.load = twice;
  for (i = 0; i < 48 * 64; ++i) in[i] = (float)(i % 7);
  if (!demand(skipper_plan_create(&plan, &problem, &settings))) return 0;
  good = demand(skipper_plan_create_inverse(&inverse, plan)) && demand(skipper_execute(plan, in, out)) &&
         demand(skipper_execute(inverse, out, back));
  skipper_plan_destroy(plan);
  skipper_plan_destroy(inverse);
  for (i = 0; good && i < 48 * 64; ++i) good = fabsf(back[i] - 2 * in[i]) < 1e-4f;
  return good;
}

static int go_on(long long done, long long all, void* data) {
  *(long long*)data = all;
  return done <= all;
}

/* 1024 KB of data through 256 KB. */
static int through_little_memory(void) {
  static float in[2 * 64 * 64 * 32], out[2 * 64 * 64 * 32];
  skipper_axis axes[3] = {skipper_axis_default(), skipper_axis_default(), skipper_axis_default()};
  skipper_problem problem = skipper_problem_default();
  skipper_stream_settings settings = skipper_stream_settings_default();
  skipper_stream_plan* plan;
  long long slices = 0;
  int i, trips = 0, good;

  axes[0].size = axes[1].size = 64, axes[2].size = 32;
  problem.rank = 3, problem.axes = axes;
  settings.device = "cpu";
  settings.memory_limit = 256 << 10;
  settings.progress = go_on, settings.progress_data = &slices;
  for (i = 0; i < 2 * 64 * 64 * 32; i += 2) in[i] = 1;
  if (!demand(skipper_stream_plan_create(&plan, &problem, &settings))) return 0;
  good = demand(skipper_stream_plan_costs(plan, &trips, NULL)) &&
         demand(skipper_stream_plan_execute(plan, in, out));
  printf("%d trips, %lld slices\n", trips, slices);
  skipper_stream_plan_destroy(plan);
  return good && out[0] == 64 * 64 * 32;
}

/* phi'' = 0 between 0 and 7: a straight line, in every one of four columns. */
static int straight_lines(void) {
  skipper_poisson_axis axes[2] = {skipper_poisson_axis_default(), skipper_poisson_axis_default()};
  skipper_poisson_problem problem = skipper_poisson_problem_default();
  double const seven[4] = {7, 7, 7, 7};
  void const* high[2] = {NULL, NULL};
  double f[24] = {0}, phi[24];
  skipper_plan_settings settings = skipper_plan_settings_default();
  skipper_solve_settings with = skipper_solve_settings_default();
  skipper_poisson* poisson;
  long long bytes = 0;
  void* memory;
  int i, good;

  axes[0].size = 6, axes[0].length = 7, axes[0].low = axes[0].high = SKIPPER_BOUNDARY_DIRICHLET,
  axes[0].centring = SKIPPER_CENTRING_NODE;
  axes[1].size = 4, axes[1].length = 4;
  problem.precision = SKIPPER_F64;
  problem.rank = 2, problem.axes = axes;
  high[0] = seven;
  with.high = high;
  settings.device = "cpu";
  if (!demand(skipper_poisson_create(&poisson, &problem, &settings))) return 0;
  good = demand(skipper_poisson_workspace_bytes(poisson, &bytes));
  memory = malloc((size_t)bytes + 64);
  with.workspace = (char*)memory + (64 - (size_t)memory % 64) % 64;
  good = good && memory && demand(skipper_poisson_solve_on(poisson, f, phi, &with, NULL));
  free(memory);
  skipper_poisson_destroy(poisson);
  for (i = 0; good && i < 24; ++i) good = fabs(phi[i] - (1 + i / 4)) < 1e-12;
  return good;
}

/* Three numbers, convolved with 1 and i. */
static int complex_kernel(void) {
  long long const shape = 3, kernel_shape = 2;
  float complex const in[3] = {1, 2, 3}, kernel[2] = {1, I}, exact[4] = {1, 2 + I, 3 + 2 * I, 3 * I};
  float complex out[4];
  skipper_convolution_problem problem = skipper_convolution_problem_default();
  skipper_plan_settings settings = skipper_plan_settings_default();
  skipper_convolution* convolution;
  int i, good;

  problem.is_complex = 1;
  problem.rank = 1, problem.shape = &shape, problem.kernel_shape = &kernel_shape;
  settings.device = "cpu";
  if (!demand(skipper_convolution_create(&convolution, &problem, kernel, &settings))) return 0;
  good = demand(skipper_convolve(convolution, in, out));
  skipper_convolution_destroy(convolution);
  for (i = 0; good && i < 4; ++i) good = cabsf(out[i] - exact[i]) < 1e-5f;
  return good;
}

int main(void) {
  return cosines_and_sines() && through_little_memory() && straight_lines() && complex_kernel() ? 0 : 1;
}
