! The C interface as a Fortran module. Compile it with the program that uses it; arrays are passed as c_loc(x).
! Shapes are those of C, slowest axis first: a Fortran array x(n1, n2, n3) has the shape [n3, n2, n1]. Texts that are handed in
! end in c_null_char; skipper_c.h says what each function does. Constants, types and functions are all of that file's.
module skipper
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: SKIPPER_OK = 0, SKIPPER_BAD_ARGUMENT = 1, SKIPPER_NO_DEVICE = 2
  integer(c_int), parameter :: SKIPPER_NO_MEMORY = 3, SKIPPER_INTERNAL = 4, SKIPPER_CALLBACK = 5
  integer(c_int), parameter :: SKIPPER_CANCELLED = 6
  integer(c_int), parameter :: SKIPPER_C2C = 0, SKIPPER_R2C = 1, SKIPPER_C2R = 2, SKIPPER_R2R = 3
  integer(c_int), parameter :: SKIPPER_F16 = 16, SKIPPER_BF16 = 17, SKIPPER_F32 = 32, SKIPPER_F64 = 64
  integer(c_int), parameter :: SKIPPER_FORWARD = -1, SKIPPER_INVERSE = 1
  integer(c_int), parameter :: SKIPPER_AXIS_FOURIER = 0, SKIPPER_AXIS_DCT1 = 1, SKIPPER_AXIS_DCT2 = 2
  integer(c_int), parameter :: SKIPPER_AXIS_DCT3 = 3, SKIPPER_AXIS_DCT4 = 4, SKIPPER_AXIS_DST1 = 5
  integer(c_int), parameter :: SKIPPER_AXIS_DST2 = 6, SKIPPER_AXIS_DST3 = 7, SKIPPER_AXIS_DST4 = 8
  integer(c_int), parameter :: SKIPPER_AXIS_DHT = 9
  integer(c_int), parameter :: SKIPPER_ORDER_NATURAL = 0, SKIPPER_ORDER_REVERSED = 1
  integer(c_int), parameter :: SKIPPER_ORDER_FROM_REVERSED = 2
  integer(c_int), parameter :: SKIPPER_NORM_NONE = 0, SKIPPER_NORM_ORTHO = 1
  integer(c_int), parameter :: SKIPPER_MAX_RANK = 64
  integer(c_int), parameter :: SKIPPER_HOST_ARRAYS_BY_DEVICE = 0, SKIPPER_HOST_ARRAYS_REFUSED = 1
  integer(c_int), parameter :: SKIPPER_HOST_ARRAYS_STAGED = 2
  integer(c_int), parameter :: SKIPPER_MODE_CIRCULAR = 1, SKIPPER_MODE_FULL = 2, SKIPPER_MODE_SAME = 3
  integer(c_int), parameter :: SKIPPER_MODE_VALID = 4
  integer(c_int), parameter :: SKIPPER_STRATEGY_AUTOMATIC = 0, SKIPPER_STRATEGY_HOST_AND_DEVICE = 1
  integer(c_int), parameter :: SKIPPER_STRATEGY_DEVICE_ONLY = 2
  integer(c_int), parameter :: SKIPPER_BOUNDARY_PERIODIC = 0, SKIPPER_BOUNDARY_NEUMANN = 1
  integer(c_int), parameter :: SKIPPER_BOUNDARY_DIRICHLET = 2
  integer(c_int), parameter :: SKIPPER_CENTRING_CELL = 0, SKIPPER_CENTRING_NODE = 1
  integer(c_int), parameter :: SKIPPER_SYMBOLS_SECOND_ORDER = 0, SKIPPER_SYMBOLS_SPECTRAL = 1
  integer(c_int), parameter :: SKIPPER_ZERO_MODE_ZERO_MEAN = 0, SKIPPER_ZERO_MODE_PIN = 1
  integer(c_int), parameter :: SKIPPER_ZERO_MODE_ERROR = 2
  integer(c_int), parameter :: SKIPPER_EXCHANGE_AUTOMATIC = 0, SKIPPER_EXCHANGE_DIRECT = 1
  integer(c_int), parameter :: SKIPPER_EXCHANGE_MESSAGES = 2, SKIPPER_EXCHANGE_FUSED = 3, SKIPPER_EXCHANGE_SWAP = 4
  integer(c_int), parameter :: SKIPPER_EXCHANGE_STAGED = 5, SKIPPER_EXCHANGE_HOST = 6
  integer(c_int), parameter :: SKIPPER_AXIS_ORDER_NATURAL = 0, SKIPPER_AXIS_ORDER_PERMUTED = 1

  ! Problems by their fields, as skipper_c.h has them: slowest axis first, axes and batch are c_loc of arrays of these types.
  type, bind(c) :: skipper_axis
    integer(c_long_long) :: size = 1, in_stride = 0, out_stride = 0
    integer(c_int) :: kind = SKIPPER_AXIS_FOURIER
    integer(c_long_long) :: in_count = 0, out_first = 0, out_count = 0
  end type

  type, bind(c) :: skipper_dim
    integer(c_long_long) :: size = 1, in_stride = 0, out_stride = 0
  end type

  ! Axes by axes, or Fourier axes by shape, c_loc of an array of integer(c_long_long).
  type, bind(c) :: skipper_problem
    integer(c_int) :: kind = SKIPPER_C2C, precision = SKIPPER_F32, direction = SKIPPER_FORWARD, rank = 0
    type(c_ptr) :: axes = c_null_ptr, shape = c_null_ptr
    integer(c_int) :: batch_rank = 0
    type(c_ptr) :: batch = c_null_ptr
    real(c_double) :: scale = 1
    integer(c_int) :: in_place = 0, order = SKIPPER_ORDER_NATURAL, norm = SKIPPER_NORM_NONE
  end type

  ! Of CPUs, GPUs and callbacks; as they are, the defaults. Texts are c_loc, functions c_funloc.
  type, bind(c) :: skipper_executor
    type(c_funptr) :: run = c_null_funptr
    integer(c_int) :: threads = 0
    type(c_ptr) :: data = c_null_ptr
  end type

  type, bind(c) :: skipper_cpu_settings
    integer(c_int) :: threads = 0
    type(skipper_executor) :: executor = skipper_executor()
    type(c_ptr) :: instruction_set = c_null_ptr
  end type

  type, bind(c) :: skipper_gpu_settings
    integer(c_int) :: host_arrays = SKIPPER_HOST_ARRAYS_BY_DEVICE
    type(c_ptr) :: program = c_null_ptr, tuning = c_null_ptr
  end type

  type, bind(c) :: skipper_callbacks
    type(c_funptr) :: load = c_null_funptr
    type(c_ptr) :: load_data = c_null_ptr
    type(c_funptr) :: store = c_null_funptr
    type(c_ptr) :: store_data = c_null_ptr
    type(c_ptr) :: cuda_load = c_null_ptr, cuda_store = c_null_ptr, cuda_data = c_null_ptr
  end type

  ! Of plans, convolutions and Poisson solvers.
  type, bind(c) :: skipper_plan_settings
    type(c_ptr) :: device = c_null_ptr
    type(skipper_callbacks) :: callbacks = skipper_callbacks()
    type(skipper_cpu_settings) :: cpu = skipper_cpu_settings()
    type(skipper_gpu_settings) :: gpu = skipper_gpu_settings()
  end type

  ! Of an execution; as it is, the defaults. By name: skipper_execute_settings(stream=stream).
  type, bind(c) :: skipper_execute_settings
    integer(c_long_long) :: workspace_bytes = 0  ! of workspace; 0: not checked
    type(c_ptr) :: workspace = c_null_ptr, stream = c_null_ptr
  end type

  ! Of a Poisson solve. low, high: c_null_ptr, or c_loc of an array of type(c_ptr) with an entry for each axis.
  type, bind(c) :: skipper_solve_settings
    integer(c_long_long) :: workspace_bytes = 0
    type(c_ptr) :: low = c_null_ptr, high = c_null_ptr, workspace = c_null_ptr, stream = c_null_ptr
  end type

  type, bind(c) :: skipper_stream_settings
    type(c_ptr) :: device = c_null_ptr
    integer(c_long_long) :: memory_limit = 0
    integer(c_int) :: strategy = SKIPPER_STRATEGY_AUTOMATIC, pinned = 0
    type(skipper_cpu_settings) :: cpu = skipper_cpu_settings()
    type(c_funptr) :: progress = c_null_funptr
    type(c_ptr) :: progress_data = c_null_ptr
  end type

  type, bind(c) :: skipper_poisson_axis
    integer(c_long_long) :: size = 1
    real(c_double) :: length = 1
    integer(c_int) :: low = SKIPPER_BOUNDARY_PERIODIC, high = SKIPPER_BOUNDARY_PERIODIC
    integer(c_int) :: centring = SKIPPER_CENTRING_CELL, tridiagonal = 0
    integer(c_long_long) :: coordinates_count = 0
    type(c_ptr) :: coordinates = c_null_ptr
  end type

  ! axes is c_loc of an array of skipper_poisson_axis, slowest first.
  type, bind(c) :: skipper_poisson_problem
    integer(c_int) :: precision = SKIPPER_F32, is_complex = 0, rank = 0
    type(c_ptr) :: axes = c_null_ptr
    real(c_double) :: shift = 0
    integer(c_int) :: symbols = SKIPPER_SYMBOLS_SECOND_ORDER, zero_mode = SKIPPER_ZERO_MODE_ZERO_MEAN
  end type

  ! The shapes are c_loc of arrays of integer(c_long_long), slowest axis first.
  type, bind(c) :: skipper_convolution_problem
    integer(c_int) :: precision = SKIPPER_F32, is_complex = 0, rank = 0
    type(c_ptr) :: shape = c_null_ptr, kernel_shape = c_null_ptr
    integer(c_int) :: mode = SKIPPER_MODE_FULL, correlate = 0
    integer(c_long_long) :: batch = 1, kernels = 1
    real(c_double) :: scale = 1
  end type

  ! Of a distributed plan; as it is, the defaults. Boxes and texts are c_loc of arrays.
  type, bind(c) :: skipper_rank_gpu_settings
    integer(c_int) :: streams = 0
  end type

  type, bind(c) :: skipper_distributed_settings
    type(c_ptr) :: in_first = c_null_ptr, in_size = c_null_ptr, out_first = c_null_ptr, out_size = c_null_ptr
    integer(c_int) :: any_output = 0, exchange = SKIPPER_EXCHANGE_AUTOMATIC, pieces = 0
    integer(c_int) :: in_order = SKIPPER_AXIS_ORDER_NATURAL, out_order = SKIPPER_AXIS_ORDER_NATURAL
    type(c_ptr) :: device = c_null_ptr
    type(skipper_cpu_settings) :: cpu = skipper_cpu_settings()
    type(skipper_rank_gpu_settings) :: gpu = skipper_rank_gpu_settings()
    type(c_ptr) :: links = c_null_ptr, program = c_null_ptr
  end type

  ! Of the planner; as they are, the defaults.
  type, bind(c) :: skipper_planning_options
    integer(c_int) :: clusters = 1, l2_blocks = 1, max_candidates = 4
  end type

  ! What is predicted of a program, and of a sweep of it.
  type, bind(c) :: skipper_candidate
    real(c_double) :: estimate = 0, seconds = 0
    integer(c_int) :: sweeps = 0
  end type

  type, bind(c) :: skipper_planned_sweep
    real(c_double) :: estimate = 0
    integer(c_int) :: blocks = 0
    integer(c_long_long) :: tile_bytes = 0, read_segment_bytes = 0, write_segment_bytes = 0, l2_block_bytes = 0
  end type

  ! The arrays of one rank, of a plan or a solver that has all ranks.
  type, bind(c) :: skipper_rank_arrays
    type(c_ptr) :: in = c_null_ptr, out = c_null_ptr
    type(skipper_execute_settings) :: settings = skipper_execute_settings()
  end type

  type, bind(c) :: skipper_poisson_rank_arrays
    type(c_ptr) :: f = c_null_ptr, phi = c_null_ptr
    type(skipper_solve_settings) :: settings = skipper_solve_settings()
  end type

  ! Seconds of a stage, measured; and what is predicted of a plan over ranks, and of a stage of it.
  type, bind(c) :: skipper_stage_times
    real(c_double) :: transform_seconds = 0, move_seconds = 0, wait_seconds = 0
  end type

  type, bind(c) :: skipper_planned_costs
    real(c_double) :: seconds = 0, rank_bandwidth = 0
    integer(c_long_long) :: array_bytes = 0, buffer_bytes = 0
    integer(c_int) :: stages = 0
  end type

  type, bind(c) :: skipper_planned_stage
    real(c_double) :: transform_seconds = 0, exchange_seconds = 0, seconds = 0
    integer(c_long_long) :: node_bytes = 0, network_bytes = 0, messages = 0
  end type

  interface
    type(skipper_axis) function skipper_axis_default() bind(c)
      import
    end function

    type(skipper_dim) function skipper_dim_default() bind(c)
      import
    end function

    type(skipper_problem) function skipper_problem_default() bind(c)
      import
    end function

    type(skipper_plan_settings) function skipper_plan_settings_default() bind(c)
      import
    end function

    type(skipper_execute_settings) function skipper_execute_settings_default() bind(c)
      import
    end function

    type(skipper_stream_settings) function skipper_stream_settings_default() bind(c)
      import
    end function

    type(skipper_poisson_axis) function skipper_poisson_axis_default() bind(c)
      import
    end function

    type(skipper_solve_settings) function skipper_solve_settings_default() bind(c)
      import
    end function

    type(skipper_distributed_settings) function skipper_distributed_settings_default() bind(c)
      import
    end function

    integer(c_int) function skipper_problem_check(problem) bind(c)
      import
      type(skipper_problem), intent(in) :: problem
    end function

    integer(c_int) function skipper_problem_bytes(problem, in, out) bind(c)
      import
      type(skipper_problem), intent(in) :: problem
      integer(c_long_long), intent(out) :: in, out
    end function

    integer(c_int) function skipper_problem_text(problem, text, size, needed) bind(c)
      import
      type(skipper_problem), intent(in) :: problem
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    ! axes, batch: room for SKIPPER_MAX_RANK entries, which given then points to.
    integer(c_int) function skipper_problem_read(text, given, axes, batch) bind(c)
      import
      character(kind=c_char), intent(in) :: text(*)
      type(skipper_problem), intent(out) :: given
      type(skipper_axis), intent(inout), target :: axes(*)
      type(skipper_dim), intent(inout), target :: batch(*)
    end function

    integer(c_int) function skipper_problem_inverse(problem, given, axes, batch) bind(c)
      import
      type(skipper_problem), intent(in) :: problem
      type(skipper_problem), intent(out) :: given
      type(skipper_axis), intent(inout), target :: axes(*)
      type(skipper_dim), intent(inout), target :: batch(*)
    end function

    integer(c_int) function skipper_f16_from_f32(from, to, count) bind(c)
      import
      real(c_float), intent(in) :: from(*)
      integer(c_short), intent(out) :: to(*)
      integer(c_long_long), value :: count
    end function

    integer(c_int) function skipper_bf16_from_f32(from, to, count) bind(c)
      import
      real(c_float), intent(in) :: from(*)
      integer(c_short), intent(out) :: to(*)
      integer(c_long_long), value :: count
    end function

    integer(c_int) function skipper_f32_from_f16(from, to, count) bind(c)
      import
      integer(c_short), intent(in) :: from(*)
      real(c_float), intent(out) :: to(*)
      integer(c_long_long), value :: count
    end function

    integer(c_int) function skipper_f32_from_bf16(from, to, count) bind(c)
      import
      integer(c_short), intent(in) :: from(*)
      real(c_float), intent(out) :: to(*)
      integer(c_long_long), value :: count
    end function

    integer(c_int) function skipper_plan_create(plan, problem, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      type(skipper_problem), intent(in) :: problem
      type(skipper_plan_settings), intent(in) :: settings
    end function

    ! problem: a text that ends in c_null_char.
    integer(c_int) function skipper_plan_create_text(plan, problem, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: problem(*)
      type(skipper_plan_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_plan_create_inverse(inverse, plan) bind(c)
      import
      type(c_ptr), intent(out) :: inverse
      type(c_ptr), value :: plan
    end function

    subroutine skipper_plan_destroy(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine

    integer(c_int) function skipper_execute(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan, in, out
    end function

    integer(c_int) function skipper_execute_on(plan, in, out, settings) bind(c)
      import
      type(c_ptr), value :: plan, in, out
      type(skipper_execute_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_workspace_bytes(plan, bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_array_bytes(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: in, out
    end function

    integer(c_int) function skipper_plan_problem(plan, given, axes, batch) bind(c)
      import
      type(c_ptr), value :: plan
      type(skipper_problem), intent(out) :: given
      type(skipper_axis), intent(inout), target :: axes(*)
      type(skipper_dim), intent(inout), target :: batch(*)
    end function

    integer(c_int) function skipper_plan_device(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    ! text: room for `size` bytes; needed: how many all of it takes, with the c_null_char at its end.
    integer(c_int) function skipper_describe(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_plan_timing_count(plan, count) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: count
    end function

    integer(c_int) function skipper_plan_timing(plan, i, name, size, needed, seconds) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: name(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
      real(c_double), intent(out) :: seconds
    end function

    type(skipper_convolution_problem) function skipper_convolution_problem_default() bind(c)
      import
    end function

    integer(c_int) function skipper_convolution_create(convolution, problem, kernel, settings) bind(c)
      import
      type(c_ptr), intent(out) :: convolution
      type(skipper_convolution_problem), intent(in) :: problem
      type(c_ptr), value :: kernel
      type(skipper_plan_settings), intent(in) :: settings
    end function

    subroutine skipper_convolution_destroy(convolution) bind(c)
      import
      type(c_ptr), value :: convolution
    end subroutine

    integer(c_int) function skipper_convolution_out_shape(convolution, shape) bind(c)
      import
      type(c_ptr), value :: convolution
      integer(c_long_long), intent(out) :: shape(*)
    end function

    integer(c_int) function skipper_convolve(convolution, in, out) bind(c)
      import
      type(c_ptr), value :: convolution, in, out
    end function

    integer(c_int) function skipper_convolve_on(convolution, in, out, settings) bind(c)
      import
      type(c_ptr), value :: convolution, in, out
      type(skipper_execute_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_convolution_workspace_bytes(convolution, bytes) bind(c)
      import
      type(c_ptr), value :: convolution
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_convolution_device(convolution, text, size, needed) bind(c)
      import
      type(c_ptr), value :: convolution
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_convolution_describe(convolution, text, size, needed) bind(c)
      import
      type(c_ptr), value :: convolution
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    type(skipper_planning_options) function skipper_planning_options_default() bind(c)
      import
    end function

    integer(c_int) function skipper_candidates_create(candidates, problem, machine, options) bind(c)
      import
      type(c_ptr), intent(out) :: candidates
      type(skipper_problem), intent(in) :: problem
      character(kind=c_char), intent(in) :: machine(*)
      type(skipper_planning_options), intent(in) :: options
    end function

    subroutine skipper_candidates_destroy(candidates) bind(c)
      import
      type(c_ptr), value :: candidates
    end subroutine

    integer(c_int) function skipper_candidates_count(candidates, count) bind(c)
      import
      type(c_ptr), value :: candidates
      integer(c_int), intent(out) :: count
    end function

    integer(c_int) function skipper_candidates_text(candidates, i, text, size, needed) bind(c)
      import
      type(c_ptr), value :: candidates
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_candidates_get(candidates, i, candidate) bind(c)
      import
      type(c_ptr), value :: candidates
      integer(c_int), value :: i
      type(skipper_candidate), intent(out) :: candidate
    end function

    integer(c_int) function skipper_candidates_get_sweep(candidates, i, sweep, planned) bind(c)
      import
      type(c_ptr), value :: candidates
      integer(c_int), value :: i, sweep
      type(skipper_planned_sweep), intent(out) :: planned
    end function

    integer(c_int) function skipper_machine_count(count) bind(c)
      import
      integer(c_int), intent(out) :: count
    end function

    integer(c_int) function skipper_machine_name(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_machine_text(machine, text, size, needed) bind(c)
      import
      character(kind=c_char), intent(in) :: machine(*)
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_tuning_file(device, text, size, needed) bind(c)
      import
      type(c_ptr), value :: device
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    ! programs: c_loc of texts.
    integer(c_int) function skipper_keep_tuned(file, device, programs, count) bind(c)
      import
      character(kind=c_char), intent(in) :: file(*)
      type(c_ptr), value :: device
      type(c_ptr), intent(in) :: programs(*)
      integer(c_int), value :: count
    end function

    integer(c_int) function skipper_device_count(count) bind(c)
      import
      integer(c_int), intent(out) :: count
    end function

    integer(c_int) function skipper_device_name(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_device_title(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_device_machine(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_device_instruction_sets(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_missing_for_gpu(text, size, needed) bind(c)
      import
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_stream_plan_create(plan, problem, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      type(skipper_problem), intent(in) :: problem
      type(skipper_stream_settings), intent(in) :: settings
    end function

    subroutine skipper_stream_plan_destroy(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine

    integer(c_int) function skipper_stream_plan_execute(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan, in, out
    end function

    integer(c_int) function skipper_stream_plan_execute_on(plan, in, out, settings) bind(c)
      import
      type(c_ptr), value :: plan, in, out
      type(skipper_execute_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_stream_plan_workspace_bytes(plan, bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_stream_plan_costs(plan, trips, device_bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: trips
      integer(c_long_long), intent(out) :: device_bytes
    end function

    integer(c_int) function skipper_stream_plan_device(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_stream_plan_describe(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    type(skipper_poisson_problem) function skipper_poisson_problem_default() bind(c)
      import
    end function

    integer(c_int) function skipper_poisson_is_singular(problem, singular) bind(c)
      import
      type(skipper_poisson_problem), intent(in) :: problem
      integer(c_int), intent(out) :: singular
    end function

    integer(c_int) function skipper_poisson_points(axis, points) bind(c)
      import
      type(skipper_poisson_axis), intent(in) :: axis
      real(c_double), intent(out) :: points(*)
    end function

    integer(c_int) function skipper_poisson_create(poisson, problem, settings) bind(c)
      import
      type(c_ptr), intent(out) :: poisson
      type(skipper_poisson_problem), intent(in) :: problem
      type(skipper_plan_settings), intent(in) :: settings
    end function

    subroutine skipper_poisson_destroy(poisson) bind(c)
      import
      type(c_ptr), value :: poisson
    end subroutine

    integer(c_int) function skipper_poisson_solve(poisson, f, phi, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_poisson_solve_on(poisson, f, phi, settings, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      type(skipper_solve_settings), intent(in) :: settings
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_poisson_workspace_bytes(poisson, bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_poisson_device(poisson, text, size, needed) bind(c)
      import
      type(c_ptr), value :: poisson
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_poisson_describe(poisson, text, size, needed) bind(c)
      import
      type(c_ptr), value :: poisson
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_stream_poisson_create(poisson, problem, settings) bind(c)
      import
      type(c_ptr), intent(out) :: poisson
      type(skipper_poisson_problem), intent(in) :: problem
      type(skipper_stream_settings), intent(in) :: settings
    end function

    subroutine skipper_stream_poisson_destroy(poisson) bind(c)
      import
      type(c_ptr), value :: poisson
    end subroutine

    integer(c_int) function skipper_stream_poisson_solve(poisson, f, phi, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_stream_poisson_solve_on(poisson, f, phi, settings, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      type(skipper_solve_settings), intent(in) :: settings
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_stream_poisson_workspace_bytes(poisson, bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_stream_poisson_costs(poisson, trips, device_bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), intent(out) :: trips
      integer(c_long_long), intent(out) :: device_bytes
    end function

    integer(c_int) function skipper_stream_poisson_device(poisson, text, size, needed) bind(c)
      import
      type(c_ptr), value :: poisson
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_stream_poisson_describe(poisson, text, size, needed) bind(c)
      import
      type(c_ptr), value :: poisson
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_communicators_create_threads(communicators, ranks, milliseconds) bind(c)
      import
      type(c_ptr), intent(out) :: communicators(*)
      integer(c_int), value :: ranks
      integer(c_long_long), value :: milliseconds
    end function

    ! Collective. comm: the integer of an MPI communicator (of mpi_f08: comm%MPI_VAL); in libskipper_mpi.
    integer(c_int) function skipper_mpi_communicator_fortran(communicator, comm, milliseconds) bind(c)
      import
      type(c_ptr), intent(out) :: communicator
      integer(c_int), value :: comm
      integer(c_long_long), value :: milliseconds
    end function

    integer(c_int) function skipper_communicator_rank(communicator, rank, ranks) bind(c)
      import
      type(c_ptr), value :: communicator
      integer(c_int), intent(out) :: rank, ranks
    end function

    subroutine skipper_communicator_destroy(communicator) bind(c)
      import
      type(c_ptr), value :: communicator
    end subroutine

    ! Collective.
    integer(c_int) function skipper_distributed_create(plan, problem, communicator, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      type(skipper_problem), intent(in) :: problem
      type(c_ptr), value :: communicator
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    ! Collective. problem: a text that ends in c_null_char.
    integer(c_int) function skipper_distributed_create_text(plan, problem, communicator, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: problem(*)
      type(c_ptr), value :: communicator
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    ! devices: c_loc of texts, here and below.
    integer(c_int) function skipper_distributed_create_devices(plan, problem, devices, ranks, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      type(skipper_problem), intent(in) :: problem
      type(c_ptr), intent(in) :: devices(*)
      integer(c_int), value :: ranks
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    subroutine skipper_distributed_destroy(plan) bind(c)
      import
      type(c_ptr), value :: plan
    end subroutine

    ! Collective.
    integer(c_int) function skipper_distributed_execute(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan, in, out
    end function

    integer(c_int) function skipper_distributed_execute_on(plan, in, out, settings) bind(c)
      import
      type(c_ptr), value :: plan, in, out
      type(skipper_execute_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_distributed_workspace_bytes(plan, bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_distributed_execute_timed(plan, in, out, settings, times, room, stages) bind(c)
      import
      type(c_ptr), value :: plan, in, out
      type(skipper_execute_settings), intent(in) :: settings
      type(skipper_stage_times), intent(inout) :: times(*)
      integer(c_int), value :: room
      integer(c_int), intent(out) :: stages
    end function

    type(skipper_rank_arrays) function skipper_rank_arrays_default() bind(c)
      import
    end function

    integer(c_int) function skipper_distributed_execute_ranks(plan, arrays, ranks) bind(c)
      import
      type(c_ptr), value :: plan
      type(skipper_rank_arrays), intent(in) :: arrays(*)
      integer(c_int), value :: ranks
    end function

    integer(c_int) function skipper_distributed_rank_elements(plan, rank, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: in, out
    end function

    integer(c_int) function skipper_distributed_rank_workspace_bytes(plan, rank, bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_distributed_dimensions(plan, dimensions) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: dimensions
    end function

    ! Boxes as in C: slowest dimension first, and first indices that begin at 0.
    integer(c_int) function skipper_distributed_in_box(plan, rank, first, size) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: first(*), size(*)
    end function

    integer(c_int) function skipper_distributed_out_box(plan, rank, first, size) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: first(*), size(*)
    end function

    integer(c_int) function skipper_distributed_elements(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: in, out
    end function

    ! The axis that is split over ranks, counted from 0; -1: none.
    integer(c_int) function skipper_distributed_split(plan, axis, first, second) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: axis
      integer(c_long_long), intent(out) :: first, second
    end function

    ! Elements and indices as in C: they begin at 0.
    integer(c_int) function skipper_distributed_in_index(plan, rank, element, index) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), value :: element
      integer(c_long_long), intent(out) :: index
    end function

    integer(c_int) function skipper_distributed_out_index(plan, rank, element, index) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), value :: rank
      integer(c_long_long), value :: element
      integer(c_long_long), intent(out) :: index
    end function

    integer(c_int) function skipper_distributed_costs(plan, exchanges, sent_bytes, memory_bytes) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_int), intent(out) :: exchanges
      integer(c_long_long), intent(out) :: sent_bytes, memory_bytes
    end function

    integer(c_int) function skipper_distributed_describe(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_kept_exchange(devices, count, exchange) bind(c)
      import
      type(c_ptr), intent(in) :: devices(*)
      integer(c_int), value :: count
      integer(c_int), intent(out) :: exchange
    end function

    integer(c_int) function skipper_keep_exchange(devices, count, exchange) bind(c)
      import
      type(c_ptr), intent(in) :: devices(*)
      integer(c_int), value :: count, exchange
    end function

    integer(c_int) function skipper_links_count(count) bind(c)
      import
      integer(c_int), intent(out) :: count
    end function

    integer(c_int) function skipper_links_name(i, text, size, needed) bind(c)
      import
      integer(c_int), value :: i
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_planned_ranks_create(planned, problem, machine, ranks, settings) bind(c)
      import
      type(c_ptr), intent(out) :: planned
      type(skipper_problem), intent(in) :: problem
      character(kind=c_char), intent(in) :: machine(*)
      integer(c_int), value :: ranks
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    subroutine skipper_planned_ranks_destroy(planned) bind(c)
      import
      type(c_ptr), value :: planned
    end subroutine

    integer(c_int) function skipper_planned_ranks_text(planned, text, size, needed) bind(c)
      import
      type(c_ptr), value :: planned
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_planned_ranks_links(planned, text, size, needed) bind(c)
      import
      type(c_ptr), value :: planned
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_planned_ranks_get(planned, costs) bind(c)
      import
      type(c_ptr), value :: planned
      type(skipper_planned_costs), intent(out) :: costs
    end function

    integer(c_int) function skipper_planned_ranks_get_stage(planned, stage, costs) bind(c)
      import
      type(c_ptr), value :: planned
      integer(c_int), value :: stage
      type(skipper_planned_stage), intent(out) :: costs
    end function

    integer(c_int) function skipper_distributed_poisson_create(poisson, problem, communicator, settings) bind(c)
      import
      type(c_ptr), intent(out) :: poisson
      type(skipper_poisson_problem), intent(in) :: problem
      type(c_ptr), value :: communicator
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    integer(c_int) function skipper_distributed_poisson_create_devices(poisson, problem, devices, ranks, settings) bind(c)
      import
      type(c_ptr), intent(out) :: poisson
      type(skipper_poisson_problem), intent(in) :: problem
      type(c_ptr), intent(in) :: devices(*)
      integer(c_int), value :: ranks
      type(skipper_distributed_settings), intent(in) :: settings
    end function

    subroutine skipper_distributed_poisson_destroy(poisson) bind(c)
      import
      type(c_ptr), value :: poisson
    end subroutine

    integer(c_int) function skipper_distributed_poisson_solve(poisson, f, phi, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_distributed_poisson_solve_on(poisson, f, phi, settings, defect) bind(c)
      import
      type(c_ptr), value :: poisson, f, phi
      type(skipper_solve_settings), intent(in) :: settings
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_distributed_poisson_workspace_bytes(poisson, bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_long_long), intent(out) :: bytes
    end function

    type(skipper_poisson_rank_arrays) function skipper_poisson_rank_arrays_default() bind(c)
      import
    end function

    integer(c_int) function skipper_distributed_poisson_solve_ranks(poisson, arrays, ranks, defect) bind(c)
      import
      type(c_ptr), value :: poisson
      type(skipper_poisson_rank_arrays), intent(in) :: arrays(*)
      integer(c_int), value :: ranks
      real(c_double), intent(out) :: defect
    end function

    integer(c_int) function skipper_distributed_poisson_rank_elements(poisson, rank, in, out) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: in, out
    end function

    integer(c_int) function skipper_distributed_poisson_rank_workspace_bytes(poisson, rank, bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: bytes
    end function

    integer(c_int) function skipper_distributed_poisson_in_box(poisson, rank, first, size) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: first(*), size(*)
    end function

    integer(c_int) function skipper_distributed_poisson_out_box(poisson, rank, first, size) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), value :: rank
      integer(c_long_long), intent(out) :: first(*), size(*)
    end function

    integer(c_int) function skipper_distributed_poisson_elements(poisson, in, out) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_long_long), intent(out) :: in, out
    end function

    integer(c_int) function skipper_distributed_poisson_costs(poisson, exchanges, sent_bytes, memory_bytes) bind(c)
      import
      type(c_ptr), value :: poisson
      integer(c_int), intent(out) :: exchanges
      integer(c_long_long), intent(out) :: sent_bytes, memory_bytes
    end function

    integer(c_int) function skipper_distributed_poisson_describe(poisson, text, size, needed) bind(c)
      import
      type(c_ptr), value :: poisson
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    integer(c_int) function skipper_set_executor(executor) bind(c)
      import
      type(skipper_executor), intent(in) :: executor
    end function

    type(c_ptr) function skipper_message() bind(c)
      import
    end function

    ! Texts that end in c_null_char.
    type(c_ptr) function skipper_version() bind(c)
      import
    end function
  end interface
end module
