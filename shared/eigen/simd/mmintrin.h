// Empty on purpose: Eigen's SSE path includes this x86 header, which emscripten lacks and of which nothing is used.
#pragma once
