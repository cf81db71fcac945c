# The kernel headers as text inside the library: NVRTC compiles them on the user's machine, where no source tree is.
function(skipper_embed out)
  file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/kernel/*.h)
  set(text "// Made by cmake/embed_kernels.cmake.\n#include \"gpu/jit.h\"\nnamespace skipper::gpu {\nHeader const kernel_headers[] = {\n")
  foreach(header IN LISTS headers)
    file(READ ${PROJECT_SOURCE_DIR}/src/${header} body)
    string(APPEND text "{\"${header}\", R\"kernel(${body})kernel\"},\n")
  endforeach()
  string(APPEND text "};\nint const kernel_header_count = sizeof(kernel_headers) / sizeof(kernel_headers[0]);\n}  // namespace skipper::gpu\n")
  if(EXISTS ${out})
    file(READ ${out} before)
  endif()
  if(NOT "${before}" STREQUAL "${text}")  # keep the time stamp where nothing changed
    file(WRITE ${out} "${text}")
  endif()
endfunction()

if(TARGET skipper_gpu)
  skipper_embed(${PROJECT_BINARY_DIR}/kernel_headers.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kernel/*.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  target_sources(skipper_gpu PRIVATE ${PROJECT_BINARY_DIR}/kernel_headers.cpp)
  # Plans and kernels are kept on disk, so whatever may change them is part of their keys.
  set(hashed)
  foreach(folder plan base kernel ir trace)
    list(APPEND hashed ${PROJECT_SOURCE_DIR}/src/${folder}/*.h ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  endforeach()
  file(GLOB_RECURSE hashed_sources CONFIGURE_DEPENDS ${hashed})
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/source_hashes.cpp
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DOUT=${PROJECT_BINARY_DIR}/source_hashes.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/source_hashes.cmake
    DEPENDS ${hashed_sources} ${PROJECT_SOURCE_DIR}/cmake/source_hashes.cmake)
  target_sources(skipper_gpu PRIVATE ${PROJECT_BINARY_DIR}/source_hashes.cpp)
  find_package(Threads REQUIRED)
  target_link_libraries(skipper_gpu PUBLIC ${CMAKE_DL_LIBS} Threads::Threads)
endif()
