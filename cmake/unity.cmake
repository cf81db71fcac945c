# skipper_unity(<variable> <group> <source>...): test sources in bundles of about 3000 lines, each compiled at once, so that what
# their headers instantiate is compiled once a bundle; those with options of their own by themselves. Where SKIPPER_PRECOMPILED is
# off, or a compiler cache is in use, all of them by themselves.
#
# In a bundle the unnamed namespace of a file gets the file's name, so that files may use the same names; #line keeps messages,
# and GoogleTest's names of files, those of the source.
#   cmake -DOUT=.. -DROOT=.. -DSOURCES=a|b -P unity.cmake    writes one
if(CMAKE_SCRIPT_MODE_FILE)
  string(REPLACE "|" ";" SOURCES "${SOURCES}")
  set(bundle "")
  foreach(source IN LISTS SOURCES)
    file(READ ${ROOT}/${source} text)
    string(REGEX REPLACE "[^a-z0-9]" "_" space "in_${source}")
    string(REPLACE "\nnamespace {\n" "\nnamespace ${space} {\n" text "${text}")
    string(APPEND bundle "#line 1 \"${ROOT}/${source}\"\n${text}")
  endforeach()
  file(WRITE ${OUT} "${bundle}")
  return()
endif()

set(skipper_unity_script ${CMAKE_CURRENT_LIST_FILE})
function(skipper_unity variable group)
  if(NOT SKIPPER_PRECOMPILED OR CMAKE_CXX_COMPILER_LAUNCHER)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(bundles)
  set(bundle)
  set(lines 0)
  foreach(source IN LISTS ARGN ITEMS end)
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      list(APPEND bundles ${source})
      continue()
    endif()
    set(count 10000)
    if(NOT source STREQUAL end)
      file(STRINGS ${source} all REGEX "[;}]$")  # lines of code
      list(LENGTH all count)
    endif()
    math(EXPR lines "${lines} + ${count}")
    if(bundle AND lines GREATER 1500)
      list(LENGTH bundles number)
      set(out ${CMAKE_CURRENT_BINARY_DIR}/unity/${group}_${number}.cpp)
      list(JOIN bundle "|" joined)
      add_custom_command(OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DROOT=${CMAKE_CURRENT_SOURCE_DIR} "-DSOURCES=${joined}" -P ${skipper_unity_script}
        DEPENDS ${bundle} ${skipper_unity_script} VERBATIM)
      list(APPEND bundles ${out})
      set(bundle)
      set(lines ${count})
    endif()
    list(APPEND bundle ${source})
  endforeach()
  set(${variable} ${bundles} PARENT_SCOPE)
endfunction()
