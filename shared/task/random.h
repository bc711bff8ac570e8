// The random stream of the whole project: CPython's random.Random, so that a seed means here what it means in the lab.
#pragma once
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace softalign {

// std::mt19937 is the same everywhere; the std:: distributions are not, so every draw is spelled out here.
class Random {
 public:
  explicit Random(uint64_t seed);
  // Goes on from a generator's state, as `words` gave it.
  explicit Random(const std::mt19937& words) : words_(words) {}
  const std::mt19937& words() const { return words_; }

  // The top k bits of one 32-bit word, k = 1..32.
  uint32_t getrandbits(int k);
  // Uniform in [0, n), n > 0, by rejection.
  uint32_t randbelow(uint32_t n);
  // Uniform in [a, b], both ends included.
  int randint(int a, int b);
  // Uniform in [0, 1) with 53 bits.
  double random();
  double uniform(double a, double b) { return a + (b - a) * random(); }
  // N(0, 1): CPython's normalvariate, the ratio of uniforms of Kinderman and Monahan.
  double normal();
  // k different numbers of [0, n) in the order drawn: CPython's sample(range(n), k), k <= n.
  std::vector<uint32_t> sample(uint32_t n, uint32_t k);
  // One element of a non-empty array, vector or span.
  template <class Sequence>
  const auto& choice(const Sequence& sequence) {
    assert(std::size(sequence) > 0 && "choice: nothing to choose from");
    return sequence[randbelow(static_cast<uint32_t>(std::size(sequence)))];
  }

 private:
  std::mt19937 words_;
};

}  // namespace softalign
