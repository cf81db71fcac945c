# The library `skipper` that users link: the objects of all folders in one file, with install rules, a CMake package
# (find_package(skipper) gives skipper::skipper) and a pkg-config file. Static unless BUILD_SHARED_LIBS is on.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A folder's objects are those it compiles and those of the object libraries it takes in (instruction-set variants).
set(objects)
foreach(folder IN LISTS SKIPPER_FOLDERS)
  get_target_property(type ${folder} TYPE)
  if(NOT type STREQUAL "STATIC_LIBRARY")
    continue()
  endif()
  list(APPEND objects $<TARGET_OBJECTS:${folder}>)
  get_target_property(sources ${folder} SOURCES)
  list(FILTER sources INCLUDE REGEX "TARGET_OBJECTS")
  list(APPEND objects ${sources})
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

add_library(skipper_library ${objects})
add_library(skipper::skipper ALIAS skipper_library)
set_target_properties(skipper_library PROPERTIES
  OUTPUT_NAME skipper
  EXPORT_NAME skipper
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
target_compile_features(skipper_library INTERFACE cxx_std_20)
target_include_directories(skipper_library INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(skipper_library PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

install(TARGETS skipper_library EXPORT skipper
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/skipper DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/skipper)
install(EXPORT skipper NAMESPACE skipper:: FILE skipper-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/package_config.cmake.in skipper-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(skipper-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/skipper-config.cmake ${PROJECT_BINARY_DIR}/skipper-config-version.cmake
  DESTINATION ${package_dir})

# pkg-config. A static library needs what it uses on every link line, and C and Fortran need C++'s own library.
set(private_libraries "-lstdc++ -lm -pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
  string(APPEND private_libraries " -l${library}")
endforeach()
if(BUILD_SHARED_LIBS)
  set(public_libraries "")
else()
  set(public_libraries " ${private_libraries}")
endif()
file(RELATIVE_PATH prefix_from_file /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/package_pkgconfig.pc.in skipper.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/skipper.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
