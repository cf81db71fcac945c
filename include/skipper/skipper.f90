! The C interface as a Fortran module. Compile it with the program that uses it; arrays are passed as c_loc(x).
! Shapes are those of C, slowest axis first: a Fortran array x(n1, n2, n3) has the shape [n3, n2, n1].
module skipper
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: SKIPPER_OK = 0, SKIPPER_BAD_ARGUMENT = 1, SKIPPER_NO_DEVICE = 2
  integer(c_int), parameter :: SKIPPER_NO_MEMORY = 3, SKIPPER_INTERNAL = 4, SKIPPER_CALLBACK = 5
  integer(c_int), parameter :: SKIPPER_C2C = 0, SKIPPER_R2C = 1, SKIPPER_C2R = 2
  integer(c_int), parameter :: SKIPPER_F16 = 16, SKIPPER_BF16 = 17, SKIPPER_F32 = 32, SKIPPER_F64 = 64
  integer(c_int), parameter :: SKIPPER_FORWARD = -1, SKIPPER_INVERSE = 1

  integer(c_int), parameter :: SKIPPER_AUTOMATIC = 0, SKIPPER_DIRECT = 1, SKIPPER_MESSAGES = 2, SKIPPER_FUSED = 3
  integer(c_int), parameter :: SKIPPER_SWAP = 4, SKIPPER_STAGED = 5, SKIPPER_HOST = 6
  integer(c_int), parameter :: SKIPPER_NATURAL = 0, SKIPPER_PERMUTED = 1

  ! Of a distributed plan; as it is, the defaults. Boxes and texts are c_loc of arrays.
  type, bind(c) :: skipper_distributed_settings
    type(c_ptr) :: in_first = c_null_ptr, in_size = c_null_ptr, out_first = c_null_ptr, out_size = c_null_ptr
    integer(c_int) :: any_output = 0, exchange = SKIPPER_AUTOMATIC, pieces = 0, threads = 0, streams = 0
    integer(c_int) :: in_order = SKIPPER_NATURAL, out_order = SKIPPER_NATURAL
    type(c_ptr) :: device = c_null_ptr, links = c_null_ptr, program = c_null_ptr
  end type

  interface
    ! device: c_null_ptr for the best one, or c_loc of a text that ends in c_null_char.
    integer(c_int) function skipper_plan_create(plan, kind, precision, direction, rank, shape, batch, scale, &
                                                device, threads) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      integer(c_int), value :: kind, precision, direction, rank, threads
      integer(c_long_long), intent(in) :: shape(*)
      integer(c_long_long), value :: batch
      real(c_double), value :: scale
      type(c_ptr), value :: device
    end function

    ! problem: a text that ends in c_null_char.
    integer(c_int) function skipper_plan_create_text(plan, problem, device, threads) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: problem(*)
      type(c_ptr), value :: device
      integer(c_int), value :: threads
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

    integer(c_int) function skipper_execute_with(plan, in, out, workspace) bind(c)
      import
      type(c_ptr), value :: plan, in, out, workspace
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

    ! text: room for `size` bytes; needed: how many all of it takes, with the c_null_char at its end.
    integer(c_int) function skipper_describe(plan, text, size, needed) bind(c)
      import
      type(c_ptr), value :: plan
      character(kind=c_char), intent(out) :: text(*)
      integer(c_long_long), value :: size
      integer(c_long_long), intent(out) :: needed
    end function

    ! Collective. comm: the integer of an MPI communicator (of mpi_f08: comm%MPI_VAL); in libskipper_mpi.
    integer(c_int) function skipper_mpi_communicator_fortran(communicator, comm, milliseconds) bind(c)
      import
      type(c_ptr), intent(out) :: communicator
      integer(c_int), value :: comm
      integer(c_long_long), value :: milliseconds
    end function

    integer(c_int) function skipper_communicators_create_threads(communicators, ranks, milliseconds) bind(c)
      import
      type(c_ptr), intent(out) :: communicators(*)
      integer(c_int), value :: ranks
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

    ! Collective. problem: a text that ends in c_null_char.
    integer(c_int) function skipper_distributed_create_text(plan, problem, communicator, settings) bind(c)
      import
      type(c_ptr), intent(out) :: plan
      character(kind=c_char), intent(in) :: problem(*)
      type(c_ptr), value :: communicator
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

    integer(c_int) function skipper_distributed_elements(plan, in, out) bind(c)
      import
      type(c_ptr), value :: plan
      integer(c_long_long), intent(out) :: in, out
    end function

    ! Texts that end in c_null_char.
    type(c_ptr) function skipper_version() bind(c)
      import
    end function

    type(c_ptr) function skipper_message() bind(c)
      import
    end function
  end interface
end module
