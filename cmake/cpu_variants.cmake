# The vector kernels of src/cpu/variant, compiled once per instruction set. The folder's own target holds the build's plain
# set (NEON on aarch64, SSE2 on x86-64); x86-64 adds AVX2 and AVX-512 from the same files.
file(GLOB cpu_variant_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cpu/variant/*.cpp)
if(NOT TARGET skipper_cpu)
  return()
endif()

set(SKIPPER_INSTRUCTION_SETS all CACHE STRING
  "of x86-64, the vector kernels to build: all, or native, those that this machine runs")
set_property(CACHE SKIPPER_INSTRUCTION_SETS PROPERTY STRINGS all native)

# After the options of every target, so these win: codelets are written for fused operations and in vectors already.
set(cpu_kernel_options -O2 -ffp-contract=fast -fno-tree-vectorize)
if(SKIPPER_QUICK_BUILD)  # nothing is made part of its caller: a quarter to compile by clang, half by gcc
  list(APPEND cpu_kernel_options -Dflatten=unused -Dalways_inline=unused $<IF:$<CXX_COMPILER_ID:GNU>,-Og,-O0>)
elseif(SKIPPER_TESTS AND SKIPPER_PRECOMPILED)  # a fifth less to compile
  list(APPEND cpu_kernel_options -O1)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # IPA-SRA and IPA-CP leave parts of the longer codelets as calls, flatten or not, and scheduling before registers are given
  # out spills them (bench/results/h200-choices.md).
  list(APPEND cpu_kernel_options -fno-ipa-sra -fno-ipa-cp -fno-schedule-insns)
endif()
if(SKIPPER_SANITIZE)
  # Checks inside straight-line codelets take too long to compile: memory by calls, and no others. Nor are there guards around
  # what is on the stack, where every register of a codelet may be.
  list(APPEND cpu_kernel_options -O1 -fno-sanitize=undefined)
  if(SKIPPER_SANITIZE MATCHES "address")
    list(APPEND cpu_kernel_options -mllvm -asan-instrumentation-with-call-threshold=0 -mllvm -asan-stack=0)
  endif()
endif()
# A quick build compiles those of a precision at once: they share most codelets, which takes two thirds of the time.
set(cpu_kernel_sources ${cpu_variant_sources})
if(SKIPPER_QUICK_BUILD)
  set(cpu_kernel_sources)
  set_source_files_properties(${cpu_variant_sources} PROPERTIES HEADER_FILE_ONLY ON)
  foreach(precision f32 f64)
    set(together ${cpu_variant_sources})
    list(FILTER together INCLUDE REGEX "${precision}\\.cpp$")
    list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN together "" together)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cpu_kernels_${precision}.cpp CONTENT "${together}")
    list(APPEND cpu_kernel_sources ${PROJECT_BINARY_DIR}/cpu_kernels_${precision}.cpp)
  endforeach()
  target_sources(skipper_cpu PRIVATE ${cpu_kernel_sources})
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(cpu_flags_avx2 -mavx2 -mfma -mf16c)
  set(cpu_flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mf16c -mprefer-vector-width=512)
  set(cpu_needs_avx2 avx2 fma f16c)
  set(cpu_needs_avx512 ${cpu_needs_avx2} avx512f avx512dq avx512vl avx512bw)
  set(cpu_sets avx2 avx512)
  if(SKIPPER_INSTRUCTION_SETS STREQUAL native)
    set(cpu_has "")
    if(EXISTS /proc/cpuinfo)
      file(STRINGS /proc/cpuinfo cpu_has LIMIT_COUNT 1 REGEX "^flags")
      string(REGEX MATCHALL "[^ \t:]+" cpu_has "${cpu_has}")
    endif()
    foreach(set IN LISTS cpu_sets)
      foreach(needed IN LISTS cpu_needs_${set})
        if(NOT needed IN_LIST cpu_has)
          list(REMOVE_ITEM cpu_sets ${set})
        endif()
      endforeach()
    endforeach()
    if(cpu_sets)
      target_compile_options(skipper_options INTERFACE -mfma)  # std::fma is a call without
    endif()
  elseif(NOT SKIPPER_INSTRUCTION_SETS STREQUAL all)
    message(FATAL_ERROR "SKIPPER_INSTRUCTION_SETS is \"${SKIPPER_INSTRUCTION_SETS}\" but must be all or native")
  endif()

  foreach(set IN LISTS cpu_sets)
    add_library(skipper_cpu_${set} OBJECT ${cpu_kernel_sources})
    target_link_libraries(skipper_cpu_${set} PRIVATE skipper_options)
    target_compile_options(skipper_cpu_${set} PRIVATE ${cpu_flags_${set}})
    target_compile_definitions(skipper_cpu_${set} PRIVATE SKIPPER_VARIANT=${set})
    target_sources(skipper_cpu PRIVATE $<TARGET_OBJECTS:skipper_cpu_${set}>)
    string(TOUPPER ${set} name)
    target_compile_definitions(skipper_cpu PRIVATE SKIPPER_HAS_${name})
  endforeach()
endif()
set_source_files_properties(${cpu_kernel_sources} PROPERTIES
  COMPILE_OPTIONS "${cpu_kernel_options}" SKIP_PRECOMPILE_HEADERS ON)
