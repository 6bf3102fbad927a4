# WHORL_FUZZ: the fuzzers.
if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang OR NOT WHORL_SANITIZE MATCHES address)
  message(FATAL_ERROR "WHORL_FUZZ needs clang and a sanitizer: -DCMAKE_CXX_COMPILER=clang++ -DWHORL_SANITIZE=address")
endif()
# Everything is instrumented for the fuzzers; otherwise they could not see which path an input takes.
target_compile_options(whorl_flags INTERFACE -fsanitize=fuzzer-no-link)

# A fuzzer: tests/fuzz/fuzz_<name>.cpp; the inputs kept in tests/fuzz/corpus/<name>/ are run as a test.
function(whorl_fuzzer name library)
  add_executable(fuzz_${name} tests/fuzz/fuzz_${name}.cpp)
  target_link_libraries(fuzz_${name} PRIVATE ${library} ${ARGN})
  target_include_directories(fuzz_${name} PRIVATE tests)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  add_test(NAME fuzz.${name} COMMAND fuzz_${name} -runs=0 ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${name})
endfunction()

whorl_fuzzer(trace whorl_sim)
whorl_fuzzer(unpack whorl_sim)
whorl_fuzzer(whorl whorl_sim)
whorl_fuzzer(machine whorl_sim)
whorl_fuzzer(pattern whorl_sim)
whorl_fuzzer(packed whorl_sim PkgConfig::ZSTD ZLIB::ZLIB)
whorl_fuzzer(sources whorl_sim)
if(WHORL_PICTURE STREQUAL "ON")
  whorl_fuzzer(tour whorl_app nlohmann_json::nlohmann_json)
  whorl_fuzzer(state whorl_app)
  whorl_fuzzer(command whorl_app)
  whorl_fuzzer(views whorl_app)
endif()
