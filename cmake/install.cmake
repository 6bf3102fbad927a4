# cmake --install: the program, the parts that record programs, the header for recorded programs, and a package for the
# CMake of such programs: find_package(whorl), target_link_libraries(app PRIVATE whorl::capture). And what readers, shells
# and desktops look for.
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
  install(TARGETS whorl_runtime whorl_plain ARCHIVE DESTINATION lib/whorl)
  install(FILES ${WHORL_COMPILER_FILES} DESTINATION lib/whorl)
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/whorlConfig.cmake.in ${CMAKE_BINARY_DIR}/whorlConfig.cmake
                                INSTALL_DESTINATION lib/cmake/whorl)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/whorlConfigVersion.cmake COMPATIBILITY SameMajorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/whorlConfig.cmake ${CMAKE_BINARY_DIR}/whorlConfigVersion.cmake
          DESTINATION lib/cmake/whorl)
endif()

# Manuals and completion.
set(assets ${CMAKE_SOURCE_DIR}/assets)
install(DIRECTORY ${WHORL_MADE}/man/ DESTINATION share/man/man1)
install(FILES README.md DESTINATION share/doc/whorl)
install(FILES ${assets}/debian/copyright DESTINATION share/doc/whorl)
install(DIRECTORY docs DESTINATION share/doc/whorl)
install(FILES ${assets}/completions/whorl.bash DESTINATION share/bash-completion/completions RENAME whorl)
install(FILES ${assets}/completions/_whorl DESTINATION share/zsh/site-functions)
install(FILES ${assets}/completions/whorl.fish DESTINATION share/fish/vendor_completions.d)

# The desktop: an entry in its menu, the icon, the types of files, and what a shop of programs tells.
set(icons share/icons/hicolor)
install(FILES ${assets}/desktop/whorl.desktop DESTINATION share/applications)
install(FILES ${assets}/desktop/whorl.svg DESTINATION ${icons}/scalable/apps)
foreach(size 48 128 256)
  install(FILES ${WHORL_MADE}/icons/whorl-${size}.png DESTINATION ${icons}/${size}x${size}/apps RENAME whorl.png)
endforeach()
install(FILES ${assets}/desktop/whorl.xml DESTINATION share/mime/packages)
configure_file(${assets}/desktop/whorl.metainfo.xml.in ${CMAKE_BINARY_DIR}/whorl.metainfo.xml @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/whorl.metainfo.xml DESTINATION share/metainfo RENAME org.whorl.whorl.metainfo.xml)
