# The target `manual`: the manual of docs/manual with its pictures, in the folder `manual` of the build. Whorl makes them by
# the commands that stand in the chapters.
add_custom_target(manual COMMAND ${CMAKE_SOURCE_DIR}/cmake/make_manual.py $<TARGET_FILE:whorl>
                                 ${CMAKE_SOURCE_DIR}/docs/manual ${CMAKE_BINARY_DIR}/manual
                  USES_TERMINAL VERBATIM)
add_dependencies(manual whorl)
