# skipper_folder(<name> [LIGHT] [THIN] [<folder it may see> ...]): the target skipper_<name> for src/<name>.
# LIGHT: less optimisation costs it next to nothing. THIN: hands work on and does little itself, so that it is not optimised where
# it is built for tests.
# Static where there are .cpp files, INTERFACE where there are only headers, nothing where there are neither.
# SKIPPER_FOLDERS collects the targets that exist.
function(skipper_folder name)
  cmake_parse_arguments(folder "LIGHT;THIN" "" "" ${ARGN})
  set(room ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${room}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${room}/*.h)
  set(target skipper_${name})

  if(sources)
    add_library(${target} STATIC ${sources} ${headers})
    if(folder_THIN AND SKIPPER_TESTS AND SKIPPER_PRECOMPILED)
      skipper_plain(${target})
    elseif(folder_LIGHT OR (SKIPPER_TESTS AND SKIPPER_PRECOMPILED))  # the build of every day is for tests
      skipper_light(${target})
    endif()
    skipper_precompiled(${target} library)
    skipper_bundled(${target})
    set(reach PUBLIC)
  elseif(headers)
    add_library(${target} INTERFACE)
    set(reach INTERFACE)
  else()
    return()
  endif()

  target_link_libraries(${target} ${reach} skipper_options)
  foreach(seen IN LISTS folder_UNPARSED_ARGUMENTS)
    if(TARGET skipper_${seen})
      target_link_libraries(${target} ${reach} skipper_${seen})
    endif()
  endforeach()
  set(SKIPPER_FOLDERS ${SKIPPER_FOLDERS} ${target} PARENT_SCOPE)
endfunction()
