# Whorl's external dependencies, by the names of Debian's packages. Everything missing is reported in one message.
set(WHORL_MISSING "")

# whorl_need(PACKAGE DEBIAN ...): find_package(PACKAGE ...), from Debian's package DEBIAN.
macro(whorl_need package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    list(APPEND WHORL_MISSING ${debian})
  endif()
endmacro()

# whorl_need_pkg(PREFIX MODULE DEBIAN): the target PkgConfig::PREFIX, for libraries without a CMake configuration.
macro(whorl_need_pkg prefix module debian)
  if(PkgConfig_FOUND)
    pkg_check_modules(${prefix} QUIET IMPORTED_TARGET ${module})
  endif()
  if(NOT ${prefix}_FOUND)
    list(APPEND WHORL_MISSING ${debian})
  endif()
endmacro()

# whorl_need_library(PREFIX LIBRARY HEADER DEBIAN): the library's path as PREFIX, for libraries that nothing describes.
macro(whorl_need_library prefix library header debian)
  find_library(${prefix} ${library})
  find_path(${prefix}_HEADER ${header})
  if(NOT ${prefix} OR NOT ${prefix}_HEADER)
    list(APPEND WHORL_MISSING ${debian})
  endif()
endmacro()

function(whorl_need_all)
  if(WHORL_MISSING)
    list(JOIN WHORL_MISSING " " packages)
    message(FATAL_ERROR "Whorl needs these packages too: ${packages}\n"
            "./run and ./test install them, or:\n"
            "sudo apt-get install --no-install-recommends ${packages}\n")
  endif()
endfunction()
