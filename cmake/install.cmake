# cmake --install: the program, the parts that record programs, the header for recorded programs, and a package for the
# CMake of such programs: find_package(whorl), target_link_libraries(app PRIVATE whorl::capture).
include(CMakePackageConfigHelpers)

install(TARGETS whorl RUNTIME DESTINATION bin)
install(FILES ${CMAKE_SOURCE_DIR}/sim/capture/include/whorl.h DESTINATION include)
# The program looks for these beside its own folder: ../lib/whorl.
if(TARGET whorl_valgrind_tool)
  install(TARGETS whorl_valgrind_tool RUNTIME DESTINATION lib/whorl)
  install(TARGETS whorl_valgrind_preload LIBRARY DESTINATION lib/whorl)
  install(FILES ${WHORL_CAPTURE_FOLDER}/vgpreload_core-amd64-linux.so DESTINATION lib/whorl)
  install(FILES ${CMAKE_SOURCE_DIR}/sim/capture/valgrind/COPYING.note DESTINATION share/doc/whorl)
endif()
if(TARGET whorl_runtime)
  install(TARGETS whorl_runtime ARCHIVE DESTINATION lib/whorl)
  install(FILES ${WHORL_COMPILER_FILES} DESTINATION lib/whorl)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/whorlConfig.cmake.in ${CMAKE_BINARY_DIR}/whorlConfig.cmake
                                INSTALL_DESTINATION lib/cmake/whorl)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/whorlConfigVersion.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/whorlConfig.cmake ${CMAKE_BINARY_DIR}/whorlConfigVersion.cmake
          DESTINATION lib/cmake/whorl)
endif()
