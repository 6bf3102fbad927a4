# The player of pages (`whorl page`): Whorl's own code, compiled to WebAssembly by emscripten. Included instead of the
# usual build when emscripten configures (cmake/player.cmake). Of other libraries it takes the headers that Debian has
# for all architectures, and the sources of zlib, zstd and xz in WHORL_SOURCES
# (cmake/player_sources.sh).
set(WHORL_SOURCES "" CACHE PATH "The folder with the sources, each in a folder of its package's name")
set(zlib ${WHORL_SOURCES}/zlib)
set(zstd ${WHORL_SOURCES}/libzstd/lib)
set(lzma ${WHORL_SOURCES}/xz-utils/src)
if(NOT EXISTS ${zlib}/zlib.h OR NOT EXISTS ${zstd}/zstd.h OR NOT EXISTS ${lzma}/liblzma/api/lzma.h)
  message(FATAL_ERROR "The player of pages needs the sources of zlib, zstd and xz in WHORL_SOURCES")
endif()

# --- headers, without those of the C library that lie beside them ---
set(headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name fmt nlohmann tl glm)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "The player of pages needs /usr/include/${name}: install what ./run installs")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()

# --- how everything is compiled ---
add_compile_options(-ffp-contract=off -Wall -Wextra -Wno-missing-field-initializers -Wno-unused-command-line-argument
                    $<$<COMPILE_LANGUAGE:C>:-w>)
