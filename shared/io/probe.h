// What is fitted to a trained model, to look inside it: a plane to draw its states in, and how much of its date each
// encoder state knows. Kept as NAME.probe.safetensors; who shows it only multiplies and adds.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shared/io/error.h"
#include "shared/model/config.h"

namespace softalign {

// The format that is written, and the newest that is read.
inline constexpr int probe_version = 1;

// A point x of the space is drawn at (axes (x - mean)).
struct Plane {
  int D = 0;                          // of the space that the score compares: d_h, d_a for additive; states s and h without a score
  std::vector<float> mean;            // (D)
  std::vector<float> axes;            // (2,D) of length 1, at right angles: where the states differ most
  std::array<float, 2> explained{};   // share of the variance along each
};

// A linear readout of h_i: its largest entry of weight h_i + bias is the guess.
struct ReadoutInfo {
  std::string_view name;
  int classes;
  int first;  // what class 0 stands for
};
inline constexpr std::array<ReadoutInfo, 6> readout_infos{
    {{"month", 12, 1}, {"day", 31, 1}, {"year_1", 10, 0}, {"year_2", 10, 0}, {"year_3", 10, 0}, {"year_4", 10, 0}}};

// Characters of the longest written date, `30th September 2021`: positions are counted from a date's first character.
inline constexpr int probe_positions = 19;

struct Readout {
  std::vector<float> weight, bias;  // (classes, d_enc), (classes)
  std::vector<float> accuracy;      // (probe_positions) on the test split: share of right guesses
  std::vector<float> majority;      // (probe_positions) the same for always guessing training's most frequent class
};

struct Probe {
  std::string weights_sha256;  // of the weights file that it was fitted to
  Plane plane;
  std::array<Readout, readout_infos.size()> readouts;  // in the order of readout_infos
  std::vector<float> count;    // (probe_positions) states of the test split behind each accuracy
};

Result<std::vector<uint8_t>> write_probe(const Config& config, const Probe& probe);
// Errors: those of read_header; WRONG_MODEL for another kind of file or a model of other sizes; NEWER_FORMAT; BAD_WEIGHTS.
Result<Probe> read_probe(const Config& config, std::span<const uint8_t> file);

}  // namespace softalign
