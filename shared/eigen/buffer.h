// Memory for the Eigen backends: aligned floats that are reserved up front and reused, and a tensor that lies in them.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>

namespace softalign {

// Aligned, uninitialised floats. The one place where the Eigen backends ask for memory.
class Buffer {
 public:
  // Room for at least `count` floats; the old content is lost when it has to grow. False when memory is refused.
  [[nodiscard]] bool reserve(size_t count) {
    if (count <= capacity_) return true;
    const size_t rounded = (count + 15) / 16 * 16;  // aligned_alloc wants whole units of the alignment
    if (rounded < count || rounded > SIZE_MAX / sizeof(float)) return false;
    auto* fresh = static_cast<float*>(std::aligned_alloc(alignment, rounded * sizeof(float)));
    if (!fresh) return false;
    floats_.reset(fresh);
    capacity_ = rounded;
    return true;
  }
  size_t capacity() const { return capacity_; }
  float* data() { return floats_.get(); }
  const float* data() const { return floats_.get(); }

 private:
  static constexpr size_t alignment = 64;
  struct Free {
    void operator()(float* floats) const { std::free(floats); }
  };
  std::unique_ptr<float, Free> floats_;
  size_t capacity_ = 0;
};

// A row-major (B,T,D) block of floats in a buffer of its own.
struct BufferTensor {
  Buffer buffer;
  int B = 0, T = 0, D = 0;

  // Takes a new shape, which must fit in what was reserved.
  void shape(int b, int t, int d) {
    assert(static_cast<size_t>(b) * t * d <= buffer.capacity() && "BufferTensor: shape exceeds the reservation");
    B = b, T = t, D = d;
  }
  size_t size() const { return static_cast<size_t>(B) * T * D; }
  float* row(int b, int t) { return buffer.data() + (static_cast<size_t>(b) * T + t) * D; }
  const float* row(int b, int t) const { return buffer.data() + (static_cast<size_t>(b) * T + t) * D; }
};

}  // namespace softalign
