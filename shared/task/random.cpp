// CPython's random.Random over std::mt19937: its seeding, and each of its draws that we use.
#include "shared/task/random.h"

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace softalign {
namespace {

// ln u for u > 0, right to a few units of the last place: the same bits on every machine, and without the table of a C
// library's. u = m 2^e with m between the roots of 1/2 and 2, and ln m = 2 artanh((m - 1) / (m + 1)).
double natural_log(double u) {
  constexpr double ln_2 = 0.69314718055994530942, root_of_half = 0.70710678118654752440;
  int e = 0;
  double m = std::frexp(u, &e);
  if (m < root_of_half) m *= 2, --e;
  const double x = (m - 1) / (m + 1), square = x * x;
  double series = 0;
  for (int n = 21; n > 0; n -= 2) series = series * square + 1.0 / n;
  return e * ln_2 + 2 * x * series;
}

// A seed sequence that hands std::mt19937 the state which CPython makes from a seed: init_by_array(the seed's 32-bit
// words) of the generator's authors. std::mt19937 asks for exactly its 624 state words and uses them as they are.
struct InitByArray {
  using result_type = uint_least32_t;
  uint64_t seed;

  template <class Iterator>
  void generate(Iterator begin, [[maybe_unused]] Iterator end) const {
    constexpr uint32_t n = 624;
    assert(end - begin == n && "InitByArray: made for std::mt19937 only");
    const std::array<uint32_t, 2> key{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)};
    const uint32_t key_length = key[1] ? 2 : 1;
    std::array<uint32_t, n> state{19650218u};
    for (uint32_t i = 1; i < n; ++i) state[i] = 1812433253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;

    uint32_t i = 1;
    const auto mix = [&](uint32_t factor) { return state[i] ^ ((state[i - 1] ^ (state[i - 1] >> 30)) * factor); };
    const auto advance = [&] {
      if (++i == n) state[0] = state[n - 1], i = 1;
    };
    for (uint32_t step = 0; step < n; ++step, advance())
      state[i] = mix(1664525u) + key[step % key_length] + step % key_length;
    for (uint32_t step = 1; step < n; ++step, advance()) state[i] = mix(1566083941u) - i;
    state[0] = 0x80000000u;  // the state is never all zeros
    for (uint32_t word : state) *begin++ = word;
  }

  // The rest of what the standard asks of a seed sequence.
  size_t size() const { return 1; }
  template <class Iterator>
  void param(Iterator out) const {
    *out = static_cast<result_type>(seed);
  }
};

std::mt19937 seeded(uint64_t seed) {
  InitByArray sequence{seed};
  return std::mt19937(sequence);
}

}  // namespace

Random::Random(uint64_t seed) : words_(seeded(seed)) {}

uint32_t Random::getrandbits(int k) {
  assert(1 <= k && k <= 32 && "getrandbits: k lies in 1..32");
  return static_cast<uint32_t>(words_()) >> (32 - k);
}

uint32_t Random::randbelow(uint32_t n) {
  assert(n > 0 && "randbelow: n > 0");
  const int bits = static_cast<int>(std::bit_width(n));
  uint32_t drawn = getrandbits(bits);
  while (drawn >= n) drawn = getrandbits(bits);
  return drawn;
}

int Random::randint(int a, int b) {
  assert(a <= b && "randint: a <= b");
  return static_cast<int>(a + static_cast<int64_t>(randbelow(static_cast<uint32_t>(int64_t{b} - a + 1))));
}

double Random::random() {
  const uint32_t high = getrandbits(27), low = getrandbits(26);
  return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);  // (high 2^26 + low) / 2^53
}

double Random::normal() {
  constexpr double magic = 1.7155277699214135;  // 4 exp(-1/2) / sqrt(2)
  for (;;) {
    const double u1 = random(), u2 = 1.0 - random();
    const double z = magic * (u1 - 0.5) / u2;
    if (z * z / 4.0 <= -natural_log(u2)) return z;
  }
}

std::vector<uint32_t> Random::sample(uint32_t n, uint32_t k) {
  assert(k <= n && "sample: k <= n");
  // CPython draws from a shrinking pool when a list of n is smaller than its set of k, and the two give other numbers.
  uint64_t set_size = 21;
  if (k > 5) {
    uint64_t table = 1;
    while (table < uint64_t{3} * k) table *= 4;
    set_size += table;
  }
  std::vector<uint32_t> drawn(k);
  if (n <= set_size) {
    std::vector<uint32_t> pool(n);
    std::iota(pool.begin(), pool.end(), 0u);
    for (uint32_t i = 0; i < k; ++i) {
      const uint32_t j = randbelow(n - i);
      drawn[i] = pool[j];
      pool[j] = pool[n - i - 1];
    }
    return drawn;
  }
  std::unordered_set<uint32_t> taken;
  for (uint32_t& number : drawn) {
    do number = randbelow(n);
    while (!taken.insert(number).second);
  }
  return drawn;
}

}  // namespace softalign
