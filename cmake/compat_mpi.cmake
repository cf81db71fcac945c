# Drop-in libraries with the interface of FFTW's MPI part, where MPI is installed: libskipper_fftw3_mpi and libskipper_fftw3f_mpi
# beside libskipper_fftw3 (cmake/compat.cmake), with links by FFTW's names. They are built against the MPI that CMake finds; those
# for the other of Open MPI and MPICH (cmake/mpi.cmake) are in a folder by its name. Skipper and its communicator are inside.
if(NOT TARGET compat OR NOT TARGET skipper_mpi OR NOT mpis)
  return()
endif()

set(fftw3_mpi_list ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi/symbols.txt)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${fftw3_mpi_list})
file(GLOB fftw3_mpi_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi/*.cpp)
list(APPEND fftw3_mpi_sources ${PROJECT_SOURCE_DIR}/compat/fftw3/copy.cpp)
foreach(part communicator device_memory processes node_window shared_memory)
  list(APPEND fftw3_mpi_sources ${PROJECT_SOURCE_DIR}/mpi/${part}.cpp)
endforeach()

# skipper_fftw3_mpi_library(<target> <suffix of FFTW's names> <MPI> <folder> [<definition> ...])
function(skipper_fftw3_mpi_library target suffix mpi folder)
  add_library(${target} SHARED EXCLUDE_FROM_ALL ${fftw3_mpi_sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi ${PROJECT_SOURCE_DIR}/compat/fftw3
    ${PROJECT_SOURCE_DIR}/compat/fftw3/include ${PROJECT_SOURCE_DIR}/mpi/include)
  target_compile_definitions(${target} PRIVATE ${ARGN})
  skipper_bundled(${target})
  skipper_thin(${target})
  skipper_precompiled(${target} library MACROS)
  get_target_property(linked ${library_${mpi}} LINK_LIBRARIES)
  target_link_libraries(${target} PRIVATE skipper_options skipper_fftw3${suffix} skipper_library ${linked})
  set(script ${PROJECT_BINARY_DIR}/${target}.map)
  skipper_version_script(${script} ${fftw3_mpi_list} fftw${suffix}_mpi "")
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME skipper_fftw3${suffix}_mpi
    LIBRARY_OUTPUT_DIRECTORY ${folder}
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN:$ORIGIN/.."  # libskipper_fftw3 is beside it, or above the folder of another MPI
    SOVERSION 3)
  add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
    libskipper_fftw3${suffix}_mpi.so.3 ${folder}/libfftw3${suffix}_mpi.so.3)
  add_dependencies(compat ${target})
endfunction()

foreach(mpi IN LISTS mpis)
  set(folder ${SKIPPER_COMPAT_DIRECTORY}/fftw3)
  set(tail "")
  if(NOT library_${mpi} STREQUAL "skipper_mpi")
    set(folder ${folder}/${mpi})
    set(tail _${mpi})
  endif()
  set(fftw3_mpi_${mpi} skipper_fftw3_mpi${tail})
  skipper_fftw3_mpi_library(skipper_fftw3_mpi${tail} "" ${mpi} ${folder})
  skipper_fftw3_mpi_library(skipper_fftw3f_mpi${tail} f ${mpi} ${folder} SKIPPER_FFTW_SINGLE)
endforeach()

add_custom_command(OUTPUT ${fftw3_headers}/fftw3-mpi.h
  COMMAND ${CMAKE_COMMAND} -E copy ${fftw3_mpi_h} ${fftw3_headers}/fftw3-mpi.h
  DEPENDS ${fftw3_mpi_h})
add_custom_target(skipper_fftw3_mpi_headers DEPENDS ${fftw3_headers}/fftw3-mpi.h)
add_dependencies(skipper_fftw3_mpi_headers skipper_fftw3_headers)
add_dependencies(compat skipper_fftw3_mpi_headers)
if(SKIPPER_INSTALL)
  install(TARGETS skipper_fftw3_mpi skipper_fftw3f_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compat
    OPTIONAL EXCLUDE_FROM_ALL)
  install(FILES ${fftw3_headers}/fftw3-mpi.h ${fftw3_headers}/fftw3-mpi.f03 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skipper/fftw3 COMPONENT compat
    OPTIONAL EXCLUDE_FROM_ALL)
endif()

if(SKIPPER_TESTS AND NOT SKIPPER_SANITIZE)
  include(cmake/compat_mpi_tests.cmake)
endif()
