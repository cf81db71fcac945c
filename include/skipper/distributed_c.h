/* The part of the C interface that is about arrays spread over ranks. skipper/skipper_c.h includes it. */
#ifndef SKIPPER_DISTRIBUTED_C_H
#define SKIPPER_DISTRIBUTED_C_H

#include <skipper/skipper_c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays that are spread over ranks, as skipper/distributed.h has them: threads of one process, or processes of MPI
 * (skipper/mpi_c.h, libskipper_mpi). Functions marked collective are called by all ranks, in the same order; where a rank fails,
 * the others fail too. */
typedef struct skipper_communicator skipper_communicator;

/* Ranks that are threads of this process: communicators[r] is for the thread that is rank r, and destroyed by itself. A rank
 * that waits for another longer than `milliseconds` fails; 0 is five minutes. */
int skipper_communicators_create_threads(skipper_communicator** communicators, int ranks,
                                         long long milliseconds);
int skipper_communicator_rank(skipper_communicator const* communicator, int* rank, int* ranks);
/* Plans that were made with it keep what they need. Takes a null pointer too. */
void skipper_communicator_destroy(skipper_communicator* communicator);

enum skipper_exchange {
  SKIPPER_EXCHANGE_AUTOMATIC = 0,
  SKIPPER_EXCHANGE_DIRECT = 1,
  SKIPPER_EXCHANGE_MESSAGES = 2,
  SKIPPER_EXCHANGE_FUSED = 3, /* this and those below: on GPUs */
  SKIPPER_EXCHANGE_SWAP = 4,
  SKIPPER_EXCHANGE_STAGED = 5,
  SKIPPER_EXCHANGE_HOST = 6
};

/* SKIPPER_AXIS_ORDER_PERMUTED spares an exchange where one long axis is split over ranks; FFTW calls it scrambled. What a transform leaves
 * permuted, its inverse over as many ranks takes permuted. */
enum skipper_axis_order { SKIPPER_AXIS_ORDER_NATURAL = 0, SKIPPER_AXIS_ORDER_PERMUTED = 1 };

/* Of a rank on a GPU. */
typedef struct skipper_rank_gpu_settings {
  int streams; /* 1: copies take turns with transforms, 2: they run beside them; 0: chosen */
} skipper_rank_gpu_settings;

/* A box has an entry for each dimension of the array, slowest first: the batch, where it is not 1, then the axes. */
typedef struct skipper_distributed_settings {
  /* This rank's box of the input (null pointers: slabs) and of the output (null pointers: cut as the input is). */
  long long const* in_first;
  long long const* in_size;
  long long const* out_first;
  long long const* out_size;
  int any_output;                /* 1: the output stays where that is cheapest */
  int exchange;                  /* one of skipper_exchange */
  int pieces;                    /* of an exchange by messages or copies; 0: chosen */
  int in_order, out_order;       /* of skipper_axis_order, for an axis that is split over ranks */
  char const* device;            /* of this rank; a null pointer: "cpu" */
  skipper_cpu_settings cpu;      /* of this rank; zeros: its share of the node's cores */
  skipper_rank_gpu_settings gpu; /* of this rank */
  char const* links;             /* null pointers: chosen */
  char const* program;
} skipper_distributed_settings;

skipper_distributed_settings skipper_distributed_settings_default(void);

/* Collective. Problems as plans have them, but without strides: each rank's arrays are its boxes, dense. `settings` may be a null
 * pointer. */
typedef struct skipper_distributed skipper_distributed;
int skipper_distributed_create(skipper_distributed** plan, skipper_problem const* problem,
                               skipper_communicator* communicator,
                               skipper_distributed_settings const* settings);
int skipper_distributed_create_text(skipper_distributed** plan, char const* problem,
                                    skipper_communicator* communicator,
                                    skipper_distributed_settings const* settings);
void skipper_distributed_destroy(skipper_distributed* plan);

