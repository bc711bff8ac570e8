# Finds Emscripten (an emsdk in EMSDK, a tree in EMSCRIPTEN, Debian's package, emcc on PATH) and hands over to it.
set(places "$ENV{EMSDK}/upstream/emscripten" "$ENV{EMSCRIPTEN}" /usr/share/emscripten)
find_program(EMCC emcc)
if(EMCC)
  file(REAL_PATH "${EMCC}" emcc_file)
  cmake_path(GET emcc_file PARENT_PATH emcc_folder)
  list(APPEND places "${emcc_folder}")
endif()

foreach(place IN LISTS places)
  set(toolchain "${place}/cmake/Modules/Platform/Emscripten.cmake")
  if(NOT SOFTALIGN_EMSCRIPTEN AND EXISTS "${toolchain}")
    set(SOFTALIGN_EMSCRIPTEN "${toolchain}")
  endif()
endforeach()
if(NOT SOFTALIGN_EMSCRIPTEN)
  message(FATAL_ERROR "Emscripten was not found: install Debian's package `emscripten`, or set EMSDK to an emsdk folder")
endif()
include("${SOFTALIGN_EMSCRIPTEN}")

# Debian's emcc links with JavaScript tools that need acorn, which lies where Node does not look by itself.
if(EXISTS /usr/share/nodejs/acorn)
  set(CMAKE_CXX_LINKER_LAUNCHER ${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs)
endif()
