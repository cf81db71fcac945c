# Tests of real processes, on each MPI that is installed (cmake/mpi.cmake): plans on 1 to 8 of them against the transform on one,
# what the others are told where one is at fault or ends, and results against FFTW-MPI.
function(skipper_mpi_program target source mpi)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/tests/mpi/${source})
  skipper_plain(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE ${library_${mpi}} skipper_library ${ARGN})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_dependencies(tests_multi ${target})
endfunction()

function(skipper_mpi_test name)
  skipper_launched_test(mpi/${name} TIMEOUT 120 COMMAND ${ARGN})
endfunction()

# How launchers are told to let the others live on when a process ends.
set(survive_openmpi --enable-recovery)
set(survive_mpich -disable-auto-cleanup)

foreach(mpi IN LISTS mpis)
  skipper_mpi_program(test_mpi_plan_${mpi} plan.cpp ${mpi})
  skipper_mpi_program(test_mpi_faults_${mpi} faults.cpp ${mpi})
  skipper_mpi_program(test_mpi_ends_${mpi} ends.cpp ${mpi})
  foreach(ranks 1 2 3 4 8)
    skipper_mpi_test(${mpi}_${ranks} ${run_${mpi}} -n ${ranks} $<TARGET_FILE:test_mpi_plan_${mpi}>)
  endforeach()
  skipper_mpi_test(${mpi}_faults ${run_${mpi}} -n 3 $<TARGET_FILE:test_mpi_faults_${mpi}>)

  # In less than 10 s: a rank that stays away, one that exits, and a launcher that ends the job of one that was killed.
  set(ends $<TARGET_FILE:test_mpi_ends_${mpi}>)
  skipper_mpi_test(${mpi}_stays ${run_${mpi}} -n 3 ${ends} stay)
  set_tests_properties(mpi/${mpi}_stays PROPERTIES PASS_REGULAR_EXPRESSION "rank [01] after [0-9][.][0-9]+ s: communicator: .*1000 ms")
  if(DEFINED survive_${mpi})
    skipper_mpi_test(${mpi}_exits ${run_${mpi}} ${survive_${mpi}} -n 3 ${ends} exit)
    set_tests_properties(mpi/${mpi}_exits PROPERTIES PASS_REGULAR_EXPRESSION "rank [01] after [0-9][.][0-9]+ s: communicator: .*rank 2 has ended")
  endif()
  list(JOIN run_${mpi} " " launcher)
  skipper_mpi_test(${mpi}_killed sh -c
    "timeout 10 ${launcher} -n 3 ${ends} kill && exit 1 || test $? -ne 124")  # 124: it took longer
endforeach()

if(mpi_of_fftw)
  skipper_mpi_program(test_mpi_fftw fftw.cpp ${mpi_of_fftw} skipper_fftw_mpi)
  skipper_mpi_program(test_mpi_fftw_lines fftw_lines.cpp ${mpi_of_fftw} skipper_fftw_mpi)
  foreach(ranks 1 2 3 4)
    skipper_mpi_test(fftw_${ranks} ${run_${mpi_of_fftw}} -n ${ranks} $<TARGET_FILE:test_mpi_fftw>)
    skipper_mpi_test(fftw_lines_${ranks} ${run_${mpi_of_fftw}} -n ${ranks} $<TARGET_FILE:test_mpi_fftw_lines>)
  endforeach()
else()
  skipper_absent_test(mpi/fftw multi "FFTW-MPI is not installed for the MPI that is tested")
endif()
