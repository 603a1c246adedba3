# Sets PATHPROF_TEST for each test of a build directory. A line that includes the build directory follows.
if(NOT CMAKE_VERSION VERSION_LESS 3.18)
  # Adds the test as CTest's own command does, which is now called _add_test. The bracket arguments preserve empty
  # arguments and semicolons. CTest appends values of ENVIRONMENT, so variables that the project sets are kept.
  function(add_test name)
    set(arguments "")
    math(EXPR last "${ARGC} - 1")
    foreach(i RANGE ${last})
      string(APPEND arguments " [==========[\n${ARGV${i}}]==========]")
    endforeach()
    cmake_language(EVAL CODE "_add_test(${arguments})")
    string(REPLACE ";" "\\;" value "${name}")
    set_tests_properties("${name}" PROPERTIES ENVIRONMENT "PATHPROF_TEST=${value}")
  endfunction()
endif()
