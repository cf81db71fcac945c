# libskipper_mpi, the communicator on MPI, with its test; where an MPI is installed. Skipper itself links none.
option(SKIPPER_MPI "build libskipper_mpi where MPI is found" ${PROJECT_IS_TOP_LEVEL})
if(NOT SKIPPER_MPI)
  return()
endif()
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI QUIET COMPONENTS CXX)
if(NOT MPI_CXX_FOUND)
  message(STATUS "MPI is not installed: libskipper_mpi is left out")
  return()
endif()

file(GLOB mpi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/mpi/*.cpp)
add_library(skipper_mpi SHARED ${mpi_sources})
target_include_directories(skipper_mpi
  PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/mpi/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
         $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_features(skipper_mpi PUBLIC cxx_std_20)
target_compile_options(skipper_mpi PRIVATE -Wall -Wextra)
target_link_libraries(skipper_mpi PUBLIC MPI::MPI_CXX)
set_target_properties(skipper_mpi PROPERTIES
  EXPORT_NAME mpi
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
if(SKIPPER_INSTALL)
  install(TARGETS skipper_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/mpi/include/skipper DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

# Plans on 1 to 8 processes, against the transform on one.
if(SKIPPER_TESTS AND NOT SKIPPER_SANITIZE AND TARGET skipper_library)
  add_executable(test_mpi_plan ${PROJECT_SOURCE_DIR}/tests/mpi/plan.cpp)
  target_link_libraries(test_mpi_plan PRIVATE skipper_mpi skipper_library)
  set_target_properties(test_mpi_plan PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  foreach(ranks 1 2 3 4 8)
    add_test(NAME mpi/plan_${ranks}
      COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:test_mpi_plan>)
    set_tests_properties(mpi/plan_${ranks} PROPERTIES LABELS multi TIMEOUT 120 PROCESSORS 2
      # Open MPI: as root, and on fewer cores than ranks; where there is no remote shell.
      ENVIRONMENT "OMPI_ALLOW_RUN_AS_ROOT=1;OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1;OMPI_MCA_rmaps_base_oversubscribe=1;OMPI_MCA_plm_rsh_agent=true;OMPI_MCA_mpi_yield_when_idle=1")
  endforeach()
endif()

# Against FFTW-MPI, where that is installed: a peer, never part of what is shipped.
find_path(FFTW_MPI_INCLUDE fftw3-mpi.h)
find_library(FFTW_MPI_LIBRARY fftw3_mpi)
find_library(FFTWF_MPI_LIBRARY fftw3f_mpi)
find_library(FFTW_LIBRARY fftw3)
find_library(FFTWF_LIBRARY fftw3f)

if(NOT TARGET skipper_library)
  return()
endif()
add_executable(bench_distributed EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/bench/mpi/distributed.cpp)
target_link_libraries(bench_distributed PRIVATE skipper_mpi skipper_library)
if(FFTW_MPI_INCLUDE AND FFTW_MPI_LIBRARY AND FFTWF_MPI_LIBRARY)
  target_compile_definitions(bench_distributed PRIVATE SKIPPER_FFTW_MPI)
  target_include_directories(bench_distributed PRIVATE ${FFTW_MPI_INCLUDE})
  target_link_libraries(bench_distributed PRIVATE ${FFTW_MPI_LIBRARY} ${FFTWF_MPI_LIBRARY} ${FFTW_LIBRARY} ${FFTWF_LIBRARY})
endif()