/* Collective. The first elements of this rank's boxes; null pointers are fine where a box is empty. */
int skipper_distributed_execute(skipper_distributed const* plan, void const* in, void* out);

/* The same with workspace and a stream of this rank's GPU, as skipper_execute_on. */
int skipper_distributed_execute_on(skipper_distributed const* plan, void const* in, void* out,
                                   skipper_execute_settings const* settings);
int skipper_distributed_workspace_bytes(skipper_distributed const* plan, long long* bytes);

/* How many dimensions boxes have, one more where the digits of a split axis are permuted on a side; the boxes of a rank; and how
 * many elements this rank's arrays need, padding included. */
int skipper_distributed_dimensions(skipper_distributed const* plan, int* dimensions);
int skipper_distributed_in_box(skipper_distributed const* plan, int rank, long long* first, long long* size);
int skipper_distributed_out_box(skipper_distributed const* plan, int rank, long long* first, long long* size);
int skipper_distributed_elements(skipper_distributed const* plan, long long* in, long long* out);

/* The axis of first x second points that is split over ranks, -1 where none is: input j = j1 second + j2 stands permuted as [j2][j1],
 * output k = k1 + first k2 as [k1][k2]. The other pointers may be null pointers. */
int skipper_distributed_split(skipper_distributed const* plan, int* axis, long long* first,
                              long long* second);

/* Which element of the whole array, dense and in natural order, is an element of a rank's box, counted from 0. */
int skipper_distributed_in_index(skipper_distributed const* plan, int rank, long long element,
                                 long long* index);
int skipper_distributed_out_index(skipper_distributed const* plan, int rank, long long element,
                                  long long* index);

/* Exchanges of an execution, the bytes that this rank sends to others in them, and the memory it holds beyond its arrays; any
 * of these may be a null pointer. */
int skipper_distributed_costs(skipper_distributed const* plan, int* exchanges, long long* sent_bytes,
                              long long* memory_bytes);
int skipper_distributed_describe(skipper_distributed const* plan, char* text, long long size,
                                 long long* needed);

/* Poisson problems over ranks, as skipper/distributed_poisson.h has them. */
typedef struct skipper_distributed_poisson skipper_distributed_poisson;
/* Collective. `settings` may be a null pointer. */
int skipper_distributed_poisson_create(skipper_distributed_poisson** poisson,
                                       skipper_poisson_problem const* problem,
                                       skipper_communicator* communicator,
                                       skipper_distributed_settings const* settings);
void skipper_distributed_poisson_destroy(skipper_distributed_poisson* poisson);

/* Collective. Float or double by the precision, both arrays may be one. `defect` may be a null pointer. */
int skipper_distributed_poisson_solve(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                      double* defect);

/* The same with values on boundaries, and with workspace and a stream of this rank's GPU. Values are those for the points of each
 * face that lie beside this rank's box of f. `f` and `phi` are in the memory of the GPU, values in that of the host. */
int skipper_distributed_poisson_solve_on(skipper_distributed_poisson const* poisson, void const* f, void* phi,
                                         skipper_solve_settings const* settings, double* defect);
int skipper_distributed_poisson_workspace_bytes(skipper_distributed_poisson const* poisson, long long* bytes);

/* As those of distributed plans. */
int skipper_distributed_poisson_in_box(skipper_distributed_poisson const* poisson, int rank, long long* first,
                                       long long* size);
int skipper_distributed_poisson_out_box(skipper_distributed_poisson const* poisson, int rank,
                                        long long* first, long long* size);
int skipper_distributed_poisson_elements(skipper_distributed_poisson const* poisson, long long* in,
                                         long long* out);
int skipper_distributed_poisson_costs(skipper_distributed_poisson const* poisson, int* exchanges,
                                      long long* sent_bytes, long long* memory_bytes);
int skipper_distributed_poisson_describe(skipper_distributed_poisson const* poisson, char* text,
                                         long long size, long long* needed);

#ifdef __cplusplus
}
#endif

#endif
