# The slow tests (label "slow", ./test --all): the tree built a second time in other ways, each in a folder of its own
# inside the build folder and each one test, so that one summary tells all.

# whorl_second_build(name IN folder OPTION=VALUE... [-- command...]): builds with clang++ and these options of CMake, then
# runs the command there.
function(whorl_second_build name in folder)
  add_test(NAME slow.${name} COMMAND ${CMAKE_SOURCE_DIR}/tests/structure/second_build.sh ${CMAKE_BINARY_DIR}/${folder} ${ARGN})
  # Each takes all processors by itself.
  set_tests_properties(slow.${name} PROPERTIES LABELS slow TIMEOUT 3000 RUN_SERIAL ON)
endfunction()

include(ProcessorCount)
ProcessorCount(processors)
set(tests ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error --parallel ${processors})
# What takes long there and says no more than a part of it does: fewer random machines; and nothing that has only one
# thread where threads are looked at.
set(fewer ${CMAKE_COMMAND} -E env WHORL_TEST_ROUNDS=1000)
set(long "Exhaustive|ReferenceLaws")
string(CONCAT one_thread "Exhaustive|ReferenceLaws|EqualsTheReference|DoesWhatTheGeneralWayDoes|"
              "IsTheSameForEveryProcessor|TheCarefulPathForEvery|RunFind.EqualsPlain|Withstands|OverviewAgrees|"
              "PlaysQuickHits|BooksAreTheSame|AnyWayThere|NothingJumps")
# Sanitizers of this age may not survive a kernel that scatters addresses widely; a container may not let us ask.
execute_process(COMMAND setarch --addr-no-randomize true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
if(NOT refused)
  list(PREPEND tests setarch --addr-no-randomize)
endif()
set(checked CMAKE_BUILD_TYPE=None "CMAKE_CXX_FLAGS=-O1 -gline-tables-only" WHORL_PICTURE=SCENE WHORL_PCH=ON)

# The other compiler, and clang-tidy with it.
whorl_second_build(clang IN clang CMAKE_BUILD_TYPE=None WHORL_TIDY=ON WHORL_BENCH=ON WHORL_PCH=ON)
# The fuzzers want the address sanitizer too, so that they are of the same build.
set(asan ${checked} WHORL_SANITIZE=address,undefined WHORL_FUZZ=ON)
whorl_second_build(asan IN asan ${asan} -- ${fewer} ${tests} -E "${long}")
whorl_second_build(fuzz IN asan ${asan} -- ${CMAKE_SOURCE_DIR}/tests/structure/fuzz.sh)
whorl_second_build(tsan IN tsan ${checked} WHORL_SANITIZE=thread -- ${fewer} ${tests} -E "${one_thread}")
