/* The C interface, for C, Fortran and everything that calls C: plain integers, pointers and texts.
 * Every function that can fail returns a code, SKIPPER_OK or one of the others; the message of the last failure on
 * the calling thread is skipper_message(). Nothing throws, prints or aborts. Plans may be executed from many threads
 * at once. Fortran: compile skipper.f90, which lies beside this file.
 *
 * Structs begin as their function ..._default() gives them, and fields are set by name: what later versions add then has its default
 * when the program is compiled again. Structs of settings are all zeros by default. A library of another minor version has another
 * file name, so structs of two versions never meet. */
#ifndef SKIPPER_C_H
#define SKIPPER_C_H

#include <skipper/version.h> /* SKIPPER_VERSION and its parts, for #if */

#ifdef __cplusplus
extern "C" {
#endif

enum skipper_code {
  SKIPPER_OK = 0,
  SKIPPER_BAD_ARGUMENT = 1, /* the message names the argument, the limit and the way out */
  SKIPPER_NO_DEVICE = 2,    /* no such device, or not in this build */
  SKIPPER_NO_MEMORY = 3,
  SKIPPER_INTERNAL = 4, /* a fault of Skipper */
  SKIPPER_CALLBACK = 5, /* a function of the caller's threw; the message is what it threw */
  SKIPPER_CANCELLED = 6 /* a progress function of the caller's said so */
};

enum skipper_kind { SKIPPER_C2C = 0, SKIPPER_R2C = 1, SKIPPER_C2R = 2, SKIPPER_R2R = 3 };
/* f16 and bf16: 16 bits in memory, computed in f32 */
enum skipper_precision { SKIPPER_F16 = 16, SKIPPER_BF16 = 17, SKIPPER_F32 = 32, SKIPPER_F64 = 64 };
/* The sign of the exponent, and nothing else: neither is normalised, outputs are multiplied by `scale` alone. So a transform there
 * and one with SKIPPER_INVERSE back multiply by the number of points; skipper_plan_create_inverse() makes the plan that is scaled by
 * one over it. r2c and r2r are always forward, c2r is always inverse. */
enum skipper_direction { SKIPPER_FORWARD = -1, SKIPPER_INVERSE = 1 };

/* What is computed along an axis; the definitions are in skipper/problem.h. */
enum skipper_axis_kind {
  SKIPPER_AXIS_FOURIER = 0,
  SKIPPER_AXIS_DCT1 = 1,
  SKIPPER_AXIS_DCT2 = 2,
  SKIPPER_AXIS_DCT3 = 3,
  SKIPPER_AXIS_DCT4 = 4,
  SKIPPER_AXIS_DST1 = 5,
  SKIPPER_AXIS_DST2 = 6,
  SKIPPER_AXIS_DST3 = 7,
  SKIPPER_AXIS_DST4 = 8,
  SKIPPER_AXIS_DHT = 9
};
enum skipper_order { SKIPPER_ORDER_NATURAL = 0, SKIPPER_ORDER_REVERSED = 1, SKIPPER_ORDER_FROM_REVERSED = 2 };
enum skipper_norm { SKIPPER_NORM_NONE = 0, SKIPPER_NORM_ORTHO = 1 };

/* A transformed dimension. Strides count elements of their side and are not negative. Where all strides of a problem are zero its
 * arrays are dense and row-major, the batch outermost; else both sides have theirs, all of them: but an in_stride of 0 of a batch
 * dimension gives all transforms one input. */
typedef struct skipper_axis {
  long long size;
  long long in_stride, out_stride;
  int kind;                                 /* of skipper_axis_kind */
  long long in_count, out_first, out_count; /* what is stored of the axis; zeros: all of it */
} skipper_axis;

/* A batch dimension. */
typedef struct skipper_dim {
  long long size;
  long long in_stride, out_stride;
} skipper_dim;

/* A problem by its fields, as skipper/problem.h has them. */
typedef struct skipper_problem {
  int kind;      /* of skipper_kind */
  int precision; /* of skipper_precision */
  int direction; /* of skipper_direction */
  int rank;      /* how many axes */
  /* Slowest first. Either the axes, or the sizes alone of Fourier axes; the other one is a null pointer. */
  skipper_axis const* axes;
  long long const* shape;
  int batch_rank;           /* how many batch dimensions; 0: one transform */
  skipper_dim const* batch; /* slowest first */
  double scale;             /* of every output; 0 is refused */
  int in_place;             /* 0 or 1 */
  int order;                /* of skipper_order */
  int norm;                 /* of skipper_norm */
} skipper_problem;

/* Of one point, without strides. */
skipper_axis skipper_axis_default(void);
skipper_dim skipper_dim_default(void);

/* c2c, f32, forward, out of place, dense, scale 1, and no axes yet. */
skipper_problem skipper_problem_default(void);

/* Fails unless the problem can be computed as it stands. */
int skipper_problem_check(skipper_problem const* problem);

/* The bytes of either array, from the beginning of its first element to the end of its last one; in place both are those of the one
 * array. */
int skipper_problem_bytes(skipper_problem const* problem, long long* in, long long* out);

/* The problem as one line of text. Copies it, ended by a zero, into `text` of `size` bytes; `needed` (or a null pointer) receives the
 * bytes that all of it takes, the zero included. What does not fit is left out. So do all functions that give a text. */
int skipper_problem_text(skipper_problem const* problem, char* text, long long size, long long* needed);

/* Problems that the library gives: `axes` and `batch` are arrays of the caller's with room for SKIPPER_MAX_RANK entries each, which
 * `given` then points to. That of a text; and the one that undoes a problem, scaled so that the way there and back is the identity. */
enum skipper_limit { SKIPPER_MAX_RANK = 64 };
int skipper_problem_read(char const* text, skipper_problem* given, skipper_axis* axes, skipper_dim* batch);
int skipper_problem_inverse(skipper_problem const* problem, skipper_problem* given, skipper_axis* axes,
                            skipper_dim* batch);

/* 16-bit storage and back: `count` numbers. To f16 and bf16 they are rounded to nearest, ties to even. */
int skipper_f16_from_f32(float const* from, unsigned short* to, long long count);
int skipper_bf16_from_f32(float const* from, unsigned short* to, long long count);
int skipper_f32_from_f16(unsigned short const* from, float* to, long long count);
int skipper_f32_from_bf16(unsigned short const* from, float* to, long long count);

/* A function that sees elements as they are read or written: `count` of them in a buffer, float or double, real or
 * complex as that side is, which it may change; `index` is that of the first, batch dimensions and then axes, and entry
 * `axis` of it counts on from element to element. Called by several threads at once. In C++ it may throw: the execution
 * then ends with SKIPPER_CALLBACK. */
typedef void (*skipper_callback)(void* values, long long count, long long const* index, int axis, void* data);

/* Who runs the tasks of a CPU plan, where the program has threads of its own: calls task(i, context) for every i
 * from 0 to tasks - 1 once, in any order and on any threads, and returns when all have returned; to call them one after the
 * other is right too. It may be called by several threads at once. */
typedef void (*skipper_task_function)(int index, void* context);
typedef void (*skipper_run_function)(int tasks, skipper_task_function task, void* context, void* data);
typedef struct skipper_executor {
  skipper_run_function run; /* a null pointer: the default one, see skipper_set_executor */
  int threads;              /* how many tasks it runs at once; 0: one for each core */
  void* data;               /* what `run` is called with */
} skipper_executor;

typedef struct skipper_cpu_settings {
  int threads; /* 0: those of the executor, or one for each core */
  skipper_executor executor;
  char const* instruction_set; /* a null pointer: the best */
} skipper_cpu_settings;

/* What a plan on a GPU does with arrays in host memory. By device: staged for the best device, else refused. */
enum skipper_host_arrays {
  SKIPPER_HOST_ARRAYS_BY_DEVICE = 0,
  SKIPPER_HOST_ARRAYS_REFUSED = 1,
  SKIPPER_HOST_ARRAYS_STAGED = 2
};

typedef struct skipper_gpu_settings {
  int host_arrays; /* of skipper_host_arrays */
  char const*
      program; /* what to run, as skipper_candidates_text gives it; a null pointer: what the planner chooses */
  char const* tuning; /* the file to read tuned programs from; a null pointer: the usual one */
} skipper_gpu_settings;

/* Functions on load and store: for a CPU pointers, for a GPU texts in CUDA C++ such as
 * "Value on_load(Value x, long long place, void* data) { return 2 * x; }", and on_store. Null pointers: none. */
typedef struct skipper_callbacks {
  skipper_callback load;
  void* load_data; /* what `load` is called with; refused without it */
  skipper_callback store;
  void* store_data;
  char const* cuda_load;
  char const* cuda_store;
  void*
      cuda_data; /* what both texts are called with: device memory, or a null pointer; refused without a text */
} skipper_callbacks;

/* Settings of a CPU are not looked at on the best device where that is a GPU, and the reverse; where `device` names one of the other
 * sort they are refused. */
typedef struct skipper_plan_settings {
  char const* device; /* a null pointer: the best one */
  skipper_callbacks callbacks;
  skipper_cpu_settings cpu;
  skipper_gpu_settings gpu;
} skipper_plan_settings;

skipper_plan_settings skipper_plan_settings_default(void);

typedef struct skipper_plan skipper_plan;

/* Any problem by its fields. `settings` may be a null pointer. After a failure *plan is a null pointer, as with all functions that
 * make something. */
int skipper_plan_create(skipper_plan** plan, skipper_problem const* problem,
                        skipper_plan_settings const* settings);

/* The same by the text of the problem: "c2c f64 forward 64x64 batch 8 in-place", "r2r f32 forward 100 kinds dct2". */
int skipper_plan_create_text(skipper_plan** plan, char const* problem, skipper_plan_settings const* settings);

/* The plan that undoes this one, scaled so that the way there and back is the identity. (A plan in the direction SKIPPER_INVERSE is
 * scaled by its `scale` alone: made with 1, it gives the product of the sizes times that.)
 * After a failure *inverse is a null pointer, unless it held `plan`, which it then still does; the caller destroys both. */
int skipper_plan_create_inverse(skipper_plan** inverse, skipper_plan const* plan);

/* Takes a null pointer too. */
void skipper_plan_destroy(skipper_plan* plan);

/* Computes. In place `in` and `out` are the same; else dense arrays that overlap are refused. */
int skipper_execute(skipper_plan const* plan, void const* in, void* out);

/* What an execution may be given beside its arrays, each by its name: skipper_execute_settings with = {.stream = stream}. */
typedef struct skipper_execute_settings {
  /* How many bytes the workspace has; fewer than are needed are refused. 0: not checked. It stands first so that a compiler objects
   * to {stream}. */
  long long workspace_bytes;

  /* The caller's: host memory on a CPU, as malloc() aligns it; device memory on a GPU, aligned to 64 bytes. Two executions at once
   * need two. A null pointer: it is taken and given back as needed, on a GPU in stream order. */
  void* workspace;

  /* CUstream or cudaStream_t of the GPU; a null pointer is the default one, and the only one on a CPU. */
  void* stream;
} skipper_execute_settings;

skipper_execute_settings skipper_execute_settings_default(void);

/* The same with settings, which may be a null pointer. */
int skipper_execute_on(skipper_plan const* plan, void const* in, void* out,
                       skipper_execute_settings const* settings);

int skipper_workspace_bytes(skipper_plan const* plan, long long* bytes);

/* As skipper_problem_bytes. */
int skipper_array_bytes(skipper_plan const* plan, long long* in, long long* out);

/* What the plan was made of, as skipper_problem_read gives it, and the name of its device, never "best". */
int skipper_plan_problem(skipper_plan const* plan, skipper_problem* given, skipper_axis* axes,
                         skipper_dim* batch);
int skipper_plan_device(skipper_plan const* plan, char* text, long long size, long long* needed);

/* What executing does, sweep by sweep. */
int skipper_describe(skipper_plan const* plan, char* text, long long size, long long* needed);

/* Where the time of making the plan went: its parts in the order they came, the name of part i and its seconds (or a null pointer). */
int skipper_plan_timing_count(skipper_plan const* plan, int* count);
int skipper_plan_timing(skipper_plan const* plan, int i, char* name, long long size, long long* needed,
                        double* seconds);

/* Convolutions and correlations of dense arrays, as skipper/convolution.h has them. */
enum skipper_mode { /* none is 0, so that a struct of zeros is refused */
                    SKIPPER_MODE_CIRCULAR = 1,
                    SKIPPER_MODE_FULL = 2,
                    SKIPPER_MODE_SAME = 3,
                    SKIPPER_MODE_VALID = 4
};

/* What is convolved, by its fields. */
typedef struct skipper_convolution_problem {
  int precision;
  int is_complex; /* 0 or 1: data, kernel and outputs */
  int rank;
  long long const* shape;        /* of one array of data, slowest axis first */
  long long const* kernel_shape; /* of the kernel, of the same rank */
  int mode;                      /* of skipper_mode */
  int correlate;                 /* 0 or 1 */
  long long batch;               /* arrays of data, one after the other */
  long long kernels;             /* 1: the same for all; else as many as there are arrays */
  double scale;                  /* of the outputs; 0 is refused */
} skipper_convolution_problem;

/* Full, of reals, f32, one array and one kernel, scale 1, and no shapes yet. */
skipper_convolution_problem skipper_convolution_problem_default(void);

/* The kernel is in host memory and not needed afterwards. `settings` may be a null pointer; programs and tuning are not taken. */
typedef struct skipper_convolution skipper_convolution;
int skipper_convolution_create(skipper_convolution** convolution, skipper_convolution_problem const* problem,
                               void const* kernel, skipper_plan_settings const* settings);
void skipper_convolution_destroy(skipper_convolution* convolution);

/* The sizes of one array of outputs, `rank` of them. */
int skipper_convolution_out_shape(skipper_convolution const* convolution, long long* shape);
int skipper_convolve(skipper_convolution const* convolution, void const* in, void* out);

/* With workspace and stream, as skipper_execute_on. */
int skipper_convolve_on(skipper_convolution const* convolution, void const* in, void* out,
                        skipper_execute_settings const* settings);
int skipper_convolution_workspace_bytes(skipper_convolution const* convolution, long long* bytes);

int skipper_convolution_device(skipper_convolution const* convolution, char* text, long long size,
                               long long* needed);
int skipper_convolution_describe(skipper_convolution const* convolution, char* text, long long size,
                                 long long* needed);

/* Programs of a GPU, and tuning. What the planner may use, and how many candidates it gives at most: 1, 1 and 4 by default. */
typedef struct skipper_planning_options {
  int clusters;       /* 1: hold tiles in clusters of blocks, where the machine has them */
  int l2_blocks;      /* 1: run pairs of sweeps through L2 */
  int max_candidates; /* programs to give */
} skipper_planning_options;

skipper_planning_options skipper_planning_options_default(void);

/* The planner's candidates for a problem on a machine, the best first, at least one. `machine` is a name such as "h200", "host", or a
 * text as skipper_machine_text gives. `options` may be a null pointer. */
typedef struct skipper_candidates skipper_candidates;
int skipper_candidates_create(skipper_candidates** candidates, skipper_problem const* problem,
                              char const* machine, skipper_planning_options const* options);
void skipper_candidates_destroy(skipper_candidates* candidates);
int skipper_candidates_count(skipper_candidates const* candidates, int* count);
/* Candidate i as skipper_gpu_settings.program takes it. */
int skipper_candidates_text(skipper_candidates const* candidates, int i, char* text, long long size,
                            long long* needed);

/* What is predicted of a candidate, and of a sweep of it. Estimates are in copies of the data: 1 is as fast as a copy. */
typedef struct skipper_candidate {
  double estimate;
  double seconds;
  int sweeps; /* how many */
} skipper_candidate;
typedef struct skipper_planned_sweep {
  double estimate;
  int blocks; /* of the cluster that holds a tile; 1: one block or thread */
  long long tile_bytes;
  long long read_segment_bytes;
  long long write_segment_bytes;
  long long l2_block_bytes; /* what this sweep and the next take at a time through L2; 0: all */
} skipper_planned_sweep;
int skipper_candidates_get(skipper_candidates const* candidates, int i, skipper_candidate* candidate);
int skipper_candidates_get_sweep(skipper_candidates const* candidates, int i, int sweep,
                                 skipper_planned_sweep* planned);

/* The machines that are known by name, beside "host", and the facts about one as a line of text. */
int skipper_machine_count(int* count);
int skipper_machine_name(int i, char* text, long long size, long long* needed);
int skipper_machine_text(char const* machine, char* text, long long size, long long* needed);

/* The file that plans for the device read tuned programs from unless their settings name another; "" where none is kept. */
int skipper_tuning_file(char const* device, char* text, long long size, long long* needed);
/* Writes `count` programs into the file, in place of those that it has for the same problems. */
int skipper_keep_tuned(char const* file, char const* device, char const* const* programs, int count);

/* Devices that can be used here, the best first: their names, as `device` takes them, a line for people, their facts as one line, and
 * the instruction sets of a CPU, the best first, with a space between two. */
int skipper_device_count(int* count);
int skipper_device_name(int i, char* text, long long size, long long* needed);
int skipper_device_title(int i, char* text, long long size, long long* needed);
int skipper_device_machine(int i, char* text, long long size, long long* needed);
int skipper_device_instruction_sets(int i, char* text, long long size, long long* needed);

/* What a GPU lacks to be one of them, a sentence a line; "" where nothing is missing. */
int skipper_missing_for_gpu(char* text, long long size, long long* needed);

/* Data in host memory, or in mapped files, through a device that need not hold them all, as skipper/stream.h has it. */
enum skipper_strategy {
  SKIPPER_STRATEGY_AUTOMATIC = 0,
  SKIPPER_STRATEGY_HOST_AND_DEVICE = 1,
  SKIPPER_STRATEGY_DEVICE_ONLY = 2
};

/* Called on the calling thread after every slice; 0 stops the execution, which then ends with SKIPPER_CANCELLED. */
typedef int (*skipper_progress_function)(long long slices_done, long long slices, void* data);

typedef struct skipper_stream_settings {
  char const* device;                 /* a null pointer: the best one */
  long long memory_limit;             /* bytes of device memory, on a CPU of all buffers; 0: what is free */
  int strategy;                       /* of skipper_strategy */
  int pinned;                         /* 1: arrays will be pinned */
  skipper_cpu_settings cpu;           /* of the host, whichever the device is */
  skipper_progress_function progress; /* or a null pointer */
  void* progress_data;                /* what it is called with */
} skipper_stream_settings;

skipper_stream_settings skipper_stream_settings_default(void);

typedef struct skipper_stream_plan skipper_stream_plan;
int skipper_stream_plan_create(skipper_stream_plan** plan, skipper_problem const* problem,
                               skipper_stream_settings const* settings);
void skipper_stream_plan_destroy(skipper_stream_plan* plan);
/* Host pointers. Executions of one plan take turns. */
int skipper_stream_plan_execute(skipper_stream_plan const* plan, void const* in, void* out);
/* With workspace, which is host memory; a stream is refused, since the plan has its own. `settings` may be a null pointer. */
int skipper_stream_plan_execute_on(skipper_stream_plan const* plan, void const* in, void* out,
                                   skipper_execute_settings const* settings);
int skipper_stream_plan_workspace_bytes(skipper_stream_plan const* plan, long long* bytes);
/* How often data go to the device and back, and the most of its memory at once; either may be a null pointer. */
int skipper_stream_plan_costs(skipper_stream_plan const* plan, int* trips, long long* device_bytes);
int skipper_stream_plan_device(skipper_stream_plan const* plan, char* text, long long size,
                               long long* needed);
int skipper_stream_plan_describe(skipper_stream_plan const* plan, char* text, long long size,
                                 long long* needed);

/* Poisson and Helmholtz problems on a box, as skipper/poisson.h has them. */
enum skipper_boundary {
  SKIPPER_BOUNDARY_PERIODIC = 0,
  SKIPPER_BOUNDARY_NEUMANN = 1,
  SKIPPER_BOUNDARY_DIRICHLET = 2
};
enum skipper_centring { SKIPPER_CENTRING_CELL = 0, SKIPPER_CENTRING_NODE = 1 };
enum skipper_symbols { SKIPPER_SYMBOLS_SECOND_ORDER = 0, SKIPPER_SYMBOLS_SPECTRAL = 1 };
enum skipper_zero_mode {
  SKIPPER_ZERO_MODE_ZERO_MEAN = 0,
  SKIPPER_ZERO_MODE_PIN = 1,
  SKIPPER_ZERO_MODE_ERROR = 2
};

typedef struct skipper_poisson_axis {
  long long size;              /* unknowns */
  double length;               /* of the box */
  int low, high;               /* of skipper_boundary */
  int centring;                /* of skipper_centring */
  int tridiagonal;             /* 0 or 1 */
  long long coordinates_count; /* of a stretched grid, else 0 */
  double const* coordinates;
} skipper_poisson_axis;

/* Of one unknown, periodic, of length 1. */
skipper_poisson_axis skipper_poisson_axis_default(void);

/* A problem by its fields. */
typedef struct skipper_poisson_problem {
  int precision;
  int is_complex; /* 1: both arrays are; for skipper_stream_poisson alone, and without values on boundaries */
  int rank;       /* 1 to 3 */
  skipper_poisson_axis const* axes; /* slowest first */
  double shift;
  int symbols;   /* of skipper_symbols */
  int zero_mode; /* of skipper_zero_mode */
} skipper_poisson_problem;

/* Of reals, f32, no shift, symbols of second order, mean zero, and no axes yet. */
skipper_poisson_problem skipper_poisson_problem_default(void);

/* 1 where phi is determined only up to a constant, else 0; and where the unknowns of an axis are, as many as its size. */
int skipper_poisson_is_singular(skipper_poisson_problem const* problem, int* singular);
int skipper_poisson_points(skipper_poisson_axis const* axis, double* points);

/* What a solve may be given beside its arrays, each by its name: skipper_solve_settings with = {.stream = stream}. */
typedef struct skipper_solve_settings {
  long long workspace_bytes; /* of `workspace`: as in skipper_execute_settings */

  /* Values on the low and on the high sides: null pointers, or an entry for each axis: a null pointer, or a value for each point
   * of the face, float or double by the precision, in host memory. */
  void const* const* low;
  void const* const* high;

  void* workspace; /* and stream: as there */
  void* stream;
} skipper_solve_settings;

skipper_solve_settings skipper_solve_settings_default(void);

typedef struct skipper_poisson skipper_poisson;
/* `settings` may be a null pointer; functions, programs and tuning are not taken. */
int skipper_poisson_create(skipper_poisson** poisson, skipper_poisson_problem const* problem,
                           skipper_plan_settings const* settings);
void skipper_poisson_destroy(skipper_poisson* poisson);

/* Float or double by the precision, both arrays may be one. `defect` may be a null pointer. */
int skipper_poisson_solve(skipper_poisson const* poisson, void const* f, void* phi, double* defect);
/* With values on boundaries, workspace and stream; `settings` may be a null pointer. */
int skipper_poisson_solve_on(skipper_poisson const* poisson, void const* f, void* phi,
                             skipper_solve_settings const* settings, double* defect);
int skipper_poisson_workspace_bytes(skipper_poisson const* poisson, long long* bytes);
int skipper_poisson_device(skipper_poisson const* poisson, char* text, long long size, long long* needed);
int skipper_poisson_describe(skipper_poisson const* poisson, char* text, long long size, long long* needed);

/* The same of arrays in host memory, through a device that need not hold them, as skipper/stream_poisson.h has it. A workspace is
 * host memory, and a stream is refused. */
typedef struct skipper_stream_poisson skipper_stream_poisson;
int skipper_stream_poisson_create(skipper_stream_poisson** poisson, skipper_poisson_problem const* problem,
                                  skipper_stream_settings const* settings);
void skipper_stream_poisson_destroy(skipper_stream_poisson* poisson);
int skipper_stream_poisson_solve(skipper_stream_poisson const* poisson, void const* f, void* phi,
                                 double* defect);
int skipper_stream_poisson_solve_on(skipper_stream_poisson const* poisson, void const* f, void* phi,
                                    skipper_solve_settings const* settings, double* defect);
int skipper_stream_poisson_workspace_bytes(skipper_stream_poisson const* poisson, long long* bytes);
/* How often data go to the device and back, and the most of its memory at once; either may be a null pointer. */
int skipper_stream_poisson_costs(skipper_stream_poisson const* poisson, int* trips, long long* device_bytes);
int skipper_stream_poisson_device(skipper_stream_poisson const* poisson, char* text, long long size,
                                  long long* needed);
int skipper_stream_poisson_describe(skipper_stream_poisson const* poisson, char* text, long long size,
                                    long long* needed);

/* Who runs the tasks of CPU plans and convolutions that are made from now on and name no one. Plans with `threads` 0 are made for as
 * many as it has. A null pointer is Skipper's own threads again; `threads` without `run` is refused. */
int skipper_set_executor(skipper_executor const* executor);

/* Of the last failure on this thread; "" before the first. Valid until the next failure on it. */
char const* skipper_message(void);

/* "0.1.0": that of the library that runs; SKIPPER_VERSION is that of the header. */
char const* skipper_version(void);

#ifdef __cplusplus
}
#endif

#include <skipper/distributed_c.h> /* plans and Poisson problems over ranks */

#endif
