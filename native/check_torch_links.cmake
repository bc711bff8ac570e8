# Compiles and links a program of a few lines with LibTorch and GoogleTest before anything else is built: a LibTorch of
# the other std::string layout would end in a page of unknown symbols after minutes. Asked again only for another LibTorch.

set(torch_link_key "${TORCH_LIBRARY} ${TORCH_CXX_FLAGS} ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_FLAGS}")
if(SOFTALIGN_TORCH_LINKS STREQUAL torch_link_key)
  return()
endif()

set(program ${CMAKE_CURRENT_BINARY_DIR}/torch_links.cpp)
set(program_sources ${program})
set(program_includes ${TORCH_INCLUDE_DIRS})
file(WRITE ${program} "#include <c10/util/Exception.h>
int main() { return c10::GetExceptionString(std::exception()).empty(); }
")
if(SOFTALIGN_TESTS)
  find_path(GTEST_SOURCES src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_CMAKE_FIND_ROOT_PATH)
  if(GTEST_SOURCES)
    list(APPEND program_sources ${GTEST_SOURCES}/src/gtest-all.cc ${GTEST_SOURCES}/src/gtest_main.cc)
    list(APPEND program_includes ${GTEST_SOURCES} ${GTEST_SOURCES}/include)
    file(WRITE ${program} "#include <c10/util/Exception.h>
#include <gtest/gtest.h>
TEST(Torch, Links) { EXPECT_NE(c10::GetExceptionString(std::exception()), std::string()); }
")
  endif()
endif()

find_package(Threads REQUIRED)
set(CMAKE_TRY_COMPILE_CONFIGURATION Debug)
separate_arguments(torch_flags NATIVE_COMMAND "${TORCH_CXX_FLAGS}")
try_compile(torch_links SOURCES ${program_sources}
  CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${program_includes}"
  COMPILE_DEFINITIONS ${torch_flags} -w
  LINK_LIBRARIES ${TORCH_LIBRARIES} Threads::Threads
  CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
  OUTPUT_VARIABLE torch_link_output)
if(NOT torch_links)
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/torch_links.log "${torch_link_output}")
  message(FATAL_ERROR "A program of a few lines does not link with the LibTorch of ${TORCH_LIBRARY}: most often it is "
    "built for the other std::string layout (old or new C++ ABI) than this compiler's, so take a LibTorch of this "
    "compiler's layout; ${CMAKE_CURRENT_BINARY_DIR}/torch_links.log has the compiler's own words")
endif()
set(SOFTALIGN_TORCH_LINKS "${torch_link_key}" CACHE INTERNAL "The LibTorch that a small program was linked with")
