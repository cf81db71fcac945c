/* The C interface: a transform and back, and what an error looks like. */
#include <skipper/skipper_c.h>

#include <math.h>
#include <stdio.h>

int main(void) {
  long long const shape[2] = {8, 12};
  static float in[2 * 96], out[2 * 96], back[2 * 96];
  skipper_problem problem = skipper_problem_default(); /* c2c, f32, forward, dense, scale 1 */
  skipper_plan_settings settings = skipper_plan_settings_default();
  skipper_plan *plan, *inverse;
  int i;

  problem.rank = 2, problem.shape = shape;
  settings.device = "cpu";
  for (i = 0; i < 2 * 96; ++i) in[i] = (float)(i % 7);
  if (skipper_plan_create(&plan, &problem, &settings) || skipper_plan_create_inverse(&inverse, plan) ||
      skipper_execute(plan, in, out) || skipper_execute(inverse, out, back)) {
    fprintf(stderr, "%s\n", skipper_message());
    return 1;
  }
  skipper_plan_destroy(plan);
  skipper_plan_destroy(inverse);
  for (i = 0; i < 2 * 96; ++i)
    if (fabsf(back[i] - in[i]) > 1e-5f) return 1;

  if (skipper_plan_create_text(&plan, "c2c f32 forward 0x5", NULL) != SKIPPER_BAD_ARGUMENT) return 1;
  printf("skipper %s; an error: %s\n", skipper_version(), skipper_message());
  return 0;
}
