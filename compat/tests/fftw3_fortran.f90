! FFTW's two interfaces for Fortran: the modern one by the header that was written for it, and the names of the legacy one.
! Both against the definition.
program fftw3_fortran
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'

  integer, parameter :: nx = 6, ny = 5
  real(C_DOUBLE), parameter :: pi = acos(-1d0)
  complex(C_DOUBLE_COMPLEX) :: a(nx, ny), b(nx, ny), wanted(nx, ny)
  complex(C_FLOAT_COMPLEX) :: s(nx, ny), t(nx, ny)
  real(C_DOUBLE) :: r(nx, ny), back(nx, ny), seconds
  complex(C_DOUBLE_COMPLEX) :: half(nx / 2 + 1, ny)
  type(C_PTR) :: plan
  integer(8) :: handle
  integer :: i, j, threads, okay, failures
  type(fftw_iodim) :: dims(2), none(1)

  failures = 0
  do j = 1, ny
    do i = 1, nx
      a(i, j) = cmplx(mod(3 * i + 5 * j, 7) - 3, mod(i * j, 5) - 2, C_DOUBLE_COMPLEX)
      r(i, j) = real(a(i, j))
    end do
  end do
  wanted = definition(a)

  plan = fftw_plan_dft_2d(ny, nx, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
  call fftw_execute_dft(plan, a, b)
  call expect(maxval(abs(b - wanted)) < 1d-12, 'fftw_plan_dft_2d')
  call fftw_destroy_plan(plan)

  dims(1) = fftw_iodim(ny, nx, nx)
  dims(2) = fftw_iodim(nx, 1, 1)
  plan = fftw_plan_guru_dft(2, dims, 0, none, a, b, FFTW_FORWARD, ior(FFTW_MEASURE, FFTW_UNALIGNED))
  b = 0
  call fftw_execute_dft(plan, a, b)
  call expect(maxval(abs(b - wanted)) < 1d-12, 'fftw_plan_guru_dft')
  call fftw_destroy_plan(plan)

  s = cmplx(a, kind=C_FLOAT_COMPLEX)
  plan = fftwf_plan_dft_2d(ny, nx, s, t, FFTW_FORWARD, FFTW_ESTIMATE)
  call fftwf_execute_dft(plan, s, t)
  b = t
  call expect(maxval(abs(b - wanted)) < 1d-4, 'fftwf_plan_dft_2d')
  call fftwf_destroy_plan(plan)

  b = 0
  call dfftw_plan_dft_2d(handle, nx, ny, a, b, FFTW_FORWARD, FFTW_ESTIMATE)
  call dfftw_execute(handle)
  call expect(maxval(abs(b - wanted)) < 1d-12, 'dfftw_plan_dft_2d')
  call dfftw_destroy_plan(handle)

  ! As Quantum ESPRESSO: many columns in place, then many rows, strided.
  b = a
  call dfftw_plan_many_dft(handle, 1, [nx], ny, b, [nx], 1, nx, b, [nx], 1, nx, FFTW_FORWARD, FFTW_ESTIMATE)
  call dfftw_execute_dft(handle, b, b)
  call dfftw_destroy_plan(handle)
  call dfftw_plan_many_dft(handle, 1, [ny], nx, b, [ny], nx, 1, b, [ny], nx, 1, FFTW_FORWARD, FFTW_ESTIMATE)
  call dfftw_execute_dft(handle, b, b)
  call dfftw_destroy_plan(handle)
  call expect(maxval(abs(b - wanted)) < 1d-12, 'dfftw_plan_many_dft in place')

  call dfftw_plan_dft_r2c_2d(handle, nx, ny, r, half, FFTW_ESTIMATE)
  call dfftw_execute_dft_r2c(handle, r, half)
  call dfftw_destroy_plan(handle)
  wanted = definition(cmplx(r, kind=C_DOUBLE_COMPLEX))
  call expect(maxval(abs(half - wanted(1:nx / 2 + 1, :))) < 1d-12, 'dfftw_plan_dft_r2c_2d')
  call dfftw_plan_dft_c2r_2d(handle, nx, ny, half, back, FFTW_ESTIMATE)
  call dfftw_execute_dft_c2r(handle, half, back)
  call dfftw_destroy_plan(handle)
  call expect(maxval(abs(back / (nx * ny) - r)) < 1d-12, 'dfftw_plan_dft_c2r_2d')

  ! Kinds in Fortran's order: REDFT10 along the columns, R2HC along the rows.
  call dfftw_plan_r2r_2d(handle, nx, ny, r, back, FFTW_REDFT10, FFTW_R2HC, FFTW_ESTIMATE)
  call dfftw_execute_r2r(handle, r, back)
  call dfftw_destroy_plan(handle)
  call expect(abs(back(2, 1) - 2 * sum([(sum(r(i, :)) * cos(pi * (i - 0.5d0) / nx), i = 1, nx)])) < 1d-12, &
              'dfftw_plan_r2r_2d')

  call dfftw_init_threads(okay)
  call dfftw_plan_with_nthreads(2)
  call dfftw_planner_nthreads(threads)
  call expect(okay == 1 .and. threads == 2, 'dfftw_plan_with_nthreads')
  call dfftw_plan_dft_1d(handle, nx, a, b, FFTW_BACKWARD, FFTW_ESTIMATE)
  call dfftw_cost(seconds, handle)
  call expect(seconds > 0, 'dfftw_cost')
  call dfftw_destroy_plan(handle)
  call dfftw_cleanup_threads()
  call dfftw_plan_dft_1d(handle, -1, a, b, FFTW_BACKWARD, FFTW_ESTIMATE)
  call expect(handle == 0, 'a negative size')

  if (failures > 0) stop 1

contains

  function definition(x) result(y)
    complex(C_DOUBLE_COMPLEX), intent(in) :: x(nx, ny)
    complex(C_DOUBLE_COMPLEX) :: y(nx, ny)
    integer :: p, q, k, l
    y = 0
    do l = 1, ny
      do k = 1, nx
        do q = 1, ny
          do p = 1, nx
            y(k, l) = y(k, l) + x(p, q) * exp(cmplx(0, -2 * pi * ((p - 1) * (k - 1) / real(nx, 8) &
                      + (q - 1) * (l - 1) / real(ny, 8)), C_DOUBLE_COMPLEX))
          end do
        end do
      end do
    end do
  end function definition

  subroutine expect(passed, what)
    logical, intent(in) :: passed
    character(*), intent(in) :: what
    if (passed) return
    failures = failures + 1
    print *, 'wrong: ', what
  end subroutine expect

end program fftw3_fortran
