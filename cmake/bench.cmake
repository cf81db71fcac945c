# Measurements that are programs of their own. Built with the tests, so that they keep compiling, or when asked for.
if(TARGET skipper_cli)
  add_executable(against_fftw EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/cpu/against_fftw.cpp)
  target_include_directories(against_fftw PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(against_fftw PRIVATE skipper_cli)
  if(SKIPPER_TESTS)
    set_target_properties(against_fftw PROPERTIES EXCLUDE_FROM_ALL OFF)
  endif()
endif()
