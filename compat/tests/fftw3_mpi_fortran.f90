! FFTW's MPI interface for Fortran by the header that was written for it, in both precisions, against the definition. The caller
! has started MPI and gives a communicator; the result is the number of wrong answers on this process.
integer(C_INT) function fftw3_mpi_fortran(comm) bind(C)
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
  include 'fftw3-mpi.f03'

  integer(C_INT32_T), value :: comm
  integer(C_INTPTR_T), parameter :: nx = 6, ny = 10
  real(C_DOUBLE), parameter :: pi = acos(-1d0)
  type(C_PTR) :: plan, memory, memory_f
  complex(C_DOUBLE_COMPLEX), pointer :: a(:, :)
  complex(C_FLOAT_COMPLEX), pointer :: s(:, :)
  complex(C_DOUBLE_COMPLEX) :: wanted
  integer(C_INTPTR_T) :: total, rows, first, i, j, k, l
  integer :: wrong

  wrong = 0
  call fftw_mpi_init()
  call fftwf_mpi_init()
  total = fftw_mpi_local_size_2d(ny, nx, comm, rows, first)
  memory = fftw_alloc_complex(int(total, C_SIZE_T))
  memory_f = fftwf_alloc_complex(int(total, C_SIZE_T))
  call c_f_pointer(memory, a, [nx, rows])
  call c_f_pointer(memory_f, s, [nx, rows])

  plan = fftw_mpi_plan_dft_2d(ny, nx, a, a, comm, FFTW_FORWARD, FFTW_ESTIMATE)
  call fill()
  call fftw_mpi_execute_dft(plan, a, a)
  call fftw_destroy_plan(plan)
  plan = fftwf_mpi_plan_dft_2d(ny, nx, s, s, comm, FFTW_FORWARD, FFTW_ESTIMATE)
  s = cmplx(0, 0, C_FLOAT_COMPLEX)
  do j = 1, rows
    do i = 1, nx
      s(i, j) = cmplx(point(i, first + j), kind=C_FLOAT_COMPLEX)
    end do
  end do
  call fftwf_mpi_execute_dft(plan, s, s)
  call fftwf_destroy_plan(plan)

  do l = 1, rows
    do k = 1, nx
      wanted = 0
      do j = 1, ny
        do i = 1, nx
          wanted = wanted + point(i, j) * exp(cmplx(0, -2 * pi * (real((i - 1) * (k - 1), C_DOUBLE) / nx + &
            real((j - 1) * (first + l - 1), C_DOUBLE) / ny), C_DOUBLE_COMPLEX))
        end do
      end do
      if (abs(a(k, l) - wanted) > 1d-11) wrong = wrong + 1
      if (abs(s(k, l) - wanted) > 1d-3) wrong = wrong + 1
    end do
  end do
  call fftw_mpi_broadcast_wisdom(comm)
  call fftw_free(memory)
  call fftwf_free(memory_f)
  fftw3_mpi_fortran = wrong

contains

  complex(C_DOUBLE_COMPLEX) function point(i, j)
    integer(C_INTPTR_T), intent(in) :: i, j
    point = cmplx(mod(3 * i + 5 * j, 7_C_INTPTR_T) - 3, mod(i * j, 5_C_INTPTR_T) - 2, C_DOUBLE_COMPLEX)
  end function point

  subroutine fill()
    do j = 1, rows
      do i = 1, nx
        a(i, j) = point(i, first + j)
      end do
    end do
  end subroutine fill

end function fftw3_mpi_fortran
