! From Fortran: a two-dimensional transform and back. Shapes are slowest axis first, so x(12, 8) has the shape [8, 12].
program from_fortran
  use skipper
  implicit none
  complex(c_double_complex), target :: x(12, 8), y(12, 8), z(12, 8)
  type(c_ptr) :: plan, inverse
  integer :: i, j

  do j = 1, 8
    do i = 1, 12
      x(i, j) = cmplx(i, j, c_double_complex)
    end do
  end do
  call demand(skipper_plan_create(plan, SKIPPER_C2C, SKIPPER_F64, SKIPPER_FORWARD, 2, [8_c_long_long, 12_c_long_long], &
                                  1_c_long_long, 1.0_c_double, c_null_ptr, 0))
  call demand(skipper_plan_create_inverse(inverse, plan))
  call demand(skipper_execute(plan, c_loc(x), c_loc(y)))
  call demand(skipper_execute(inverse, c_loc(y), c_loc(z)))
  call skipper_plan_destroy(plan)
  call skipper_plan_destroy(inverse)
  print '(a, es8.1)', 'largest difference after the way there and back: ', maxval(abs(z - x))
  if (maxval(abs(z - x)) > 1e-12) stop 1

contains

  subroutine demand(code)
    integer(c_int), intent(in) :: code
    if (code /= SKIPPER_OK) stop 1
  end subroutine
end program
