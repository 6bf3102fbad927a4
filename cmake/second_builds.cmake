# The slow tests (label "slow", ./test --all): the tree built a second time in other ways, each in a folder of its own
# inside the build folder and each one test, so that one summary tells all.

# Sanitizers of this age may not survive a kernel that scatters addresses widely.
execute_process(COMMAND setarch --addr-no-randomize true RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
set(steady "")
if(NOT failed)
  set(steady setarch --addr-no-randomize)
endif()

# whorl_second_build(name OPTIONS -D... [THEN command...]): configures and builds with clang++ and these options, then
# runs the command there.
function(whorl_second_build name)
  cmake_parse_arguments(PARSE_ARGV 1 B "" "" "OPTIONS;THEN")
  set(then "")
  if(B_THEN)
    set(then --test-command ${B_THEN})
  endif()
  add_test(NAME slow.${name}
           COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/${name}
                   --build-generator Ninja --build-noclean
                   --build-options -DCMAKE_CXX_COMPILER=clang++ -DWHORL_HOUSE=OFF ${B_OPTIONS} ${then})
  # Each takes all processors by itself.
  set_tests_properties(slow.${name} PROPERTIES LABELS slow TIMEOUT 3000 RUN_SERIAL ON)
endfunction()

include(ProcessorCount)
ProcessorCount(processors)
set(tests ${steady} ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error --parallel ${processors})

whorl_second_build(clang OPTIONS -DWHORL_TIDY=ON -DWHORL_BENCH=ON -DCMAKE_BUILD_TYPE=Debug)
whorl_second_build(asan OPTIONS -DWHORL_PICTURE=SCENE -DWHORL_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=None
                                "-DCMAKE_CXX_FLAGS=-O1 -g"
                   THEN ${tests})
whorl_second_build(tsan OPTIONS -DWHORL_PICTURE=SCENE -DWHORL_SANITIZE=thread -DCMAKE_BUILD_TYPE=None
                                "-DCMAKE_CXX_FLAGS=-O1 -g"
                   THEN ${tests})
whorl_second_build(fuzz OPTIONS -DWHORL_PICTURE=SCENE -DWHORL_FUZZ=ON -DWHORL_TESTS=OFF -DCMAKE_BUILD_TYPE=None
                                "-DCMAKE_CXX_FLAGS=-O1 -g"
                   THEN ${CMAKE_SOURCE_DIR}/tests/house/fuzz.sh)
