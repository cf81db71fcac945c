# Tests of real processes, on each MPI that is installed (cmake/mpi.cmake): plans on 1 to 8 of them against the transform on one,
# what becomes of the others where one fails, and results against FFTW-MPI.
function(skipper_mpi_program target source mpi)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/tests/mpi/${source})
  target_link_libraries(${target} PRIVATE ${library_${mpi}} skipper_library ${ARGN})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_dependencies(tests_multi ${target})
endfunction()

# As root, on fewer cores than ranks, and where there is no remote shell. The last two are Open MPI's ways to say so.
set(mpi_environment "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_plm_rsh_agent=true;OMPI_MCA_mpi_yield_when_idle=1")
function(skipper_mpi_test name)
  add_test(NAME mpi/${name} COMMAND ${ARGN})
  set_tests_properties(mpi/${name} PROPERTIES LABELS multi TIMEOUT 120 PROCESSORS 2 ENVIRONMENT "${mpi_environment}")
endfunction()

foreach(mpi IN LISTS mpis)
  skipper_mpi_program(test_mpi_plan_${mpi} plan.cpp ${mpi})
  foreach(ranks 1 2 3 4 8)
    skipper_mpi_test(${mpi}_${ranks} ${run_${mpi}} -n ${ranks} $<TARGET_FILE:test_mpi_plan_${mpi}>)
  endforeach()
  skipper_mpi_program(test_mpi_faults_${mpi} faults.cpp ${mpi})
  skipper_mpi_test(${mpi}_faults ${run_${mpi}} -n 3 $<TARGET_FILE:test_mpi_faults_${mpi}>)
endforeach()
