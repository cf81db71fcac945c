# skipper_launched_test(<name> TIMEOUT <seconds> COMMAND <word>.. [ENVIRONMENT <variable>..]): a test that starts ranks by mpirun.
# The variables tell Open MPI that it may run as root, on fewer cores than ranks, and without a remote shell.
# Every test has a TMPDIR of its own, because Open MPI keeps its files in one folder for each user there: launchers that start or
# end at the same time create and remove that folder under each other.
function(skipper_launched_test name)
  cmake_parse_arguments(PARSE_ARGV 1 launched "" "TIMEOUT" "COMMAND;ENVIRONMENT")
  string(REPLACE / _ folder ${name})
  set(folder ${PROJECT_BINARY_DIR}/launched/${folder})
  file(MAKE_DIRECTORY ${folder})
  set(environment TMPDIR=${folder} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_plm_rsh_agent=true OMPI_MCA_mpi_yield_when_idle=1 ${launched_ENVIRONMENT})
  add_test(NAME ${name} COMMAND ${launched_COMMAND})
  set_tests_properties(${name} PROPERTIES LABELS multi TIMEOUT ${launched_TIMEOUT} ENVIRONMENT "${environment}")
endfunction()
