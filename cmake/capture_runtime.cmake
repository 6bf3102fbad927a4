# The run-time library of programs that `whorl cc` compiles, and what g++ is told besides its command line, in the folder
# with the other parts of Whorl that record programs.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  return()
endif()

file(GLOB RUNTIME_SOURCES CONFIGURE_DEPENDS sim/capture/runtime/*.c)
add_library(whorl_runtime STATIC ${RUNTIME_SOURCES})
# It becomes a part of executables, also of those that keep frame pointers, and must call none of its own hooks.
set_target_properties(whorl_runtime PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${WHORL_CAPTURE_FOLDER} C_EXTENSIONS ON)
target_include_directories(whorl_runtime PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_options(whorl_runtime PRIVATE -std=gnu11 -O2 -g0 -fPIE -mcx16 -fno-builtin -fno-omit-frame-pointer
                       -fno-stack-protector -Wall -Wextra -Werror $<$<C_COMPILER_ID:GNU>:-Wno-sync-nand>)
add_dependencies(whorl_capture whorl_runtime)

set(WHORL_GCC_HOOKS "-fsanitize=thread --param tsan-instrument-func-entry-exit=0 -U__SANITIZE_THREAD__ -fno-omit-frame-pointer -Wno-tsan")
file(CONFIGURE OUTPUT ${WHORL_CAPTURE_FOLDER}/gcc.specs CONTENT "*cc1:\n+ @WHORL_GCC_HOOKS@\n\n" @ONLY)
