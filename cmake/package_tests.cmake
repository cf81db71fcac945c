# Examples as programs and tests, and what the tests of the interface (tests/api) and of the program (tests/cli) need
# besides what tests/CMakeLists.txt gives every test.
include(CheckLanguage)
foreach(language C Fortran)
  check_language(${language})
  if(CMAKE_${language}_COMPILER)
    enable_language(${language})
  endif()
endforeach()

file(GLOB examples CONFIGURE_DEPENDS examples/*.cpp examples/*.c examples/*.f90)
foreach(source IN LISTS examples)
  get_filename_component(name ${source} NAME_WE)
  get_filename_component(suffix ${source} EXT)
  if((suffix STREQUAL ".c" AND NOT CMAKE_C_COMPILER) OR (suffix STREQUAL ".f90" AND NOT CMAKE_Fortran_COMPILER))
    skipper_absent_test(examples/${name} pure "there is no compiler for ${name}${suffix}")
    continue()
  endif()
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE skipper::skipper)
  set_target_properties(example_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  if(suffix STREQUAL ".c")
    set_target_properties(example_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
    target_compile_options(example_${name} PRIVATE -Wall -Wextra -Wpedantic)
  elseif(suffix STREQUAL ".f90")
    target_sources(example_${name} PRIVATE include/skipper/skipper.f90)
    set_target_properties(example_${name} PROPERTIES Fortran_MODULE_DIRECTORY ${PROJECT_BINARY_DIR}/examples/modules)
  endif()
  add_dependencies(tests_pure example_${name})
  add_test(NAME examples/${name} COMMAND example_${name})
  set_tests_properties(examples/${name} PROPERTIES LABELS pure TIMEOUT 60)
endforeach()

# One that allocates by CUDA's runtime, where that is installed; without a GPU it is built and skipped.
find_package(CUDAToolkit QUIET)
if(TARGET CUDA::cudart AND NOT SKIPPER_SANITIZE)
  add_executable(example_several_gpus examples/cuda/several_gpus.cpp)
  target_link_libraries(example_several_gpus PRIVATE skipper::skipper CUDA::cudart)
  set_target_properties(example_several_gpus PROPERTIES
    OUTPUT_NAME several_gpus RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  add_dependencies(tests_gpu example_several_gpus)
  add_test(NAME examples/several_gpus COMMAND example_several_gpus)
  set_tests_properties(examples/several_gpus PROPERTIES LABELS gpu TIMEOUT 120 SKIP_RETURN_CODE 77)
elseif(NOT SKIPPER_SANITIZE)
  skipper_absent_test(examples/several_gpus gpu "CUDA's runtime is not installed")
endif()

# Files of NumPy's own making, where there is one.
find_program(PYTHON python3)
if(PYTHON AND TARGET skipper)
  add_test(NAME cli/numpy COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/cli/numpy_test.py $<TARGET_FILE:skipper>)
  set_tests_properties(cli/numpy PROPERTIES LABELS pure TIMEOUT 300 SKIP_RETURN_CODE 77)
elseif(TARGET skipper)
  skipper_absent_test(cli/numpy pure "there is no python3")
endif()

# A consumer's project against the installed tree, by find_package and by pkg-config.
add_test(NAME api/install COMMAND ${PROJECT_SOURCE_DIR}/tests/api/install_test.sh
  ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER} "${skipper_sanitize_flag} ${skipper_linker_flag}")
add_dependencies(tests_pure skipper)
set_tests_properties(api/install PROPERTIES LABELS pure TIMEOUT 300 SKIP_RETURN_CODE 77)

# Projects that take the source in, and builds with parts left out; configured only.
add_test(NAME api/subproject COMMAND ${PROJECT_SOURCE_DIR}/tests/api/subproject_test.sh
  ${PROJECT_SOURCE_DIR} ${CMAKE_CXX_COMPILER})
set_tests_properties(api/subproject PROPERTIES LABELS pure TIMEOUT 120)
