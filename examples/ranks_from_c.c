/* The C interface to distributed plans: a spectrum over three ranks that are threads, and back. With MPI each process is a rank,
 * and skipper_mpi_communicator() of skipper/mpi_c.h makes its communicator. */
#include <skipper/skipper_c.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ranks = 3 };

/* 0 where everything is right. */
static int transform(skipper_communicator* communicator) {
  skipper_distributed *there = NULL, *back = NULL;
  skipper_distributed_settings settings = skipper_distributed_settings_default();
  long long first[3], size[3], from_first[3], from_size[3], in = 0, out = 0, i;
  int rank, all, exchanges = 0, wrong = 1;
  float *f = NULL, *spectrum = NULL, *again = NULL;

  /* The spectrum stays where that is cheapest; the way back begins there, and ends where it came from. */
  settings.any_output = 1;
  if (skipper_communicator_rank(communicator, &rank, &all) ||
      skipper_distributed_create_text(&there, "r2c f32 forward 12x10x8", communicator, &settings) ||
      skipper_distributed_in_box(there, rank, from_first, from_size) ||
      skipper_distributed_out_box(there, rank, first, size) || skipper_distributed_elements(there, &in, &out))
    goto end;
  settings.any_output = 0;
  settings.in_first = first;
  settings.in_size = size;
  settings.out_first = from_first;
  settings.out_size = from_size;
  if (skipper_distributed_create_text(&back, "c2r f32 inverse 12x10x8", communicator, &settings) ||
      skipper_distributed_elements(back, &out, &in) ||
      skipper_distributed_costs(back, &exchanges, NULL, NULL))
    goto end;
  f = calloc((size_t)in + 1, sizeof(float));
  spectrum = calloc((size_t)out + 1, 2 * sizeof(float));
  again = calloc((size_t)in + 1, sizeof(float));
  if (!f || !spectrum || !again) goto end;
  for (i = 0; i < in; ++i) f[i] = (float)((i * 7 + rank) % 11);
  if (skipper_distributed_execute(there, f, spectrum) || skipper_distributed_execute(back, spectrum, again))
    goto end;
  wrong = 0;
  for (i = 0; i < in; ++i) wrong |= fabsf(again[i] / 960 - f[i]) > 1e-4f;

end:
  if (wrong) fprintf(stderr, "%s\n", skipper_message());
  free(f);
  free(spectrum);
  free(again);
  skipper_distributed_destroy(there);
  skipper_distributed_destroy(back);
  return wrong;
}

static void* rank_thread(void* communicator) {
  int const wrong = transform(communicator);
  skipper_communicator_destroy(communicator);
  return wrong ? communicator : NULL;
}

int main(void) {
  skipper_communicator* communicators[ranks];
  pthread_t threads[ranks];
  int r, wrong = 0;
  if (skipper_communicators_create_threads(communicators, ranks, 0)) return 1;
  for (r = 0; r < ranks; ++r) pthread_create(&threads[r], NULL, rank_thread, communicators[r]);
  for (r = 0; r < ranks; ++r) {
    void* failed = NULL;
    pthread_join(threads[r], &failed);
    wrong |= failed != NULL;
  }
  return wrong;
}
