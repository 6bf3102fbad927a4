# The shell of pages (`whorl page`), and the player for them, compiled to WebAssembly, if it is there: WHORL_WEB=ON builds
# it, in a build of its own (cmake/web.cmake); a player that was built before is taken from WHORL_PLAYER.
option(WHORL_WEB "Build the player of pages, which needs emscripten" OFF)
set(WHORL_PLAYER ${CMAKE_BINARY_DIR}/web CACHE PATH "The folder with player.code and player.packed")

set(web ${CMAKE_SOURCE_DIR}/app/page/web)
set(shell ${web}/page.html ${web}/page.css ${web}/page.js ${web}/gallery.html)
# The only script that a page may run is known by its checksum.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${web}/page.js)
file(SHA256 ${web}/page.js checksum)
file(WRITE ${CMAKE_BINARY_DIR}/embedded/page.js.sha256 ${checksum})
list(APPEND shell ${CMAKE_BINARY_DIR}/embedded/page.js.sha256)

if(WHORL_WEB)
  # While this configures: what it builds is compiled into the program.
  execute_process(COMMAND bash ${CMAKE_SOURCE_DIR}/cmake/build_player.sh ${WHORL_PLAYER} COMMAND_ERROR_IS_FATAL ANY)
endif()
if(EXISTS ${WHORL_PLAYER}/player.code AND EXISTS ${WHORL_PLAYER}/player_few.code)
  foreach(player player player_few)
    list(APPEND shell ${WHORL_PLAYER}/${player}.code ${WHORL_PLAYER}/${player}.packed)
  endforeach()
endif()
whorl_embed(PAGE_ASSETS NAMESPACE whorl::app FUNCTION embeddedPage FILES ${shell})
