# Speeds up full builds: headers that nearly every file includes are compiled once for each library (WHORL_PCH), and
# several source files are compiled as one (WHORL_UNITY), most of whose time goes into the headers that they share: four
# times as many at once take little longer than one (WHORL_UNITY_SIZE), but one is built again sooner after a change.
#
# Both hide an #include that a file forgot; the preset "tidy", in which clang-tidy reads the files, does without them.

# whorl_precompile(TARGET HEADER...): precompiles the standard headers in common use, and these.
# whorl_precompile(TARGET LIKE OTHER): uses those of another target, which is compiled with the same options.
function(whorl_precompile target)
  if(NOT WHORL_PCH)
    return()
  endif()
  # Without a time stamp, ccache recognizes a precompiled header that has not changed.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  if("${ARGV1}" STREQUAL LIKE)
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv> <cmath> <compare> <cstddef>
                            <cstdint> <cstdio> <cstring> <deque> <filesystem> <functional> <iterator> <map> <memory>
                            <numbers> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map>
                            <utility> <vector> <fmt/format.h> <tl/expected.hpp> ${ARGN})
endfunction()

# whorl_compile_quickly(TARGET): code that is compiled for longer than it runs gets little of the optimizer's time, which
# is long for what sanitizers add.
function(whorl_compile_quickly target)
  set(effort $<$<CONFIG:Release>:-O1>)
  if(WHORL_SANITIZE)
    set(effort -O0)
  endif()
  target_compile_options(${target} PRIVATE ${effort})
endfunction()

# whorl_unite(TARGET KIB): compiles the source files of each folder together, up to KIB KiB at a time: few enough that a
# change of one file is compiled and linked in seconds. Files that include the JSON library are slow enough by
# themselves and stay apart.
function(whorl_unite target kib)
  if(NOT WHORL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC treats included source files as headers.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
                         # A tenth of its time would go into collecting garbage.
                         $<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-expand=1000 --param ggc-min-heapsize=2000000>)
  math(EXPR most "${kib} * 1024 * ${WHORL_UNITY_SIZE}")
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    if(NOT name MATCHES "\\.cpp$" OR name MATCHES "^(\\.\\.|build)")
      continue()
    endif()
    file(STRINGS ${source} json REGEX "nlohmann/json\\.hpp" LIMIT_COUNT 1)
    if(json)
      set_property(SOURCE ${source} PROPERTY SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(GET name PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER ${folder} group)
    file(SIZE ${source} size)
    math(EXPR bytes_${group} "${bytes_${group}} + ${size}")
    if(NOT DEFINED number_${group} OR bytes_${group} GREATER most)
      math(EXPR number_${group} "${number_${group}} + 1")
      set(bytes_${group} ${size})
    endif()
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group}_${number_${group}})
  endforeach()
endfunction()
