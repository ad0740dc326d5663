#include "quantized/quantize.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/simd_f64.h"

namespace synoptic {
namespace {

// Above every rounding of a float64 sum of squares, of its root and of the conversion to float32.
float RoundUp(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

// Four values a step; the number of values is a multiple of 64.
constexpr std::size_t kStep = 4;

// The largest magnitude.
double Largest(const double* values, std::size_t count) {
  F64x4 least = F64x4::Splat(0), greatest = F64x4::Splat(0);
  for (std::size_t d = 0; d < count; d += kStep) {
    least = Min(least, F64x4::Load(values + d));
    greatest = Max(greatest, F64x4::Load(values + d));
  }
  double largest[kStep];
  Max(greatest, F64x4::Splat(0) - least).Store(largest);
  return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

// The integers nearest to values whose magnitude is far below 2^51.
SYNOPTIC_INLINE F64x4 Round(const F64x4& values) {
  const F64x4 shift = F64x4::Splat(0x1.8p52);
  return (values + shift) - shift;
}

template <class Integer>
SYNOPTIC_INLINE void StoreIntegers(const F64x4& values, Integer* to) {
  std::int32_t integers[kStep];
  values.StoreTruncated(integers);
  for (std::size_t i = 0; i < kStep; ++i) to[i] = static_cast<Integer>(integers[i]);
}

// What an approximation of values by integers comes to, whatever way the integers were found.
struct Measure {
  F64x4 squared_error = F64x4::Splat(0);
  F64x4 squared_length = F64x4::Splat(0);

  SYNOPTIC_INLINE void Add(const F64x4& values, const F64x4& approximate) {
    const F64x4 error = values - approximate;
    squared_error += error * error;
    squared_length += approximate * approximate;
  }
  float Error() const { return RoundUp(std::sqrt(squared_error.Sum())); }
  float Length() const { return RoundUp(std::sqrt(squared_length.Sum())); }
};

// A scale by which values become integers of at most `limit`. What is next to nothing is nothing: a
// row or query along the principal directions leaves no more.
float ScaleTo(double limit, const double* values, std::size_t count) {
  const double largest = Largest(values, count);
  return largest > 1e-30 ? static_cast<float>(largest / limit) : 0;
}

// The integers nearest to values / scale.
template <class Integer>
Measure WriteIntegers(const double* values, std::size_t count, float scale, Integer* integers) {
  const F64x4 factor = F64x4::Splat(scale);
  const F64x4 inverse = F64x4::Splat(scale > 0 ? 1 / static_cast<double>(scale) : 0);
  Measure measure;
  for (std::size_t d = 0; d < count; d += kStep) {
    const F64x4 value = F64x4::Load(values + d);
    const F64x4 integer = Round(value * inverse);
    measure.Add(value, factor * integer);
    StoreIntegers(integer, integers + d);
  }
  return measure;
}

// The four bits n of values, from 0 to 15; they stand for c = 2 n - 15 half steps.
SYNOPTIC_INLINE F64x4 FourBits(const F64x4& values, const F64x4& inverse_steps) {
  const F64x4 steps = values * inverse_steps + F64x4::Splat(7.5);
  return Round(Min(Max(steps, F64x4::Splat(0)), F64x4::Splat(15)));
}

SYNOPTIC_INLINE F64x4 HalfSteps(const F64x4& n) { return n * F64x4::Splat(2) - F64x4::Splat(15); }

// The step whose codes explain the most of |r|^2, and so leave the smallest residual, and the
// least-squares scale of those codes.
struct FourBitScale {
  double inverse_step = 0;
  double scale = 0;
};

// Cutting the range off at a share of the largest value loses outliers and refines all others;
// which of four shares is best depends on the row.
FourBitScale FindFourBitScale(const double* values, std::size_t count) {
  const double largest = Largest(values, count);
  if (!(largest > 1e-30)) return {};
  double inverse_steps[] = {0.9, 0.78, 0.66, 0.56};
  for (double& step : inverse_steps) step = 7.5 / (largest * step);
  const F64x4 inverse = F64x4::Load(inverse_steps);
  F64x4 product = F64x4::Splat(0), square = F64x4::Splat(0);
  for (std::size_t d = 0; d < count; ++d) {
    const F64x4 value = F64x4::Splat(values[d]);
    const F64x4 c = HalfSteps(FourBits(value, inverse));
    product += value * c;
    square += c * c;
  }
  double products[4], squares[4];
  product.Store(products);
  square.Store(squares);
  FourBitScale best;
  double best_gain = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double scale = products[i] / squares[i];
    const double gain = products[i] * scale;
    if (gain <= best_gain) continue;
    best_gain = gain;
    best = {inverse_steps[i], scale};
  }
  return best;
}

QuantizedRow QuantizeRow4(const double* values, std::size_t count, std::uint8_t* codes) {
  const FourBitScale best = FindFourBitScale(values, count);
  const auto scale = static_cast<float>(best.scale);
  const F64x4 factor = F64x4::Splat(scale), inverse_step = F64x4::Splat(best.inverse_step);
  Measure measure;
  for (std::size_t d = 0; d < count; d += kStep) {
    const F64x4 value = F64x4::Load(values + d);
    const F64x4 n = FourBits(value, inverse_step);
    measure.Add(value, factor * HalfSteps(n));
    StoreIntegers(n, codes + d);
  }
  return {scale, measure.Error(), measure.Length()};
}

template <class Integer>
QuantizedQuery QuantizeQuery(const double* values, std::size_t count, double limit,
                             Integer* integers) {
  const float scale = ScaleTo(limit, values, count);
  const Measure measure = WriteIntegers(values, count, scale, integers);
  F64x4 square = F64x4::Splat(0);
  for (std::size_t d = 0; d < count; d += kStep) {
    square += F64x4::Load(values + d) * F64x4::Load(values + d);
  }
  return {scale, RoundUp(std::sqrt(square.Sum())), measure.Error()};
}

}  // namespace

QuantizedRow QuantizeRow(const CodesLayout& layout, const double* values, std::size_t row,
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
  const QuantizedRow quantized = QuantizeRow4(values, padded, codes.data());
  for (std::size_t group = 0; group < padded; group += 128) {
    for (std::size_t j = 0; j < 64; ++j) {
      line[group / 2 + j] =
          static_cast<std::uint8_t>(codes[group + j] | codes[group + 64 + j] << 4);
    }
  }
  return quantized;
}

QuantizedQuery QuantizeWide(const double* values, std::size_t padded, std::int16_t* integers) {
  double sum = 0;
  for (std::size_t d = 0; d < padded; ++d) sum += std::fabs(values[d]);
  const double largest = Largest(values, padded);
  // 127 * sum(|integers|) <= 127 * (limit * sum / largest + padded / 2) < 2^31; and 127 planes of
  // 256.
  const double room = 0x1p31 / 127 - static_cast<double>(padded);
  const double limit = largest > 0 ? std::min(32512.0, std::floor(room * largest / sum)) : 32512.0;
  return QuantizeQuery(values, padded, limit, integers);
}

QuantizedQuery QuantizeNarrow(const double* values, std::size_t padded, std::int8_t* integers) {
  return QuantizeQuery(values, padded, 127.0, integers);
}

}  // namespace synoptic
