// The native contestant of the decode bench: for each line `count TAB source` it decodes the source `count` times and
// prints `milliseconds a decode TAB output`.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "shared/eigen/inference_model.h"

int main(int argc, char** argv) {
  using namespace softalign;
  using Clock = std::chrono::steady_clock;
  if (argc != 2) {
    std::cerr << "usage: decode_bench WEIGHTS < lines of `count TAB source`\n";
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
  auto checkpoint = read_checkpoint(bytes);
  auto model = checkpoint ? InferenceModel::create(std::move(*checkpoint)) : checkpoint.error();
  if (!model) {
    std::cerr << model.error().message << '\n';
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const size_t tab = line.find('\t');
    const int count = std::atoi(line.c_str());
    auto source = make_source(line.substr(tab + 1));
    if (tab == std::string::npos || count < 1 || !source) {
      std::cerr << "not a count and a source: " << line << '\n';
      return 1;
    }
    const int max_len = live_max_len(static_cast<int>(source->ids().size()));
    Decoded decoded;
    const auto begin = Clock::now();
    for (int k = 0; k < count; ++k) decoded = (*model)->greedy(*source, max_len);
    const std::chrono::duration<double, std::milli> taken = Clock::now() - begin;
    std::cout << taken.count() / count << '\t' << output_text(decoded.tokens) << std::endl;
  }
}
