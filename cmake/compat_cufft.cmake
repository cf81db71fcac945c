# libskipper_cufft, which has cuFFT's interface (docs/drop-in.md): by its own name without symbol versions, and as libcufft.so.12
# and libcufft.so.11 with the version node that programs linked against those ask for. All show what compat/cufft/symbols.txt
# names and nothing else. No part of CUDA is needed to build them.
set(cufft_folder ${SKIPPER_COMPAT_DIRECTORY}/cufft)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/cufft/symbols.txt)
file(GLOB cufft_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/compat/cufft/*.cpp)
add_library(skipper_cufft_objects OBJECT EXCLUDE_FROM_ALL ${cufft_sources})
target_include_directories(skipper_cufft_objects PRIVATE
  ${PROJECT_SOURCE_DIR}/compat/cufft ${PROJECT_SOURCE_DIR}/compat/cufft/include ${PROJECT_SOURCE_DIR}/include)
target_compile_definitions(skipper_cufft_objects PRIVATE SKIPPER_CUFFT_ALONE)
skipper_bundled(skipper_cufft_objects)
skipper_thin(skipper_cufft_objects)
skipper_precompiled(skipper_cufft_objects library MACROS)
target_link_libraries(skipper_cufft_objects PRIVATE skipper_options)

# skipper_cufft_library(<target> [<version node, which is also the name of the file>])
function(skipper_cufft_library target)
  set(node ${ARGV1})
  file(STRINGS ${PROJECT_SOURCE_DIR}/compat/cufft/symbols.txt names REGEX "^function ")
  list(TRANSFORM names REPLACE "^function (.*)$" "    \\1$<SEMICOLON>")
  list(JOIN names "\n" names)
  set(script ${PROJECT_BINARY_DIR}/${target}.map)
  file(GENERATE OUTPUT ${script} CONTENT "${node} {\n  global:\n${names}\n  local: *$<SEMICOLON>\n}$<SEMICOLON>\n")
  add_library(${target} SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:skipper_cufft_objects>)
  target_link_libraries(${target} PRIVATE skipper_options skipper_library)
  target_link_options(${target} PRIVATE -Wl,--version-script=${script} -Wl,-Bsymbolic-functions -Wl,--gc-sections)
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX
    LINK_DEPENDS ${script}
    LIBRARY_OUTPUT_DIRECTORY ${cufft_folder})
  if(node)  # no link without the number: two libraries would claim it
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${node} SUFFIX "" NO_SONAME ON)
    target_link_options(${target} PRIVATE -Wl,-soname,${node})
  else()
    set_target_properties(${target} PROPERTIES SOVERSION 12)  # the interface is that of cuFFT 12
  endif()
  add_dependencies(compat ${target})
endfunction()

skipper_cufft_library(skipper_cufft)
skipper_cufft_library(skipper_cufft_12 libcufft.so.12)
skipper_cufft_library(skipper_cufft_11 libcufft.so.11)

add_custom_target(skipper_cufft_headers COMMAND ${CMAKE_COMMAND} -E copy_directory
  ${PROJECT_SOURCE_DIR}/compat/cufft/include ${cufft_folder}/include)
add_dependencies(compat skipper_cufft_headers)
if(SKIPPER_INSTALL)  # by `cmake --install ... --component compat`, after the target compat; nothing under NVIDIA's names
  install(TARGETS skipper_cufft LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT compat OPTIONAL EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/compat/cufft/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/skipper/cufft
    COMPONENT compat EXCLUDE_FROM_ALL)
  configure_file(cmake/compat_cufft.pc.in skipper_cufft.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/skipper_cufft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT compat EXCLUDE_FROM_ALL)
endif()
