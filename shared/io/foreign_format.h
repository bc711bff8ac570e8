// Recognises by its first bytes a file that is often offered as weights and is not safetensors, and says what to do.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace softalign {

namespace foreign {

inline constexpr std::string_view torch_advice =
    "a file that torch.save wrote (.pt, .pth), not safetensors; convert its state dict in Python:\n"
    "import torch; from safetensors.torch import save_file\n"
    "state = torch.load(\"model.pt\", map_location=\"cpu\")\n"
    "save_file({name: w.contiguous() for name, w in state.items()}, \"model.safetensors\")";
inline constexpr std::string_view numpy_advice =
    "an archive of NumPy (.npz), not safetensors; convert it in Python:\n"
    "import numpy; from safetensors.numpy import save_file\n"
    "arrays = dict(numpy.load(\"model.npz\"))\n"
    "save_file(arrays, \"model.safetensors\")";

struct Signature {
  std::string_view start, advice;
};
inline constexpr Signature signatures[] = {
    {{"\x93NUMPY", 6},
     "one array of NumPy (.npy), not safetensors; a model is many named arrays: save them with safetensors.numpy"},
    {{"\x89HDF", 4},
     "an HDF5 file (.h5, Keras), not safetensors; read it with h5py and save its arrays with safetensors.numpy"},
    {{"\x1f\x8b", 2}, "a gzip file; unpack it first, or, if it is a .snapshots file, take the .safetensors file beside it"},
    {{"GGUF", 4}, "a GGUF file (llama.cpp), not safetensors"},
    {{"version https://git-lfs", 23}, "a Git LFS pointer, not the weights themselves; fetch them with git lfs pull"},
    {{"<", 1},
     "a web page, not safetensors: the server probably sent an error page instead of the file; check the address"},
    {{"{", 1}, "a JSON text, not safetensors; the weights are in the .safetensors file beside it"},
};

}  // namespace foreign

// "a gzip file; unpack it first, ...", or an empty string for bytes that are none of these.
inline std::string_view recognise_foreign_format(std::span<const uint8_t> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  if (text.starts_with("PK\3\4")) {  // zip: bytes 26 and 27 are the length of its first entry's name, at byte 30
    const size_t length = file.size() < 30 ? 0 : file[26] | file[27] << 8;
    const std::string_view first_entry = file.size() < 30 ? "" : text.substr(30, length);
    return first_entry.ends_with(".npy") ? foreign::numpy_advice : foreign::torch_advice;
  }
  if (text.size() > 1 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5) return foreign::torch_advice;
  for (const foreign::Signature& signature : foreign::signatures)
    if (text.starts_with(signature.start)) return signature.advice;
  return "";
}

}  // namespace softalign
