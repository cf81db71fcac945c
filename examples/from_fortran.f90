! From Fortran: a two-dimensional transform and back, a transform by the fields of its problem, Poisson's equation and a convolution. Shapes are slowest axis first, so x(12, 8) has the shape [8, 12].
program from_fortran
  use skipper
  implicit none
  complex(c_double_complex), target :: x(12, 8), y(12, 8), z(12, 8)
  integer(c_long_long), target :: shape(2) = [8, 12]
  type(skipper_problem) :: problem
  type(c_ptr) :: plan, inverse
  integer :: i, j

  do j = 1, 8
    do i = 1, 12
      x(i, j) = cmplx(i, j, c_double_complex)
    end do
  end do
  problem%precision = SKIPPER_F64
  problem%rank = 2
  problem%shape = c_loc(shape)
  call demand(skipper_plan_create(plan, problem, skipper_plan_settings()))
  call demand(skipper_plan_create_inverse(inverse, plan))
  call demand(skipper_execute(plan, c_loc(x), c_loc(y)))
  call demand(skipper_execute(inverse, c_loc(y), c_loc(z)))
  call skipper_plan_destroy(plan)
  call skipper_plan_destroy(inverse)
  print '(a, es8.1)', 'largest difference after the way there and back: ', maxval(abs(z - x))
  if (maxval(abs(z - x)) > 1e-12) stop 1
  call cosines
  call poisson
  call convolution

contains

  ! Cosines along the first index of a real array, which is the last axis, and sines along the second.
  subroutine cosines
    real(c_double), target :: a(12, 8), b(12, 8), c(12, 8)
    type(skipper_axis), target :: axes(2)
    type(skipper_problem) :: real_problem
    type(c_ptr) :: cosine_plan, back

    a = real(x, c_double)
    axes(1)%size = 8
    axes(1)%kind = SKIPPER_AXIS_DST2
    axes(2)%size = 12
    axes(2)%kind = SKIPPER_AXIS_DCT2
    real_problem%kind = SKIPPER_R2R
    real_problem%precision = SKIPPER_F64
    real_problem%rank = 2
    real_problem%axes = c_loc(axes)
    call demand(skipper_plan_create(cosine_plan, real_problem, skipper_plan_settings()))
    call demand(skipper_plan_create_inverse(back, cosine_plan))
    call demand(skipper_execute(cosine_plan, c_loc(a), c_loc(b)))
    call demand(skipper_execute_on(back, c_loc(b), c_loc(c), skipper_execute_settings())) ! workspace and stream by name
    call skipper_plan_destroy(cosine_plan)
    call skipper_plan_destroy(back)
    if (maxval(abs(c - a)) > 1e-12) stop 1
  end subroutine

  ! phi'' - phi = 3 on a periodic box: phi is -3.
  subroutine poisson
    real(c_double), target :: f(12, 8), phi(12, 8)
    type(skipper_poisson_axis), target :: axes(2)
    type(skipper_poisson_problem) :: problem
    type(c_ptr) :: solver
    real(c_double) :: defect

    axes(1)%size = 8
    axes(2)%size = 12
    f = 3
    problem%precision = SKIPPER_F64
    problem%rank = 2
    problem%axes = c_loc(axes)
    problem%shift = -1
    call demand(skipper_poisson_create(solver, problem, skipper_plan_settings()))
    call demand(skipper_poisson_solve(solver, c_loc(f), c_loc(phi), defect))
    call skipper_poisson_destroy(solver)
    if (maxval(abs(phi + 3)) > 1e-12) stop 1
  end subroutine

  ! Three numbers, convolved with two.
  subroutine convolution
    integer(c_long_long), target :: shape(1) = [3], kernel_shape(1) = [2]
    real(c_float), target :: in(3) = [1, 2, 3], kernel(2) = [1, 10], out(4)
    type(skipper_convolution_problem) :: problem
    type(c_ptr) :: handle

    problem%rank = 1
    problem%shape = c_loc(shape)
    problem%kernel_shape = c_loc(kernel_shape)
    call demand(skipper_convolution_create(handle, problem, c_loc(kernel), skipper_plan_settings()))
    call demand(skipper_convolve(handle, c_loc(in), c_loc(out)))
    call skipper_convolution_destroy(handle)
    if (maxval(abs(out - [1, 12, 23, 30])) > 1e-5) stop 1
  end subroutine

  subroutine demand(code)
    integer(c_int), intent(in) :: code
    if (code /= SKIPPER_OK) stop 1
  end subroutine
end program
