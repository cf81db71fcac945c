# The program `skipper`, and skipper_cli: all of it but main(), so that tests can link the parts.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
list(REMOVE_ITEM cli_sources ${PROJECT_SOURCE_DIR}/cli/main.cpp)
if(NOT cli_sources)
  return()
endif()

# Which commit was built, asked at every build, written only when it changed.
set(commit_header ${PROJECT_BINARY_DIR}/generated/commit.h)
add_custom_target(skipper_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${commit_header}
          -P ${PROJECT_SOURCE_DIR}/cmake/package_commit.cmake
  BYPRODUCTS ${commit_header})

add_library(skipper_cli STATIC ${cli_sources})
if(SKIPPER_SANITIZE)  # it hands work on, as THIN folders do
  skipper_plain(skipper_cli)
else()
  skipper_light(skipper_cli)
endif()
skipper_precompiled(skipper_cli library)
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/reference.cpp PROPERTIES  # sums without end
  COMPILE_OPTIONS -O2 SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/rank_library.cpp PROPERTIES  # where libskipper_mpi is installed
  COMPILE_DEFINITIONS SKIPPER_LIBDIR="${CMAKE_INSTALL_LIBDIR}" SKIP_PRECOMPILE_HEADERS ON)
add_dependencies(skipper_cli skipper_commit)
target_include_directories(skipper_cli PUBLIC ${PROJECT_SOURCE_DIR}/cli PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(skipper_cli PUBLIC skipper_options skipper_library)

add_executable(skipper ${PROJECT_SOURCE_DIR}/cli/main.cpp)
target_link_libraries(skipper PRIVATE skipper_cli)

# Man page and completions are printed by the program from the table of its commands, so they cannot say anything else.
if(NOT SKIPPER_PROGRAM OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
  return()
endif()
set(printed ${PROJECT_BINARY_DIR}/generated)
add_custom_command(TARGET skipper POST_BUILD
  COMMAND skipper man > ${printed}/skipper.1
  COMMAND skipper completion bash > ${printed}/skipper.bash
  COMMAND skipper completion zsh > ${printed}/skipper.zsh
  COMMAND skipper completion fish > ${printed}/skipper.fish
  BYPRODUCTS ${printed}/skipper.1 ${printed}/skipper.bash ${printed}/skipper.zsh ${printed}/skipper.fish
  VERBATIM)
if(SKIPPER_INSTALL)
  install(TARGETS skipper RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES ${printed}/skipper.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${printed}/skipper.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME skipper)
  install(FILES ${printed}/skipper.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _skipper)
  install(FILES ${printed}/skipper.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
