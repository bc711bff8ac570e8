// Which device LibTorch computes on, and whether it can: chosen, tried and described.
#pragma once
#include <dlfcn.h>
#include <torch/torch.h>

#include <string>
#include <string_view>

#include "shared/io/error.h"

namespace softalign {

inline Result<torch::Device> find_device(const std::string& name) {
  if (name == "cpu") return torch::Device(torch::kCPU);
  const bool usable = torch::cuda::is_available();
  if (name == "auto") return torch::Device(usable ? torch::kCUDA : torch::kCPU);
  if (name != "cuda") return {ErrorCode::BAD_VALUE, "device is auto, cpu or cuda, not " + name};
  if (usable) return torch::Device(torch::kCUDA);
  return {ErrorCode::NO_DEVICE, torch::hasCUDA()
                                    ? "LibTorch has CUDA, but finds no GPU that it can use; check the driver with nvidia-smi"
                                    : "this LibTorch is built without CUDA; build against one that has it, or use --device cpu"};
}

// What `cudaDeviceGetAttribute` says of the first GPU, such as "sm_75"; it is asked by name because a build without CUDA's
// headers compiles this too.
inline std::string gpu_architecture() {
  using Ask = int (*)(int* value, int attribute, int device);
  const auto ask = reinterpret_cast<Ask>(dlsym(RTLD_DEFAULT, "cudaDeviceGetAttribute"));
  constexpr int compute_major = 75, compute_minor = 76;  // CUDA's numbers of the attributes
  int major = 0, minor = 0;
  if (!ask || ask(&major, compute_major, 0) != 0 || ask(&minor, compute_minor, 0) != 0) return "unknown";
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

// The value of a key in LibTorch's description of its own build, up to the line's end or a comma.
inline std::string build_setting(const std::string& key, const char* end) {
  const std::string settings = torch::show_config();
  const size_t found = settings.find(key);
  if (found == std::string::npos) return "unknown";
  const size_t start = found + key.size();
  return settings.substr(start, settings.find_first_of(end, start) - start);
}

// A first small computation: a LibTorch that lacks the GPU's architecture, or a driver older than its CUDA, fails here.
inline Status try_device(torch::Device device) {
  if (device.is_cpu()) return success();
  std::string reason;
  try {
    if (torch::ones({2}, device).add(1).sum().item<float>() == 4) return success();
    reason = "1 + 1 is not 2 there";
  } catch (const std::exception& error) {
    const std::string_view text = error.what();
    reason = text.substr(0, text.find('\n'));
  }
  return {ErrorCode::NO_DEVICE, "the GPU (architecture " + gpu_architecture() + ") cannot run this LibTorch, which is built for " +
                                    build_setting("NVCC architecture flags: ", "\n") + ": " + reason};
}

inline std::string describe(torch::Device device, int threads) {
  if (device.is_cuda()) return "cuda";
  return "cpu, " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}  // namespace softalign
