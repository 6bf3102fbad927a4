# WHORL_PCH: the headers that nearly all files of a target include are read once. For the builds that are thrown away: a
# file that forgets to include what it uses is found by the first build.
function(whorl_precompile target)
  if(NOT WHORL_PCH)
    return()
  endif()
  # clang-tidy would look at all of them for each file.
  get_target_property(tidy ${target} CXX_CLANG_TIDY)
  if(NOT tidy)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <cmath> <cstdint> <functional> <map> <memory>
                              <numeric> <optional> <random> <set> <span> <string> <string_view> <tuple> <unordered_map>
                              <utility> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
