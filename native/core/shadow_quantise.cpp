#include "shadow_quantise.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace synoptic {
namespace {

// Above every rounding of a float64 sum of squares, of its root and of the conversion to float32.
float RoundUp(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

// In four chains, so that the operations overlap; `count` is a multiple of four.
double Largest(const double* values, std::size_t count) {
  double largest[4] = {};
  for (std::size_t d = 0; d < count; d += 4) {
    for (std::size_t chain = 0; chain < 4; ++chain) {
      largest[chain] = std::max(largest[chain], std::fabs(values[d + chain]));
    }
  }
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

template <class Term>
double Sum(std::size_t count, Term term) {
  double sums[4] = {};
  for (std::size_t d = 0; d < count; d += 4) {
    for (std::size_t chain = 0; chain < 4; ++chain) sums[chain] += term(d + chain);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class Term>
double RootOfSquares(std::size_t count, Term term) {
  return std::sqrt(Sum(count, [&](std::size_t d) {
    const double value = term(d);
    return value * value;
  }));
}

// Measures s * codes against the values, whatever way s and the codes were found.
template <class Code>
QuantisedRow Measure(const double* values, std::size_t count, float scale, Code code) {
  const double factor = scale;
  return {
      scale,
      RoundUp(RootOfSquares(count, [&](std::size_t d) { return values[d] - factor * code(d); })),
      RoundUp(RootOfSquares(count, [&](std::size_t d) { return factor * code(d); }))};
}

QuantisedRow QuantiseRow8(const double* values, std::size_t count, std::int8_t* codes) {
  const auto scale = static_cast<float>(Largest(values, count) / 127);
  const double inverse = scale > 0 ? 1 / static_cast<double>(scale) : 0;
  for (std::size_t d = 0; d < count; ++d) {
    // Adding half and cutting off is as good as rounding, and the compiler vectorises it.
    const double scaled = std::clamp(values[d] * inverse, -127.0, 127.0);
    codes[d] = static_cast<std::int8_t>(static_cast<int>(scaled + (scaled < 0 ? -0.5 : 0.5)));
  }
  return Measure(values, count, scale, [&](std::size_t d) { return codes[d]; });
}

// What the four bits n stand for.
int OddCode(int n) { return 2 * n - 15; }

// Cutting the range off at a share of the largest value loses outliers and refines all others;
// which share is best depends on the row.
constexpr double kClips[] = {0.9, 0.78, 0.66, 0.56};

QuantisedRow QuantiseRow4(const double* values, std::size_t count, std::uint8_t* codes,
                          std::uint8_t* trial) {
  const double largest = Largest(values, count);
  double best_gain = -1;
  double best_scale = 0;
  std::memset(codes, 0, count);
  for (const double clip : kClips) {
    // The grid of odd multiples -15 to 15 of step / 2.
    const double half_step = largest * clip / 15;
    if (half_step == 0) break;
    const double inverse = 0.5 / half_step;
    for (std::size_t d = 0; d < count; ++d) {
      trial[d] = static_cast<std::uint8_t>(std::clamp(values[d] * inverse + 8, 0.0, 15.5));
    }
    const double product = Sum(count, [&](std::size_t d) { return values[d] * OddCode(trial[d]); });
    const double square = Sum(count, [&](std::size_t d) {
      return static_cast<double>(OddCode(trial[d]) * OddCode(trial[d]));
    });
    // The least-squares scale of these codes is product / square; the more of |r|^2 it explains,
    // the smaller the residual.
    const double gain = product * product / square;
    if (gain <= best_gain) continue;
    best_gain = gain;
    best_scale = product / square;
    std::memcpy(codes, trial, count);
  }
  return Measure(values, count, static_cast<float>(best_scale),
                 [&](std::size_t d) { return OddCode(codes[d]); });
}

template <class Integer>
QuantisedQuery QuantiseQuery(const double* values, std::size_t count, double limit,
                             Integer* integers) {
  const double largest = Largest(values, count);
  // A query that lies along the leading directions leaves nothing to quantise.
  const auto scale = largest > 1e-30 ? static_cast<float>(largest / limit) : 0;
  const double inverse = scale > 0 ? 1 / static_cast<double>(scale) : 0;
  for (std::size_t d = 0; d < count; ++d) {
    integers[d] = static_cast<Integer>(std::lrint(std::clamp(values[d] * inverse, -limit, limit)));
  }
  const double factor = scale;
  return {scale, RoundUp(RootOfSquares(count, [&](std::size_t d) { return values[d]; })),
          RoundUp(RootOfSquares(count,
                                [&](std::size_t d) { return values[d] - factor * integers[d]; }))};
}

}  // namespace

QuantisedRow QuantiseRow(const ShadowLayout& layout, const double* values, std::size_t row,
                         std::uint8_t* block) {
  const std::size_t padded = layout.padded();
  std::uint8_t* line = block + row * layout.code_bytes();
  if (layout.bits == 8) {
    return QuantiseRow8(values, padded, reinterpret_cast<std::int8_t*>(line));
  }
  std::vector<std::uint8_t> codes(padded), trial(padded);
  const QuantisedRow quantised = QuantiseRow4(values, padded, codes.data(), trial.data());
  for (std::size_t group = 0; group < padded; group += 128) {
    for (std::size_t j = 0; j < 64; ++j) {
      line[group / 2 + j] =
          static_cast<std::uint8_t>(codes[group + j] | codes[group + 64 + j] << 4);
    }
  }
  return quantised;
}

QuantisedQuery QuantiseWide(const double* values, std::size_t padded, std::int16_t* integers) {
  const double sum = Sum(padded, [&](std::size_t d) { return std::fabs(values[d]); });
  const double largest = Largest(values, padded);
  // 127 * sum(|integers|) <= 127 * (limit * sum / largest + padded / 2) < 2^31; and 127 planes of
  // 256.
  const double room = 0x1p31 / 127 - static_cast<double>(padded);
  const double limit = largest > 0 ? std::min(32512.0, std::floor(room * largest / sum)) : 32512.0;
  return QuantiseQuery(values, padded, limit, integers);
}

QuantisedQuery QuantiseNarrow(const double* values, std::size_t padded, std::int8_t* integers) {
  return QuantiseQuery(values, padded, 127.0, integers);
}

}  // namespace synoptic
