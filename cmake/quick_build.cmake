# What makes a build from nothing quick: headers that nearly every file includes are compiled once for each library
# (WHORL_PCH), and several source files are compiled as one (WHORL_UNITY).
#
# Both hide an #include that a file forgot; the preset "tidy", in which clang-tidy reads the files, goes without them.

# whorl_precompile(TARGET HEADER...): the standard headers that are used everywhere, and these.
function(whorl_precompile target)
  if(NOT WHORL_PCH)
    return()
  endif()
  # Without the time stamp in it, ccache can tell that a precompiled header is the one it knows.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <atomic> <bit> <charconv> <cmath> <compare> <cstddef>
                            <cstdint> <cstdio> <cstring> <deque> <filesystem> <functional> <iterator> <map> <memory>
                            <numbers> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map>
                            <utility> <vector> <fmt/format.h> <tl/expected.hpp> ${ARGN})
endfunction()

# whorl_unite(TARGET FILES_AT_ONCE): compiles the source files of each folder together, so many at a time. Few enough
# that a change of one file is compiled and linked in seconds.
function(whorl_unite target files_at_once)
  if(NOT WHORL_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC takes source files that are included for headers.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    if(name MATCHES "\\.cpp$" AND NOT name MATCHES "^(\\.\\.|build)")
      cmake_path(GET name PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} group)
      math(EXPR number_${group} "${number_${group}} + 1")
      math(EXPR batch "(${number_${group}} - 1) / ${files_at_once}")
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group}_${batch})
    endif()
  endforeach()
endfunction()
