# WHORL_TIDY: clang-tidy sees each file of sim/, render/ and app/ as it is compiled, so that the build's own bookkeeping
# says which files to look at again.
if(WHORL_TIDY)
  find_program(CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
  if(NOT CLANG_TIDY)
    message(FATAL_ERROR "WHORL_TIDY needs the package clang-tidy")
  endif()
  # Part of the command line, so that a change of the checks looks at everything again.
  file(MD5 ${CMAKE_SOURCE_DIR}/.clang-tidy checks)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/.clang-tidy)
  foreach(target whorl_sim whorl_scene whorl_gl whorl_egl whorl_app whorl)
    if(TARGET ${target})
      set_property(TARGET ${target} PROPERTY CXX_CLANG_TIDY ${CLANG_TIDY} --quiet --extra-arg=-DCHECKS=${checks})
    endif()
  endforeach()
endif()
