#include "shadow_quantise.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace synoptic {
namespace {

// Above every rounding of a float64 sum of squares, of its root and of the conversion to float32.
float RoundUp(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

// Sums are taken in four chains and without branches, which compilers turn into vectors; the number
// of values is a multiple of 64.
constexpr std::size_t kChains = 4;

struct Chains {
  double sums[kChains] = {};
  double Total() const { return (sums[0] + sums[1]) + (sums[2] + sums[3]); }
};

double Largest(const double* values, std::size_t count) {
  double largest[kChains] = {};
  for (std::size_t d = 0; d < count; d += kChains) {
    for (std::size_t i = 0; i < kChains; ++i) {
      largest[i] = std::max(largest[i], std::fabs(values[d + i]));
    }
  }
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

// The integer nearest to `value`, whose magnitude is far below 2^51.
double Round(double value) {
  constexpr double kShift = 0x1.8p52;
  return (value + kShift) - kShift;
}

// What an approximation of values by integers comes to, whatever way the integers were found.
struct Measure {
  Chains squared_error;
  Chains squared_length;

  void Add(const double* values, const double* approximate) {
    for (std::size_t i = 0; i < kChains; ++i) {
      const double error = values[i] - approximate[i];
      squared_error.sums[i] += error * error;
      squared_length.sums[i] += approximate[i] * approximate[i];
    }
  }
  float Error() const { return RoundUp(std::sqrt(squared_error.Total())); }
  float Length() const { return RoundUp(std::sqrt(squared_length.Total())); }
};

// A scale by which values become integers of at most `limit`. What is next to nothing is nothing: a
// row or query along the leading directions leaves no more.
float ScaleTo(double limit, const double* values, std::size_t count) {
  const double largest = Largest(values, count);
  return largest > 1e-30 ? static_cast<float>(largest / limit) : 0;
}

// The integers nearest to values / scale.
template <class Integer>
Measure WriteIntegers(const double* values, std::size_t count, float scale, Integer* integers) {
  const double factor = scale;
  const double inverse = scale > 0 ? 1 / factor : 0;
  Measure measure;
  for (std::size_t d = 0; d < count; d += kChains) {
    double integer[kChains], approximate[kChains];
    for (std::size_t i = 0; i < kChains; ++i) {
      integer[i] = Round(values[d + i] * inverse);
      approximate[i] = factor * integer[i];
    }
    measure.Add(values + d, approximate);
    for (std::size_t i = 0; i < kChains; ++i) {
      integers[d + i] = static_cast<Integer>(static_cast<int>(integer[i]));
    }
  }
  return measure;
}

// Cutting the range off at a share of the largest value loses outliers and refines all others;
// which share is best depends on the row.
constexpr double kClips[] = {0.9, 0.78, 0.66, 0.56};

// The four bits n of a value, from 0 to 15; they stand for c = 2 n - 15 half steps.
double FourBits(double value, double inverse_step) {
  const double steps = value * inverse_step;
  const double limited = (std::fabs(steps + 7.5) - std::fabs(steps - 7.5)) / 2;
  return Round(limited + 7.5);
}

// The step whose codes explain the most of |r|^2, and so leave the smallest residual, and the
// least-squares scale of those codes.
struct FourBitScale {
  double inverse_step = 0;
  double scale = 0;
};

FourBitScale FindFourBitScale(const double* values, std::size_t count) {
  const double largest = Largest(values, count);
  FourBitScale best;
  double best_gain = 0;
  for (const double clip : kClips) {
    if (!(largest > 1e-30)) break;
    const double inverse_step = 7.5 / (largest * clip);
    Chains product, square;
    for (std::size_t d = 0; d < count; d += kChains) {
      for (std::size_t i = 0; i < kChains; ++i) {
        const double c = 2 * FourBits(values[d + i], inverse_step) - 15;
        product.sums[i] += values[d + i] * c;
        square.sums[i] += c * c;
      }
    }
    const double scale = product.Total() / square.Total();
    const double gain = product.Total() * scale;
    if (gain <= best_gain) continue;
    best_gain = gain;
    best = {inverse_step, scale};
  }
  return best;
}

QuantisedRow QuantiseRow4(const double* values, std::size_t count, std::uint8_t* codes) {
  const FourBitScale best = FindFourBitScale(values, count);
  const auto scale = static_cast<float>(best.scale);
  const double factor = scale;
  Measure measure;
  for (std::size_t d = 0; d < count; d += kChains) {
    double n[kChains], approximate[kChains];
    for (std::size_t i = 0; i < kChains; ++i) {
      n[i] = FourBits(values[d + i], best.inverse_step);
      approximate[i] = factor * (2 * n[i] - 15);
    }
    measure.Add(values + d, approximate);
    for (std::size_t i = 0; i < kChains; ++i) {
      codes[d + i] = static_cast<std::uint8_t>(static_cast<int>(n[i]));
    }
  }
  return {scale, measure.Error(), measure.Length()};
}

template <class Integer>
QuantisedQuery QuantiseQuery(const double* values, std::size_t count, double limit,
                             Integer* integers) {
  const float scale = ScaleTo(limit, values, count);
  const Measure measure = WriteIntegers(values, count, scale, integers);
  Chains square;
  for (std::size_t d = 0; d < count; d += kChains) {
    for (std::size_t i = 0; i < kChains; ++i) square.sums[i] += values[d + i] * values[d + i];
  }
  return {scale, RoundUp(std::sqrt(square.Total())), measure.Error()};
}

}  // namespace

QuantisedRow QuantiseRow(const ShadowLayout& layout, const double* values, std::size_t row,
                         std::uint8_t* block) {
  const std::size_t padded = layout.padded();
  std::uint8_t* line = block + row * layout.code_bytes();
  if (layout.bits == 8) {
    const float scale = ScaleTo(127, values, padded);
    const Measure measure =
        WriteIntegers(values, padded, scale, reinterpret_cast<std::int8_t*>(line));
    return {scale, measure.Error(), measure.Length()};
  }
  std::vector<std::uint8_t> codes(padded);
  const QuantisedRow quantised = QuantiseRow4(values, padded, codes.data());
  for (std::size_t group = 0; group < padded; group += 128) {
    for (std::size_t j = 0; j < 64; ++j) {
      line[group / 2 + j] =
          static_cast<std::uint8_t>(codes[group + j] | codes[group + 64 + j] << 4);
    }
  }
  return quantised;
}

QuantisedQuery QuantiseWide(const double* values, std::size_t padded, std::int16_t* integers) {
  double sum = 0;
  for (std::size_t d = 0; d < padded; ++d) sum += std::fabs(values[d]);
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
