# Measurements that are programs of their own. Built with the tests, so that they keep compiling, or when asked for.
if(TARGET skipper_cli)
  add_executable(against_fftw EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/cpu/against_fftw.cpp)
  target_include_directories(against_fftw PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(against_fftw PRIVATE skipper_cli)
  if(SKIPPER_TESTS)
    set_target_properties(against_fftw PROPERTIES EXCLUDE_FROM_ALL OFF)
  endif()
endif()

add_executable(bench_stream EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/stream/time.cpp)
target_link_libraries(bench_stream PRIVATE skipper_options skipper_library)
if(SKIPPER_TESTS)
  set_target_properties(bench_stream PROPERTIES EXCLUDE_FROM_ALL OFF)
endif()

# What looks into the library's rooms, for those who tune it.
if(TARGET skipper_cli)
  add_executable(explore EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/gpu/explore.cpp)
  target_include_directories(explore PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(explore PRIVATE skipper_cli skipper_gpu skipper_options)
endif()
