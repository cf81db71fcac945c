# Tests of the library with cuFFT's interface: every compat/tests/cufft_<name>_test.cpp against the shared library as a client has
# it, on the fake driver.
file(GLOB cufft_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/tests/cufft_*_test.cpp)
foreach(source IN LISTS cufft_tests)
  get_filename_component(file ${source} NAME)
  string(REPLACE "_test.cpp" "" name ${file})
  set(target test_compat_${name})
  add_executable(${target} ${source})
  skipper_plain(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/cufft/include ${PROJECT_SOURCE_DIR}/compat/tests
    ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/include)
  target_compile_definitions(${target} PRIVATE SKIPPER_CUFFT_ALONE SKIPPER_FAKE_DRIVER="$<TARGET_FILE:skipper_fake_driver>")
  skipper_precompiled(${target} test MACROS)
  target_link_libraries(${target} PRIVATE skipper_options skipper_cufft skipper_fake_driver GTest::gtest_main)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_dependencies(tests_emulated ${target})
  add_dependencies(tests_threads ${target})
  add_test(NAME compat/${name} COMMAND ${target})
  set_tests_properties(compat/${name} PROPERTIES LABELS "emulated;threads" TIMEOUT 600)
endforeach()

add_custom_target(skipper_cufft_tested ALL)  # two of the three are linked by no test
# What the libraries show, and under which version node, is what the list names, to the last symbol.
foreach(library "" _12 _11)
  string(REPLACE "_" libcufft.so. node "${library}")
  add_test(NAME compat/cufft_symbols${library} COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/cufft_symbols_test.sh
    ${PROJECT_SOURCE_DIR}/compat/cufft/symbols.txt $<TARGET_FILE:skipper_cufft${library}> "${node}")
  set_tests_properties(compat/cufft_symbols${library} PROPERTIES LABELS pure TIMEOUT 60 SKIP_RETURN_CODE 77)
  add_dependencies(tests_pure skipper_cufft${library})
  add_dependencies(skipper_cufft_tested skipper_cufft${library})
endforeach()

# Our headers against NVIDIA's, where those are installed.
add_test(NAME compat/cufft_headers COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/cufft_headers_test.sh
  ${PROJECT_SOURCE_DIR}/compat/cufft/include ${CMAKE_CXX_COMPILER} $<$<BOOL:${SKIPPER_CUDA_INCLUDE}>:${SKIPPER_CUDA_INCLUDE}>)
set_tests_properties(compat/cufft_headers PROPERTIES LABELS pure TIMEOUT 120 SKIP_RETURN_CODE 77)

add_test(NAME compat/cufft_coverage COMMAND ${PROJECT_SOURCE_DIR}/compat/tests/cufft_coverage.sh
  ${PROJECT_SOURCE_DIR}/compat/cufft/symbols.txt ${PROJECT_SOURCE_DIR}/docs/drop-in.md)
set_tests_properties(compat/cufft_coverage PROPERTIES LABELS pure TIMEOUT 60)
