# skipper_absent_test(<name> <label> <why>): the place in ctest's list of tests that need what is not installed. It is skipped and
# says why, so that nobody takes what was not looked at for passed.
function(skipper_absent_test name label why)
  message(STATUS "tests: ${name} is skipped: ${why}")
  add_test(NAME ${name} COMMAND sh -c "echo 'skipped: ${why}'; exit 77")
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
endfunction()
