# Drop-in libraries: libskipper_fftw3 and libskipper_fftw3f have FFTW's interface (docs/drop-in.md), libskipper_cufft that of cuFFT
# (compat_cufft.cmake). The sources are compiled
# once for each precision, the library of users is inside, and what compat/fftw3/symbols.txt names is all that shows. Beside
# them are links by the names under which FFTW's libraries are looked for. Target `compat`; nothing else builds them but tests.
option(SKIPPER_COMPAT "have the target compat: libraries with the interfaces of FFTW and cuFFT" ${PROJECT_IS_TOP_LEVEL})
if(NOT SKIPPER_COMPAT OR NOT UNIX OR APPLE)
  return()
endif()
set(SKIPPER_COMPAT_DIRECTORY ${PROJECT_BINARY_DIR}/compat CACHE PATH "where drop-in libraries are left")
add_custom_target(compat)

# skipper_version_script(<file> <list> <prefix of C> <prefix of Fortran>): from a list of symbols.
function(skipper_version_script file list c_prefix fortran_prefix)
  file(STRINGS ${list} lines REGEX "^[a-z]")
  set(names "")
  foreach(line IN LISTS lines)
    if(line MATCHES "^fortran (.*)$")
      string(APPEND names "    ${fortran_prefix}_${CMAKE_MATCH_1}_;\n    ${fortran_prefix}_${CMAKE_MATCH_1}__;\n")
    elseif(line MATCHES "^(function|data) (.*)$")
      string(APPEND names "    ${c_prefix}_${CMAKE_MATCH_2};\n")
    elseif(line MATCHES "^private (.*)$")
      string(APPEND names "    skipper_${c_prefix}_${CMAKE_MATCH_1};\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${file} CONTENT "{\n  global:\n${names}  local: *;\n};\n" @ONLY)
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/fftw3/symbols.txt)

file(GLOB fftw3_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/fftw3/*.cpp)
# skipper_fftw3_library(<target> <suffix of FFTW's names> <prefix of Fortran> [<definition> ...])
function(skipper_fftw3_library target suffix fortran_prefix)
  add_library(${target} SHARED EXCLUDE_FROM_ALL ${fftw3_sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/compat/fftw3)
  target_compile_definitions(${target} PRIVATE ${ARGN})
  skipper_bundled(${target})
  skipper_thin(${target})
  skipper_precompiled(${target} library MACROS)
  target_link_libraries(${target} PRIVATE skipper_options skipper_library)
  set(script ${PROJECT_BINARY_DIR}/${target}.map)
  skipper_version_script(${script} ${PROJECT_SOURCE_DIR}/compat/fftw3/symbols.txt fftw${suffix} ${fortran_prefix})
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${script})
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${SKIPPER_COMPAT_DIRECTORY}/fftw3
    SOVERSION 3)  # the interface is that of FFTW 3
  foreach(part "" _threads _omp)
    add_custom_command(TARGET ${target} POST_BUILD COMMAND ${CMAKE_COMMAND} -E create_symlink
      lib${target}.so.3 ${SKIPPER_COMPAT_DIRECTORY}/fftw3/libfftw3${suffix}${part}.so.3)
  endforeach()
  add_dependencies(compat ${target})
  if(SKIPPER_INSTALL)  # by `cmake --install ... --component compat`, after the target compat
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compat OPTIONAL EXCLUDE_FROM_ALL)
  endif()
endfunction()

skipper_fftw3_library(skipper_fftw3 "" dfftw)
skipper_fftw3_library(skipper_fftw3f f sfftw SKIPPER_FFTW_SINGLE)
# Headers: FFTW's for C, and for Fortran what is written from it.
set(fftw3_headers ${SKIPPER_COMPAT_DIRECTORY}/fftw3/include)
add_executable(skipper_fortran_header EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/compat/fortran/fortran_header.cpp)
skipper_plain(skipper_fortran_header)
target_link_libraries(skipper_fortran_header PRIVATE skipper_options)
set_target_properties(skipper_fortran_header PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
set(fftw3_h ${PROJECT_SOURCE_DIR}/compat/fftw3/include/fftw3.h)
set(fftw3_mpi_h ${PROJECT_SOURCE_DIR}/compat/fftw3_mpi/include/fftw3-mpi.h)
add_custom_command(OUTPUT ${fftw3_headers}/fftw3.h ${fftw3_headers}/fftw3.f03 ${fftw3_headers}/fftw3.f ${fftw3_headers}/fftw3-mpi.f03
  COMMAND ${CMAKE_COMMAND} -E make_directory ${fftw3_headers}
  COMMAND ${CMAKE_COMMAND} -E copy ${fftw3_h} ${fftw3_headers}/fftw3.h
  COMMAND skipper_fortran_header ${fftw3_h} ${fftw3_mpi_h} ${fftw3_headers}
  DEPENDS ${fftw3_h} ${fftw3_mpi_h} skipper_fortran_header)
add_custom_target(skipper_fftw3_headers DEPENDS ${fftw3_headers}/fftw3.h ${fftw3_headers}/fftw3.f03)
add_dependencies(compat skipper_fftw3_headers)
if(SKIPPER_INSTALL)
  foreach(header fftw3.h fftw3.f03 fftw3.f)
    install(FILES ${fftw3_headers}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skipper/fftw3 COMPONENT compat
      OPTIONAL EXCLUDE_FROM_ALL)
  endforeach()
  file(RELATIVE_PATH prefix_from_file /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  foreach(suffix "" f)
    configure_file(cmake/compat_pkgconfig.pc.in skipper_fftw3${suffix}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/skipper_fftw3${suffix}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
      COMPONENT compat EXCLUDE_FROM_ALL)
  endforeach()
endif()

include(cmake/compat_cufft.cmake)

if(SKIPPER_TESTS)
  include(cmake/compat_cufft_tests.cmake)
  include(cmake/compat_tests.cmake)
endif()