add_compile_definitions(NDEBUG FMT_HEADER_ONLY FMT_STATIC_THOUSANDS_SEPARATOR=',')
include_directories(BEFORE ${CMAKE_SOURCE_DIR}/app/page/web/libcxx)
include_directories(${CMAKE_SOURCE_DIR})
include_directories(SYSTEM ${headers} ${zlib} ${zstd})
string(REGEX REPLACE "-O[0-9sz]|-DNDEBUG" "" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REGEX REPLACE "-O[0-9sz]|-DNDEBUG" "" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

include(cmake/embed.cmake)
include(cmake/quick_build.cmake)

# Only patterns, whose faults are thrown where they are found, and the readers of files catch exceptions: what is compiled
# without them is a sixth smaller.
file(GLOB_RECURSE CATCHING CONFIGURE_DEPENDS sim/programs/*.cpp sim/trace/reader.cpp)
set_source_files_properties(${CATCHING} PROPERTIES COMPILE_OPTIONS -fwasm-exceptions SKIP_UNITY_BUILD_INCLUSION ON)

# player_library(NAME EFFORT SOURCES...): a part of the player.
function(player_library name effort)
  add_library(${name} STATIC ${ARGN})
  target_compile_options(${name} PRIVATE ${effort})
  whorl_unite(${name} 32)
endfunction()

file(GLOB PACKING_SOURCES ${zstd}/common/*.c ${zstd}/compress/*.c ${zstd}/decompress/*.c ${zlib}/*.c)
list(FILTER PACKING_SOURCES EXCLUDE REGEX "/zlib/gz")
add_library(player_packing STATIC ${PACKING_SOURCES})
target_compile_options(player_packing PRIVATE -Oz)
target_compile_definitions(player_packing PRIVATE ZSTD_DISABLE_ASM=1 ZSTD_LEGACY_SUPPORT=0 HUF_FORCE_DECOMPRESS_X1=1
                           ZSTD_FORCE_DECOMPRESS_SEQUENCES_SHORT=1 ZSTD_NO_INLINE=1 ZSTD_STRIP_ERROR_STRINGS=1)

file(GLOB_RECURSE SIM_SOURCES CONFIGURE_DEPENDS sim/*.cpp)
# Without recording, without writing files, without what only subcommands answer with; app/page/web/left_out.cpp is in
# the place of the lists of programs and formats.
set(unwanted byte_sink output_file part_folder unfinished writer whorl_writer trace_packer joint_measures lru_stacks
             chiron_writer callgrind_writer gate annotated_source programs trace_formats text_detection foreign_content
             region_file mapped_trace relocation
             why why_cures why_hints why_report latent_candidates latent_sharing loop_trials layout_trials loss_sample
             row_losses sharing_trials sharing_report sharing_table)
list(JOIN unwanted "|" unwanted)
list(FILTER SIM_SOURCES EXCLUDE REGEX "/sim/capture/|/(${unwanted})[.]cpp$")
file(GLOB MACHINES CONFIGURE_DEPENDS assets/machines/*.json)
whorl_embed(SIM_ASSETS NAMESPACE whorl::sim FUNCTION embeddedFiles FILES ${MACHINES})
# What runs for each access is compiled to be fast, all else to be small.
set(fast "/sim/(cache|replay)/|/sim/trace/(pack_decoder|trace)[.]cpp$")
set(FAST_SOURCES ${SIM_SOURCES})
list(FILTER FAST_SOURCES INCLUDE REGEX ${fast})
list(FILTER SIM_SOURCES EXCLUDE REGEX ${fast})
player_library(player_replay -O2 ${FAST_SOURCES})
player_library(player_sim -Oz ${SIM_SOURCES} ${SIM_ASSETS})

file(GLOB_RECURSE SCENE_SOURCES CONFIGURE_DEPENDS render/scene/*.cpp)
player_library(player_scene -Oz ${SCENE_SOURCES})
file(GLOB GL_SOURCES CONFIGURE_DEPENDS render/gl/*.cpp)
list(REMOVE_ITEM GL_SOURCES ${CMAKE_SOURCE_DIR}/render/gl/offscreen_context.cpp ${CMAKE_SOURCE_DIR}/render/gl/frame.cpp)
file(GLOB SHADERS CONFIGURE_DEPENDS shaders/*.vert shaders/*.frag)
whorl_embed(SHADER_ASSETS NAMESPACE whorl::gl FUNCTION embeddedShaders FILES ${SHADERS})
player_library(player_gl -Oz ${GL_SOURCES} ${SHADER_ASSETS})

file(GLOB_RECURSE APP_SOURCES CONFIGURE_DEPENDS app/session/*.cpp app/tours/*.cpp app/commands/*.cpp app/tasks/*.cpp
     app/views/*.cpp app/page/*.cpp)
list(FILTER APP_SOURCES EXCLUDE REGEX "/(state_file|memory_file|files)[.]cpp$")
# All views, or the rings and the tables alone, which is a sixth less.
set(ALL_VIEWS app/views/view_classes.cpp app/session/offered_views.cpp app/views/space/histories.cpp app/page/space_pointer.cpp)
list(TRANSFORM ALL_VIEWS PREPEND ${CMAKE_SOURCE_DIR}/)
list(REMOVE_ITEM APP_SOURCES ${ALL_VIEWS})
whorl_embed(TOUR_ASSETS NAMESPACE whorl::app FUNCTION embeddedTours FILES)
player_library(player_app -Oz ${APP_SOURCES} ${TOUR_ASSETS})

# --- the players ---
set(exports page_begin page_size page_command page_key page_pointer page_frame page_labels page_report page_keys
            page_source page_strip page_contents page_scene page_saved page_load malloc free)
list(TRANSFORM exports PREPEND _)
list(JOIN exports "," exports)
# add_player(NAME SOURCES...): a player with these views.
function(add_player name)
  add_executable(${name} app/page/web/exports.cpp app/page/web/left_out.cpp ${ARGN})
  target_link_libraries(${name} PRIVATE player_app player_gl player_scene player_sim player_replay player_packing)
  target_compile_options(${name} PRIVATE -Oz)
  target_link_options(${name} PRIVATE -Oz -fwasm-exceptions --no-entry -sMODULARIZE=1 -sEXPORT_NAME=WhorlModule
                      -sENVIRONMENT=web,worker,node -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
                      -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=1MB -sFILESYSTEM=1 -sMINIFY_HTML=0
                      -sEXPORTED_FUNCTIONS=${exports} -sEXPORTED_RUNTIME_METHODS=ccall,cwrap,FS,GL -sDYNAMIC_EXECUTION=0)
endfunction()
add_player(player ${ALL_VIEWS})
add_player(player_few app/page/web/few_views.cpp)

# --- what unpacks it in the browser ---
set(decoder ${lzma}/liblzma/common/common.c ${lzma}/liblzma/common/alone_decoder.c ${lzma}/liblzma/common/filter_common.c
            ${lzma}/liblzma/lz/lz_decoder.c ${lzma}/liblzma/lzma/lzma_decoder.c)
add_executable(unpack app/page/web/unpack.c ${decoder})
foreach(room ../common api common check lz rangecoder lzma delta simple)
  target_include_directories(unpack PRIVATE ${lzma}/liblzma/${room})
endforeach()
target_compile_definitions(unpack PRIVATE HAVE_STDINT_H HAVE_STDBOOL_H HAVE_STRING_H HAVE_DECODERS HAVE_DECODER_LZMA1
                           SIZEOF_SIZE_T=4)
target_compile_options(unpack PRIVATE -Oz)
set_target_properties(unpack PROPERTIES SUFFIX .wasm)
target_link_options(unpack PRIVATE -Oz --no-entry -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=512MB
                    -sMALLOC=emmalloc -sEXPORTED_FUNCTIONS=_unpack,_malloc)
