# The library `skipper` that users link: the objects of all folders in one file, static and shared, with install rules, a
# CMake package and a pkg-config file. find_package(skipper) gives skipper::static, skipper::shared, and skipper::skipper
# for the one that BUILD_SHARED_LIBS asks for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A folder's objects are those it compiles and those of the object libraries it takes in.
set(objects)
foreach(folder IN LISTS SKIPPER_FOLDERS)
  get_target_property(type ${folder} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    continue()
  endif()
  list(APPEND objects $<TARGET_OBJECTS:${folder}>)
  get_target_property(sources ${folder} SOURCES)
  list(FILTER sources INCLUDE REGEX "TARGET_OBJECTS")
  list(PREPEND objects ${sources})  # those that a quick build optimises: a linker takes the first copy of an inline function
  get_target_property(linked ${folder} LINK_LIBRARIES)
  foreach(library IN LISTS linked)
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
      if(type STREQUAL "OBJECT_LIBRARY")
        list(APPEND objects $<TARGET_OBJECTS:${library}>)
      endif()
    endif()
  endforeach()
endforeach()

if(NOT SKIPPER_STATIC AND NOT SKIPPER_SHARED)
  message(FATAL_ERROR "SKIPPER_STATIC and SKIPPER_SHARED are both OFF; leave one of them ON")
endif()

# The static library is there even where it is not asked for, because the program and the tests are made of it.
add_library(skipper_library STATIC ${objects})
set(libraries skipper_library)
set(installed)
if(SKIPPER_STATIC)
  list(APPEND installed skipper_library)
else()
  set_target_properties(skipper_library PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
if(SKIPPER_SHARED)
  add_library(skipper_shared SHARED ${objects})
  list(APPEND libraries skipper_shared)
  list(APPEND installed skipper_shared)
endif()
set(user_has_cxx OFF)  # a project in C or Fortran knows nothing of C++'s standards and libraries
if(PROJECT_IS_TOP_LEVEL OR CXX IN_LIST languages_before)
  set(user_has_cxx ON)
endif()
foreach(library IN LISTS libraries)
  set_target_properties(${library} PROPERTIES
    OUTPUT_NAME skipper
    LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(user_has_cxx)
    target_compile_features(${library} INTERFACE cxx_std_20)
  endif()
endforeach()

# By name and not as Threads::Threads, which CMake can find for C and C++ only. C++'s own libraries follow from the language
# where CMake links as C++; what links as C or Fortran is told them by package_config.cmake.in and pkg-config.
set(runtime_libraries)
foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  if(library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$" AND NOT library IN_LIST runtime_libraries)
    list(APPEND runtime_libraries ${library})
  endif()
endforeach()
target_link_libraries(skipper_library INTERFACE pthread ${CMAKE_DL_LIBS})
if(NOT user_has_cxx)
  target_link_libraries(skipper_library INTERFACE ${runtime_libraries})
endif()
set_target_properties(skipper_library PROPERTIES EXPORT_NAME static)
if(SKIPPER_SHARED)
  target_link_libraries(skipper_shared PRIVATE pthread ${CMAKE_DL_LIBS})
  set_target_properties(skipper_shared PROPERTIES
    EXPORT_NAME shared
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(UNIX AND NOT APPLE)
    include(cmake/package_symbols.cmake)
    skipper_show_public_names(skipper_shared)
  endif()
endif()

if(SKIPPER_STATIC)
  add_library(skipper::static ALIAS skipper_library)
endif()
if(SKIPPER_SHARED)
  add_library(skipper::shared ALIAS skipper_shared)
endif()
if(SKIPPER_SHARED AND (BUILD_SHARED_LIBS OR NOT SKIPPER_STATIC))
  add_library(skipper::skipper ALIAS skipper_shared)
else()
  add_library(skipper::skipper ALIAS skipper_library)
endif()

if(NOT SKIPPER_INSTALL)
  return()
endif()
install(TARGETS ${installed} EXPORT skipper
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skipper DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/skipper)
install(EXPORT skipper NAMESPACE skipper:: FILE skipper-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/package_config.cmake.in skipper-config.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(skipper-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/skipper-config.cmake ${PROJECT_BINARY_DIR}/skipper-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config. With --static come the libraries that the static one uses; C and Fortran then need C++'s own.
set(private_libraries "-pthread")
foreach(library IN LISTS runtime_libraries CMAKE_DL_LIBS)
  string(APPEND private_libraries " -l${library}")
endforeach()
file(RELATIVE_PATH prefix_from_file /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/package_pkgconfig.pc.in skipper.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skipper.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
