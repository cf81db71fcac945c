# skipper_options: what every target of ours is compiled and linked with.
find_package(Threads REQUIRED)

add_library(skipper_options INTERFACE)
target_include_directories(skipper_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include   # <skipper/...>, what a user sees
  ${PROJECT_SOURCE_DIR}/src)      # "plan/program.h", inside the library
target_link_libraries(skipper_options INTERFACE Threads::Threads ${CMAKE_DL_LIBS})

# No contraction: a*b+c rounds twice on every machine, so that goldens and roots of unity agree on x86-64
# and aarch64 to the last bit. Where a fused operation is wanted it is written as one.
target_compile_options(skipper_options INTERFACE -ffp-contract=off)
if(PROJECT_IS_TOP_LEVEL)  # whoever takes Skipper into a project of theirs has warnings of their own to read
  target_compile_options(skipper_options INTERFACE -Wall -Wextra -Wpedantic)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # clang says it of names in other files of a bundle
    target_compile_options(skipper_options INTERFACE -Wshadow)
  endif()
endif()
if(SKIPPER_WERROR)
  target_compile_options(skipper_options INTERFACE -Werror)
endif()

# lld takes a fifth of the time that programs take to link. Where tests are built by gcc it is gold (tests/CMakeLists.txt).
set(skipper_linker_flag "")
if(SKIPPER_QUICK_BUILD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  find_program(SKIPPER_LLD ld.lld)
  if(SKIPPER_LLD)
    set(skipper_linker_flag -fuse-ld=lld)
    add_link_options(${skipper_linker_flag})
  endif()
endif()

# For a whole build tree, GoogleTest from source included; mixing sanitized and plain objects hides errors.
set(skipper_sanitize_flag "")
if(SKIPPER_SANITIZE)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SKIPPER_SANITIZE needs clang: -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang")
  endif()
  set(skipper_sanitize_flag "-fsanitize=${SKIPPER_SANITIZE}")
  add_compile_options(-fsanitize=${SKIPPER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SKIPPER_SANITIZE})
  add_link_options(-rtlib=compiler-rt -unwindlib=libgcc)  # products of 128 bits that are checked are calls that libgcc does not have
  if(SKIPPER_SANITIZE MATCHES "undefined")
    # What is left out takes long to compile (bench/results/h200-choices.md) and finds nothing more: a null pointer ASan reports as
    # well, vectors are loaded by memcpy, and a pointer that wrapped around ASan reports where it is used. Functions of vendors are
    # called by types of our own, since their headers are not here: to C they are the same, to the sanitizer they are not.
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize=null,alignment,pointer-overflow,function>)
  endif()
endif()

# skipper_light(<target>): less optimisation, for what compiles long and does not run long. skipper_plain(<target>): none, for
# programs whose work is done by the library. skipper_thin(<target>): none in builds for tests, for libraries that hand work on.
# What they save is in bench/results/h200-choices.md. All before skipper_precompiled().
function(skipper_light target)
  string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" flags)
  if("${${flags}}" MATCHES "-O1")  # as it is: with the same precompiled headers as the others
    return()
  endif()
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O1>)
  set_target_properties(${target} PROPERTIES SKIPPER_OPTIMISATION light)
endfunction()
function(skipper_thin target)
  if(SKIPPER_TESTS AND SKIPPER_PRECOMPILED)
    skipper_plain(${target})
  endif()
endfunction()
function(skipper_plain target)
  target_compile_options(${target} PRIVATE -O0)
  set_target_properties(${target} PROPERTIES SKIPPER_OPTIMISATION plain)
endfunction()
