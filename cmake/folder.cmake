# skipper_folder(<name> [<folder it may see> ...]): the target skipper_<name> for src/<name>.
# Static where there are .cpp files, INTERFACE where there are only headers, nothing where there are neither.
# SKIPPER_FOLDERS collects the targets that exist.
function(skipper_folder name)
  set(room ${PROJECT_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${room}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${room}/*.h)
  set(target skipper_${name})

  if(sources)
    add_library(${target} STATIC ${sources} ${headers})
    skipper_precompiled(${target} library)
    set(reach PUBLIC)
  elseif(headers)
    add_library(${target} INTERFACE)
    set(reach INTERFACE)
  else()
    return()
  endif()

  target_link_libraries(${target} ${reach} skipper_options)
  foreach(seen IN LISTS ARGN)
    if(TARGET skipper_${seen})
      target_link_libraries(${target} ${reach} skipper_${seen})
    endif()
  endforeach()
  set(SKIPPER_FOLDERS ${SKIPPER_FOLDERS} ${target} PARENT_SCOPE)
endfunction()
