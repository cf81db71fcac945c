# The programs `skipper` and `skipper-bench`, and skipper_cli: all of them but main(), so that tests can link the parts.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*.cpp)
list(REMOVE_ITEM cli_sources ${PROJECT_SOURCE_DIR}/cli/main.cpp ${PROJECT_SOURCE_DIR}/cli/bench_main.cpp)
if(NOT cli_sources)
  return()
endif()

include(cmake/program_libraries.cmake)

# Which commit was built, asked at every build, written only when it changed.
set(commit_header ${PROJECT_BINARY_DIR}/generated/commit.h)
add_custom_target(skipper_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${commit_header}
          -P ${PROJECT_SOURCE_DIR}/cmake/package_commit.cmake
  BYPRODUCTS ${commit_header})

add_library(skipper_cli STATIC ${cli_sources})
if(SKIPPER_TESTS AND SKIPPER_PRECOMPILED)  # it hands work on, as THIN folders do
  skipper_plain(skipper_cli)
else()
  skipper_light(skipper_cli)
endif()
skipper_precompiled(skipper_cli library)
# Two bundles, because the headers of CLI11 and of nlohmann-json are long: what only skipper-bench needs, which the linker must be
# able to leave out of `skipper`, and the rest.
if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(only_bench bench bench_case bench_cuda bench_program bench_ranks compare crossover exchange_bench exchanges
    linear_check peer_cufft peer_planning peers plot plot_command ranks_case report report_plot report_printer run svg)
  set(by_itself ratio_plot)  # short names, for the parts of a drawing
  skipper_bundled(skipper_cli)
  set_target_properties(skipper_cli PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS cli_sources)
    get_filename_component(name ${source} NAME_WE)
    if(name IN_LIST only_bench)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP bench)
    elseif(NOT name IN_LIST by_itself)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP tool)
    endif()
  endforeach()
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/cli/rank_library.cpp PROPERTIES  # where libskipper_mpi is installed
  COMPILE_DEFINITIONS SKIPPER_LIBDIR="${CMAKE_INSTALL_LIBDIR}" SKIP_PRECOMPILE_HEADERS ON)
add_dependencies(skipper_cli skipper_commit)
target_include_directories(skipper_cli PUBLIC ${PROJECT_SOURCE_DIR}/cli PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_link_libraries(skipper_cli PUBLIC skipper_options skipper_reference skipper_coverage skipper_trace skipper_library skipper_program_libraries)

# Two programs of its parts, each with the objects that its commands need: `skipper`, which users ship, and `skipper-bench`,
# which measures and compares, and which `skipper bench` and its like run.
add_executable(skipper ${PROJECT_SOURCE_DIR}/cli/main.cpp)
add_executable(skipper_bench ${PROJECT_SOURCE_DIR}/cli/bench_main.cpp)
set_target_properties(skipper_bench PROPERTIES OUTPUT_NAME skipper-bench)
target_link_libraries(skipper PRIVATE skipper_cli)
target_link_libraries(skipper_bench PRIVATE skipper_cli)
add_dependencies(skipper skipper_bench)  # whoever builds the one can run all its commands

# Man pages and completions are printed by the programs from what their commands declare, so they cannot say anything else.
if(NOT SKIPPER_PROGRAM OR (CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR))
  return()
endif()
set(printed ${PROJECT_BINARY_DIR}/generated)
foreach(program skipper skipper_bench)
  get_target_property(name ${program} OUTPUT_NAME)
  if(NOT name)
    set(name ${program})
  endif()
  set(files ${printed}/${name}.1 ${printed}/${name}.bash ${printed}/${name}.zsh ${printed}/${name}.fish)
  add_custom_command(TARGET ${program} POST_BUILD
    COMMAND ${program} man > ${printed}/${name}.1
    COMMAND ${program} completion bash > ${printed}/${name}.bash
    COMMAND ${program} completion zsh > ${printed}/${name}.zsh
    COMMAND ${program} completion fish > ${printed}/${name}.fish
    BYPRODUCTS ${files}
    VERBATIM)
  if(SKIPPER_INSTALL)
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${printed}/${name}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${printed}/${name}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${name})
    install(FILES ${printed}/${name}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _${program})
    install(FILES ${printed}/${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endforeach()
