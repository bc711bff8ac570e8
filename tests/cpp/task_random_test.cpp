// The random stream is CPython's: every expected number below was printed by Python 3.11 by the line above it.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "shared/task/dates.h"
#include "shared/task/random.h"

namespace softalign {
namespace {

// r = random.Random(0); print([r.getrandbits(k) for k in (1, 2, 7, 8, 16, 31, 32, 32)])
TEST(TaskRandom, GetrandbitsIsPythons) {
  Random random(0);
  const std::array<int, 8> bits{1, 2, 7, 8, 16, 31, 32, 32};
  const std::array<uint32_t, 8> expected{1, 1, 97, 227, 27562, 86939546, 1112038970, 4146640122};
  for (size_t i = 0; i < bits.size(); ++i) EXPECT_EQ(random.getrandbits(bits[i]), expected[i]) << "draw " << i;
}

// for s in (...): w = [r.getrandbits(32) for r in [random.Random(s)] for _ in range(700)]; print(s, w[0], w[-1])
// 700 words reach past the 624 of one state; seeds of 2**32 and more have two words.
TEST(TaskRandom, EverySeedMakesPythonsState) {
  struct Case {
    uint64_t seed;
    uint32_t first, word_700;
  };
  constexpr Case cases[] = {{0, 3626764237, 3579999110},
                            {1, 577090037, 3348972608},
                            {2, 4106135923, 2540737374},
                            {4294967295, 2728839433, 1534215042},
                            {4294967296, 485306839, 3178487130},
                            {1099511640121, 1332995613, 779034071},
                            {18446744073709551615u, 93740670, 3868817262}};
  for (const Case& one : cases) {
    Random random(one.seed);
    EXPECT_EQ(random.getrandbits(32), one.first) << "seed " << one.seed;
    for (int i = 1; i < 699; ++i) random.getrandbits(32);
    EXPECT_EQ(random.getrandbits(32), one.word_700) << "seed " << one.seed;
  }
}

// r = random.Random(3); print([r._randbelow(n) for n in (1, 2, 3, 10, 73049, 2**31, 2**31 + 1, 2**32 - 1)])
TEST(TaskRandom, RandbelowIsPythons) {
  Random random(3);
  const std::array<uint32_t, 8> n{1, 2, 3, 10, 73049, 2147483648, 2147483649, 4294967295};
  const std::array<uint32_t, 8> expected{0, 0, 1, 9, 62135, 281444313, 56556069, 3903345311};
  for (size_t i = 0; i < n.size(); ++i) EXPECT_EQ(random.randbelow(n[i]), expected[i]) << "n = " << n[i];
}

// r = random.Random(4)
// print([r.randint(a, b) for a, b in ((0, 0), (-5, 5), (1, 6), (1900, 2099), (-2**31, 2**31 - 2), (0, 73048))])
TEST(TaskRandom, RandintIsPythons) {
  Random random(4);
  EXPECT_EQ(random.randint(0, 0), 0);
  EXPECT_EQ(random.randint(-5, 5), -1);
  EXPECT_EQ(random.randint(1, 6), 1);
  EXPECT_EQ(random.randint(1900, 2099), 2084);
  EXPECT_EQ(random.randint(-2147483647 - 1, 2147483646), -446426455);
  EXPECT_EQ(random.randint(0, 73048), 62767);
}

// r = random.Random(5); print("".join(r.choice("abcdef") for _ in range(12)))
TEST(TaskRandom, ChoiceIsPythons) {
  Random random(5);
  const std::string letters = "abcdef";
  std::string chosen;
  for (int i = 0; i < 12; ++i) chosen += random.choice(letters);
  EXPECT_EQ(chosen, "ecfcfffeadbf");
}

// r = random.Random(6); x = [r.random() for _ in range(1000)]; print([x[i].hex() for i in (0, 1, 2, 999)])
TEST(TaskRandom, RandomIsPythons) {
  Random random(6);
  EXPECT_EQ(random.random(), 0x1.9630abe4b977fp-1);
  EXPECT_EQ(random.random(), 0x1.a4d72905280d5p-1);
  EXPECT_EQ(random.random(), 0x1.f0aceae190522p-2);
  for (int i = 3; i < 999; ++i) random.random();
  EXPECT_EQ(random.random(), 0x1.766a7023e53e0p-4);
}

// r = random.Random(7); print([r.uniform(a, b).hex() for a, b in ((-0.25, 0.25), (0, 1), (2, -2))])
TEST(TaskRandom, UniformIsPythons) {
  Random random(7);
  EXPECT_EQ(random.uniform(-0.25, 0.25), -0x1.68ca5e0d58b24p-4);
  EXPECT_EQ(random.uniform(0, 1), 0x1.34f0696513270p-3);
  EXPECT_EQ(random.uniform(2, -2), -0x1.351d220c5c7fcp-1);
}

// r = random.Random(8); x = [r.normalvariate(0, 1) for _ in range(1000)]
// print([x[i].hex() for i in (0, 1, 2, 3, 999)])
TEST(TaskRandom, NormalIsPythons) {
  Random random(8);
  EXPECT_EQ(random.normal(), -0x1.15f939c1ddb6ep+1);
  EXPECT_EQ(random.normal(), -0x1.e426cbb1ac4c3p-1);
  EXPECT_EQ(random.normal(), 0x1.ccc7adb7d1705p-2);
  EXPECT_EQ(random.normal(), -0x1.460ea85da7994p-3);
  for (int i = 4; i < 999; ++i) random.normal();
  EXPECT_EQ(random.normal(), 0x1.b4da80600f718p-6);
}

using Numbers = std::vector<uint32_t>;

// print(random.Random(seed).sample(range(n), k)), with seeds for which Python's two ways to draw differ.
TEST(TaskRandom, SampleIsPythonsOnBothSidesOfItsChoice) {
  EXPECT_EQ(Random(2).sample(21, 5), (Numbers{1, 2, 19, 11, 5}));           // from a pool
  EXPECT_EQ(Random(2).sample(22, 5), (Numbers{1, 2, 11, 5, 21}));           // into a set
  EXPECT_EQ(Random(5).sample(85, 6), (Numbers{79, 32, 45, 67, 3, 59}));     // from a pool: 21 + 4**3 = 85
  EXPECT_EQ(Random(2).sample(86, 6), (Numbers{7, 11, 10, 46, 21, 85}));     // into a set
  EXPECT_EQ(Random(9).sample(10, 10), (Numbers{7, 5, 4, 1, 6, 0, 2, 3, 8, 9}));
  EXPECT_EQ(Random(9).sample(3, 0), Numbers{});
}

// r = random.Random(2); a, b = (r.sample(range(100000), 128) for _ in "ab"); print(a[:5], a[-1], b[:3], b[-1])
TEST(TaskRandom, BatchOrderIsTheLabs) {
  BatchOrder order;
  const Numbers a = order.next(), b = order.next();
  ASSERT_EQ(a.size(), 128u);
  EXPECT_EQ(Numbers(a.begin(), a.begin() + 5), (Numbers{7412, 12004, 11124, 47324, 22162}));
  EXPECT_EQ(a.back(), 89453u);
  EXPECT_EQ(Numbers(b.begin(), b.begin() + 3), (Numbers{13928, 98876, 68467}));
  EXPECT_EQ(b.back(), 50430u);
}

}  // namespace
}  // namespace softalign
