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
/* Not collective: the plan has all ranks, which are GPUs of this process; rank r is devices[r], and one may be named more than once.
 * Boxes in `settings` have the entries of all ranks, one after the other; its device is not given. */
int skipper_distributed_create_devices(skipper_distributed** plan, skipper_problem const* problem,
                                       char const* const* devices, int ranks,
                                       skipper_distributed_settings const* settings);
void skipper_distributed_destroy(skipper_distributed* plan);

/* Collective. The first elements of this rank's boxes; null pointers are fine where a box is empty. */
int skipper_distributed_execute(skipper_distributed const* plan, void const* in, void* out);

/* The same with workspace and a stream of this rank's GPU, as skipper_execute_on. */
int skipper_distributed_execute_on(skipper_distributed const* plan, void const* in, void* out,
                                   skipper_execute_settings const* settings);
int skipper_distributed_workspace_bytes(skipper_distributed const* plan, long long* bytes);

/* Seconds that a rank spent in a stage of an execution, as skipper/distributed.h says. */
typedef struct skipper_stage_times {
  double transform_seconds;
  double move_seconds;
  double wait_seconds;
} skipper_stage_times;

/* Collective. The same, timed: `times` has room for as many stages as `room` says; `stages` (or a null pointer) receives how many
 * there are. What does not fit is left out. */
int skipper_distributed_execute_timed(skipper_distributed const* plan, void const* in, void* out,
                                      skipper_execute_settings const* settings, skipper_stage_times* times,
                                      int room, int* stages);

/* Of a plan that has all ranks: arrays of each, as many as it has ranks. It only enqueues; the output of a rank is there when its
 * stream is. Elements and workspace of a rank are its own. */
typedef struct skipper_rank_arrays {
  void const* in;
  void* out;
  skipper_execute_settings settings;
} skipper_rank_arrays;

skipper_rank_arrays skipper_rank_arrays_default(void);
int skipper_distributed_execute_ranks(skipper_distributed const* plan, skipper_rank_arrays const* arrays,
                                      int ranks);
int skipper_distributed_rank_elements(skipper_distributed const* plan, int rank, long long* in,
                                      long long* out);
int skipper_distributed_rank_workspace_bytes(skipper_distributed const* plan, int rank, long long* bytes);

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

/* What automatic stands for on these GPUs, `count` of them, where it can be; and what it shall stand for. */
int skipper_kept_exchange(char const* const* devices, int count, int* exchange);
int skipper_keep_exchange(char const* const* devices, int count, int exchange);

/* The links that are known by name. */
int skipper_links_count(int* count);
int skipper_links_name(int i, char* text, long long size, long long* needed);

/* What a plan over so many ranks would do on a machine, without running anything, as skipper/distributed_planning.h has it. Boxes in
 * `settings`, which may be a null pointer, have the entries of all ranks, one after the other. */
typedef struct skipper_planned_ranks skipper_planned_ranks;
int skipper_planned_ranks_create(skipper_planned_ranks** planned, skipper_problem const* problem,
                                 char const* machine, int ranks,
                                 skipper_distributed_settings const* settings);
void skipper_planned_ranks_destroy(skipper_planned_ranks* planned);

/* The program, as skipper_distributed_settings.program takes it, and the links. */
int skipper_planned_ranks_text(skipper_planned_ranks const* planned, char* text, long long size,
                               long long* needed);
int skipper_planned_ranks_links(skipper_planned_ranks const* planned, char* text, long long size,
                                long long* needed);

/* Of all stages, and of the rank that needs most memory: its arrays, and what a plan holds beyond them. */
typedef struct skipper_planned_costs {
  double seconds;
  double rank_bandwidth; /* bytes a second of a copy by one rank while all copy, read plus write */
  long long array_bytes;
  long long buffer_bytes;
  int stages; /* how many */
} skipper_planned_costs;

/* A stage and the exchange behind it, as the slowest rank has them. */
typedef struct skipper_planned_stage {
  double transform_seconds;
  double exchange_seconds;
  double seconds;          /* both, overlapped by pieces */
  long long node_bytes;    /* that a rank sends to ranks of its own node */
  long long network_bytes; /* and to those of others */
  long long messages;      /* of a rank */
} skipper_planned_stage;
int skipper_planned_ranks_get(skipper_planned_ranks const* planned, skipper_planned_costs* costs);
int skipper_planned_ranks_get_stage(skipper_planned_ranks const* planned, int stage,
                                    skipper_planned_stage* costs);

/* Poisson problems over ranks, as skipper/distributed_poisson.h has them. */
typedef struct skipper_distributed_poisson skipper_distributed_poisson;
/* Collective. `settings` may be a null pointer. */
int skipper_distributed_poisson_create(skipper_distributed_poisson** poisson,
                                       skipper_poisson_problem const* problem,
                                       skipper_communicator* communicator,
                                       skipper_distributed_settings const* settings);
/* With all ranks, as skipper_distributed_create_devices. */
int skipper_distributed_poisson_create_devices(skipper_distributed_poisson** poisson,
                                               skipper_poisson_problem const* problem,
                                               char const* const* devices, int ranks,
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

/* Of a solver that has all ranks: arrays of each, as many as it has ranks. It waits where the problem is singular, else it only
 * enqueues. */
typedef struct skipper_poisson_rank_arrays {
  void const* f;
  void* phi;
  skipper_solve_settings settings;
} skipper_poisson_rank_arrays;

skipper_poisson_rank_arrays skipper_poisson_rank_arrays_default(void);
int skipper_distributed_poisson_solve_ranks(skipper_distributed_poisson const* poisson,
                                            skipper_poisson_rank_arrays const* arrays, int ranks,
                                            double* defect);
int skipper_distributed_poisson_rank_elements(skipper_distributed_poisson const* poisson, int rank,
                                              long long* in, long long* out);
int skipper_distributed_poisson_rank_workspace_bytes(skipper_distributed_poisson const* poisson, int rank,
                                                     long long* bytes);

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
