# Tests of FFTW's MPI interface on Skipper, on each MPI that is installed: against the definition, on 1, 2, 3 and 4 processes, in
# both precisions.
foreach(mpi IN LISTS mpis)
  foreach(suffix "" f)
    string(REPLACE fftw3 fftw3${suffix} library ${fftw3_mpi_${mpi}})
    set(target test_compat_fftw3${suffix}_mpi_${mpi})
    add_executable(${target} ${PROJECT_SOURCE_DIR}/compat/tests/fftw3_mpi.cpp)
    skipper_plain(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi ${PROJECT_SOURCE_DIR}/compat/fftw3
      ${PROJECT_SOURCE_DIR}/compat/fftw3/include ${PROJECT_SOURCE_DIR}/tests/mpi ${PROJECT_SOURCE_DIR}/tests)
    if(suffix STREQUAL f)
      target_compile_definitions(${target} PRIVATE SKIPPER_FFTW_SINGLE)
    endif()
    skipper_precompiled(${target} test MACROS)
    get_target_property(linked ${library_${mpi}} LINK_LIBRARIES)
    target_link_libraries(${target} PRIVATE skipper_options ${library} skipper_fftw3${suffix} skipper_reference ${linked} GTest::gtest)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_dependencies(tests_multi ${target})
    foreach(ranks 1 2 3 4)
      skipper_launched_test(compat/fftw3${suffix}_${mpi}_${ranks} TIMEOUT 120
        COMMAND ${run_${mpi}} -n ${ranks} $<TARGET_FILE:${target}>)
    endforeach()
    add_test(NAME compat/fftw3${suffix}_${mpi}_symbols COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/symbols_test.sh
      ${fftw3_mpi_list} $<TARGET_FILE:${library}> "fftw${suffix}_mpi")
    set_tests_properties(compat/fftw3${suffix}_${mpi}_symbols PROPERTIES LABELS multi TIMEOUT 60 SKIP_RETURN_CODE 77)
  endforeach()

  # Fortran, where there is a compiler.
  if(CMAKE_Fortran_COMPILER)
    set(target test_compat_fftw3_fortran_${mpi})
    add_executable(${target} ${PROJECT_SOURCE_DIR}/compat/tests/fftw3_mpi_fortran.cpp
      ${PROJECT_SOURCE_DIR}/compat/tests/fftw3_mpi_fortran.f90)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi ${PROJECT_SOURCE_DIR}/compat/fftw3/include
      ${fftw3_headers})
    add_dependencies(${target} skipper_fftw3_headers)
    string(REPLACE fftw3 fftw3f single ${fftw3_mpi_${mpi}})
    get_target_property(linked ${library_${mpi}} LINK_LIBRARIES)
    target_link_libraries(${target} PRIVATE ${fftw3_mpi_${mpi}} ${single} skipper_fftw3 skipper_fftw3f ${linked})
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests LINKER_LANGUAGE CXX)
    add_dependencies(tests_multi ${target})
    skipper_launched_test(compat/fftw3_fortran_${mpi} TIMEOUT 60 COMMAND ${run_${mpi}} -n 2 $<TARGET_FILE:${target}>)
  endif()
endforeach()
