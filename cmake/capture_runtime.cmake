# The run-time library of programs that `whorl cc` compiles, and what g++ is told besides its command line, in the folder
# with the other parts of Whorl that record programs.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  return()
endif()

file(GLOB RUNTIME_SOURCES CONFIGURE_DEPENDS sim/capture/runtime/*.c)
add_library(whorl_runtime STATIC ${RUNTIME_SOURCES})
# What executables without the hooks have besides.
add_library(whorl_plain STATIC sim/capture/runtime/plain/start_recorded.c)
# They become a part of executables, also of those that keep frame pointers, and must call none of their own hooks.
foreach(library whorl_runtime whorl_plain)
  set_target_properties(${library} PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${WHORL_CAPTURE_FOLDER} C_EXTENSIONS ON)
  target_include_directories(${library} PRIVATE ${CMAKE_SOURCE_DIR})
  target_compile_options(${library} PRIVATE -std=gnu11 -O2 -g0 -fPIE -mcx16 -fno-builtin -fno-omit-frame-pointer
                         -fno-stack-protector -Wall -Wextra -Werror $<$<C_COMPILER_ID:GNU>:-Wno-sync-nand>)
  add_dependencies(whorl_capture ${library})
endforeach()

# What compilers are told, for `whorl cc` and for CMake's whorl::capture. Of g++ only the compiler proper is told of the
# sanitizer: the linker would add its run-time library. clang's hooks of -fsanitize=thread leave accesses out (see
# docs/capture.md); those of the kernel's address sanitizer do not. They are calls, without redzones. Functions tell of
# their beginnings and ends, for the calls that lead to an access.
file(WRITE ${WHORL_CAPTURE_FOLDER}/gcc.specs "*cc1:
+ -fsanitize=thread -U__SANITIZE_THREAD__ -fno-omit-frame-pointer -Wno-tsan

")
file(WRITE ${WHORL_CAPTURE_FOLDER}/clang.options "-Qunused-arguments -fsanitize=kernel-address -fno-omit-frame-pointer
-finstrument-functions-after-inlining
-mllvm -asan-instrumentation-with-call-threshold=0
-mllvm -asan-globals=0
-mllvm -asan-stack=0
-mllvm -asan-opt=0
")
file(WRITE ${WHORL_CAPTURE_FOLDER}/link.options
     "-Wl,--wrap=main,--wrap=memcpy,--wrap=memmove,--wrap=memset -rdynamic -ldl -pthread\n")
set(WHORL_COMPILER_FILES ${WHORL_CAPTURE_FOLDER}/gcc.specs ${WHORL_CAPTURE_FOLDER}/clang.options
                         ${WHORL_CAPTURE_FOLDER}/link.options)
