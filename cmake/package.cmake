# cpack -G DEB in the build folder, or the target `package`: a package for Debian.
set(debian ${CMAKE_SOURCE_DIR}/assets/debian)

# Its history begins with this version.
file(STRINGS ${debian}/changelog newest LIMIT_COUNT 1)
if(NOT newest MATCHES "^whorl \\(${PROJECT_VERSION}\\) ")
  message(FATAL_ERROR "assets/debian/changelog begins with \"${newest}\", not with version ${PROJECT_VERSION}")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR "")
set(CPACK_PACKAGE_CONTACT "The Whorl authors <whorl@packages.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "animated picture of what a program does to the cache")
file(READ ${debian}/description CPACK_PACKAGE_DESCRIPTION)

# What it needs besides linked libraries (package_files.cmake finds those): the fonts, EGL, which libepoxy loads only when
# a frame is drawn without a window, and for the tool that records programs that Valgrind for which it was built.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core, libegl1")
if(TARGET whorl_valgrind_tool)
  execute_process(COMMAND dpkg-query -W -f=\${Version} valgrind OUTPUT_VARIABLE valgrind_version ERROR_QUIET)
  if(valgrind_version)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", valgrind (= ${valgrind_version})")
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ffmpeg, libgl1-mesa-dri, libglx-mesa0")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++ | clang, linux-perf")

# It also removes what only a debugger would need.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/package_files.cmake)
set(CPACK_WHORL_DEBIAN ${debian})
include(CPack)
