// What OpenBLAS, where LibTorch computes with it, has to be told.
#pragma once
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

namespace softalign {

// OpenBLAS takes a processor younger than itself for one of twenty years ago, and is then half as fast or worse. Names the
// kernels in the environment, which it reads when it is loaded; false when they are named already or nothing fits.
inline bool name_processor_for_openblas() {
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE")) return false;
  __builtin_cpu_init();
  const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const char* core = wide ? "SkylakeX" : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : nullptr;
  return core && ::setenv("OPENBLAS_CORETYPE", core, 0) == 0;
#else
  return false;
#endif
}

// The threads within one product, where OpenBLAS is loaded.
inline void set_openblas_threads(int threads) {
  if (const auto set = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(threads);
}

// This program from its start, with the environment as it is now. Returns only when it cannot.
inline void restart(char** argv) { ::execv("/proc/self/exe", argv); }

}  // namespace softalign
