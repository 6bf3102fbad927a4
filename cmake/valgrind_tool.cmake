# The Valgrind tool that records programs, built out of Valgrind's tree against Debian's package valgrind, if that is
# installed and this is its platform. The result is a folder that VALGRIND_LIB may name.
set(WHORL_CAPTURE_FOLDER ${CMAKE_BINARY_DIR}/capture)
find_package(PkgConfig QUIET)
pkg_check_modules(VALGRIND QUIET valgrind)
pkg_get_variable(valgrind_load_address valgrind valt_load_address)
if(NOT VALGRIND_FOUND OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  message(STATUS "The tool that records programs is not built (it needs the package valgrind, on x86-64)")
  return()
endif()

set(tool ${CMAKE_SOURCE_DIR}/sim/capture/valgrind)
find_path(VALGRIND_HEADERS pub_tool_basics.h PATH_SUFFIXES valgrind REQUIRED)
find_path(VALGRIND_PRELOADS vgpreload_core-amd64-linux.so PATHS /usr/libexec/valgrind /usr/lib/valgrind
          /usr/lib/x86_64-linux-gnu/valgrind NO_DEFAULT_PATH REQUIRED)
pkg_get_variable(valgrind_libraries valgrind libdir)
set(valgrind_libraries ${valgrind_libraries}/valgrind)

set(valgrind_flags -std=gnu11 -O2 -Wall -Wextra -Wno-unused-function -fno-stack-protector -fno-strict-aliasing -fno-builtin
                   -fomit-frame-pointer -U_FORTIFY_SOURCE)

# Valgrind's core has no C library, and its own main.
add_executable(whorl_valgrind_tool ${tool}/tool.c ${tool}/recorder.c ${tool}/instrument.c ${tool}/frames.c)
set_target_properties(whorl_valgrind_tool PROPERTIES OUTPUT_NAME whorl-amd64-linux C_EXTENSIONS ON
                      RUNTIME_OUTPUT_DIRECTORY ${WHORL_CAPTURE_FOLDER})
target_include_directories(whorl_valgrind_tool PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(whorl_valgrind_tool SYSTEM PRIVATE ${VALGRIND_HEADERS})
target_compile_definitions(whorl_valgrind_tool PRIVATE VGA_amd64=1 VGO_linux=1 VGP_amd64_linux=1 VGPV_amd64_linux_vanilla=1)
target_compile_options(whorl_valgrind_tool PRIVATE ${valgrind_flags} -fno-pie)
target_link_options(whorl_valgrind_tool PRIVATE -static -no-pie -nodefaultlibs -nostartfiles -u _start
                    -Wl,-Ttext-segment=${valgrind_load_address} -Wl,--build-id=none)
target_link_libraries(whorl_valgrind_tool PRIVATE ${valgrind_libraries}/libcoregrind-amd64-linux.a
                      ${valgrind_libraries}/libvex-amd64-linux.a ${valgrind_libraries}/libgcc-sup-amd64-linux.a gcc)

# What it loads into the program.
add_library(whorl_valgrind_preload MODULE ${tool}/preload.c)
set_target_properties(whorl_valgrind_preload PROPERTIES PREFIX "" OUTPUT_NAME vgpreload_whorl-amd64-linux C_EXTENSIONS ON
                      LIBRARY_OUTPUT_DIRECTORY ${WHORL_CAPTURE_FOLDER})
target_include_directories(whorl_valgrind_preload PRIVATE ${CMAKE_SOURCE_DIR})
target_include_directories(whorl_valgrind_preload SYSTEM PRIVATE ${VALGRIND_HEADERS})
target_compile_options(whorl_valgrind_preload PRIVATE ${valgrind_flags} -fPIC)
target_link_options(whorl_valgrind_preload PRIVATE -nodefaultlibs -Wl,-z,interpose -Wl,-z,initfirst
                    -Wl,-soname,vgpreload_whorl-amd64-linux.so)

file(MAKE_DIRECTORY ${WHORL_CAPTURE_FOLDER})
file(CREATE_LINK ${VALGRIND_PRELOADS}/vgpreload_core-amd64-linux.so
     ${WHORL_CAPTURE_FOLDER}/vgpreload_core-amd64-linux.so SYMBOLIC)
