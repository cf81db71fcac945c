# Tests of the drop-in libraries: every compat/tests/fftw3_<name>_test.cpp once for each precision, as compat/<name> and
# compat/<name>f, against the shared library as a client has it.
file(GLOB compat_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/tests/fftw3_*_test.cpp)
foreach(source IN LISTS compat_tests)
  get_filename_component(file ${source} NAME)
  string(REPLACE "_test.cpp" "" name ${file})
  foreach(suffix "" f)
    set(target test_compat_${name}${suffix})
    add_executable(${target} ${source})
    skipper_plain(${target})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/fftw3 ${PROJECT_SOURCE_DIR}/compat/tests)
    target_compile_definitions(${target} PRIVATE SKIPPER_CLIENT_CALLS="${PROJECT_SOURCE_DIR}/compat/tests/client_calls.txt")
    if(suffix STREQUAL f)
      target_compile_definitions(${target} PRIVATE SKIPPER_FFTW_SINGLE)
    endif()
    skipper_precompiled(${target} test)
    target_link_libraries(${target} PRIVATE skipper_options skipper_fftw3${suffix} skipper_reference GTest::gtest_main)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    add_dependencies(tests_pure ${target})
    add_dependencies(tests_threads ${target})
    add_test(NAME compat/${name}${suffix} COMMAND ${target})
    set_tests_properties(compat/${name}${suffix} PROPERTIES LABELS "pure;threads" TIMEOUT 300)
    if(name STREQUAL fftw3_device)  # on a fake driver
      target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/gpu/fake_driver ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
      target_link_libraries(${target} PRIVATE skipper_fake_driver)
      target_compile_definitions(${target} PRIVATE SKIPPER_FAKE_DRIVER="$<TARGET_FILE:skipper_fake_driver>")
    endif()
  endforeach()
endforeach()

# What the libraries show is what the list names, to the last symbol.
foreach(suffix "" f)
  add_test(NAME compat/symbols${suffix} COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/symbols_test.sh
    ${PROJECT_SOURCE_DIR}/compat/fftw3/symbols.txt $<TARGET_FILE:skipper_fftw3${suffix}> "fftw${suffix}")
  set_tests_properties(compat/symbols${suffix} PROPERTIES LABELS pure TIMEOUT 60 SKIP_RETURN_CODE 77)
endforeach()

# long double beside double: the former goes to FFTW's own library.
if(CMAKE_C_COMPILER AND NOT SKIPPER_SANITIZE)
  add_test(NAME compat/precisions COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/precisions.sh ${CMAKE_C_COMPILER}
    ${SKIPPER_COMPAT_DIRECTORY}/fftw3)
  set_tests_properties(compat/precisions PROPERTIES LABELS pure TIMEOUT 60)
  add_dependencies(tests_pure skipper_fftw3_headers)
endif()

# Fortran, where there is a compiler.
if(CMAKE_Fortran_COMPILER AND NOT SKIPPER_SANITIZE)
  add_executable(test_compat_fortran ${PROJECT_SOURCE_DIR}/compat/tests/fftw3_fortran.f90)
  target_include_directories(test_compat_fortran PRIVATE ${SKIPPER_COMPAT_DIRECTORY}/fftw3/include)
  target_compile_options(test_compat_fortran PRIVATE -fallow-argument-mismatch)  # the legacy names have no interface
  add_dependencies(test_compat_fortran skipper_fftw3_headers)
  target_link_libraries(test_compat_fortran PRIVATE skipper_fftw3 skipper_fftw3f)
  set_target_properties(test_compat_fortran PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_dependencies(tests_pure test_compat_fortran)
  add_test(NAME compat/fortran COMMAND test_compat_fortran)
  set_tests_properties(compat/fortran PROPERTIES LABELS pure TIMEOUT 60)
endif()

add_test(NAME compat/coverage COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/coverage.sh
  ${PROJECT_SOURCE_DIR}/compat/fftw3/symbols.txt ${PROJECT_SOURCE_DIR}/docs/drop-in.md)
set_tests_properties(compat/coverage PROPERTIES LABELS pure TIMEOUT 60)
