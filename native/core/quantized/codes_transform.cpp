#include "quantized/codes_transform.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/simd_f64.h"
#include "kernels/codes_layout.h"

namespace synoptic {
namespace {

// Enough to find directions that hold a visible share of the vectors.
constexpr std::size_t kSampleRows = 1024;
constexpr int kIterations = 6;
// Below this share of the squared norm, the directions' 4 bytes each cost more than they save.
constexpr double kWorthwhileShare = 0.1;

// splitmix64: the same sequence everywhere, unlike the standard library's distributions.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

double Dot(const double* a, const double* b, std::size_t size) noexcept {
  // Eight chains, so that the additions overlap.
  F64x4 even = F64x4::Splat(0), odd = F64x4::Splat(0);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    even += F64x4::Load(a + i) * F64x4::Load(b + i);
    odd += F64x4::Load(a + i + 4) * F64x4::Load(b + i + 4);
  }
  double sum = (even + odd).Sum();
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

void AddScaled(double* a, double factor, const double* b, std::size_t size) noexcept {
  for (std::size_t i = 0; i < size; ++i) a[i] += factor * b[i];
}

// AddScaled, and the product of what a has become with c, in one pass.
double AddScaledAndDot(double* a, double factor, const double* b, const double* c,
                       std::size_t size) noexcept {
  const F64x4 factors = F64x4::Splat(factor);
  F64x4 even = F64x4::Splat(0), odd = F64x4::Splat(0);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const F64x4 first = F64x4::Load(a + i) + factors * F64x4::Load(b + i);
    const F64x4 second = F64x4::Load(a + i + 4) + factors * F64x4::Load(b + i + 4);
    first.Store(a + i);
    second.Store(a + i + 4);
    even += first * F64x4::Load(c + i);
    odd += second * F64x4::Load(c + i + 4);
  }
  double sum = (even + odd).Sum();
  for (; i < size; ++i) {
    a[i] += factor * b[i];
    sum += a[i] * c[i];
  }
  return sum;
}

// a becomes a + b and b becomes a - b; the halves of 2 x `half` values, a multiple of four.
void AddAndSubtract(double* values, std::size_t half) noexcept {
  for (std::size_t i = 0; i < half; i += 4) {
    const F64x4 a = F64x4::Load(values + i), b = F64x4::Load(values + i + half);
    (a + b).Store(values + i);
    (a - b).Store(values + i + half);
  }
}

// AddAndSubtract of each half of 4 x `quarter` values, then of both together, in one pass.
void AddAndSubtractTwice(double* values, std::size_t quarter) noexcept {
  for (std::size_t i = 0; i < quarter; i += 4) {
    double* at = values + i;
    const F64x4 a = F64x4::Load(at), b = F64x4::Load(at + quarter);
    const F64x4 c = F64x4::Load(at + 2 * quarter), d = F64x4::Load(at + 3 * quarter);
    const F64x4 sum = a + b, difference = a - b, other_sum = c + d, other_difference = c - d;
    (sum + other_sum).Store(at);
    (difference + other_difference).Store(at + quarter);
    (sum - other_sum).Store(at + 2 * quarter);
    (difference - other_difference).Store(at + 3 * quarter);
  }
}

// Gram-Schmidt, twice for accuracy. A direction that vanishes becomes zero, which splits off
// nothing.
void Orthonormalise(std::vector<double>& basis, std::size_t dimension) {
  for (std::size_t i = 0; i < basis.size() / dimension; ++i) {
    double* direction = basis.data() + i * dimension;
    const double before = std::sqrt(Dot(direction, direction, dimension));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t j = 0; j < i; ++j) {
        const double* other = basis.data() + j * dimension;
        AddScaled(direction, -Dot(direction, other, dimension), other, dimension);
      }
    }
    const double norm = std::sqrt(Dot(direction, direction, dimension));
    const double inverse = norm > 1e-6 * before ? 1 / norm : 0;
    for (std::size_t d = 0; d < dimension; ++d) direction[d] *= inverse;
  }
}

}  // namespace

Rotation::Rotation(std::size_t padded) : padded_(padded) {
  // The largest power of two that divides the length, up to 256: two rounds of it mix well.
  block_ = std::min<std::size_t>(padded & ~(padded - 1), 256);
  Generator generator(0x53796E6F70746963 + padded);
  for (Round& round : rounds_) {
    round.source.resize(padded);
    std::iota(round.source.begin(), round.source.end(), 0);
    for (std::size_t i = padded - 1; i > 0; --i) {
      std::swap(round.source[i], round.source[generator.Next() % (i + 1)]);
    }
    round.sign.resize(padded);
    for (double& sign : round.sign) sign = (generator.Next() & 1) != 0 ? 1 : -1;
  }
}

void Rotation::Apply(double* values, double* scratch) const noexcept {
  for (std::size_t i = 0; i < padded_; ++i) {
    scratch[i] = values[rounds_[0].source[i]] * rounds_[0].sign[i];
  }
  Hadamard(scratch);
  for (std::size_t i = 0; i < padded_; ++i) {
    values[i] = scratch[rounds_[1].source[i]] * rounds_[1].sign[i];
  }
  Hadamard(values);
}

void Rotation::Hadamard(double* values) const noexcept {
  const double scale = 1 / std::sqrt(static_cast<double>(block_));
  for (std::size_t begin = 0; begin < padded_; begin += block_) {
    double* block = values + begin;
    // The first two rounds and the scale at once, then rounds whose steps lie side by side.
    for (std::size_t i = 0; i < block_; i += 4) {
      const double a = block[i] + block[i + 1], b = block[i] - block[i + 1];
      const double c = block[i + 2] + block[i + 3], d = block[i + 2] - block[i + 3];
      block[i] = (a + c) * scale;
      block[i + 1] = (b + d) * scale;
      block[i + 2] = (a - c) * scale;
      block[i + 3] = (b - d) * scale;
    }
    std::size_t half = 4;
    for (; 2 * half < block_; half *= 4) {
      for (std::size_t i = 0; i < block_; i += 4 * half) AddAndSubtractTwice(block + i, half);
    }
    if (half < block_) AddAndSubtract(block, half);
  }
}

std::vector<double> PrincipalDirections(const Matrix& matrix) {
  const std::size_t dimension = matrix.dimension();
  if (dimension < 64) return {};
  std::vector<double> sample;
  const std::size_t stride = std::max<std::size_t>(matrix.rows() / kSampleRows, 1);
  for (std::size_t row = 0; row < matrix.rows() && sample.size() < kSampleRows * dimension;
       row += stride) {
    if (matrix.norm(row) == 0) continue;
    const float* x = matrix.values() + row * dimension;
    for (std::size_t d = 0; d < dimension; ++d) sample.push_back(x[d] / matrix.norm(row));
  }
  const std::size_t count = sample.size() / dimension;
  if (count < kMaxDirections) return {};
  Generator generator(1);
  std::vector<double> basis(kMaxDirections * dimension);
  for (double& value : basis) value = static_cast<double>(generator.Next() >> 11) * 0x1p-53 - 0.5;
  double share = 0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    Orthonormalise(basis, dimension);
    std::vector<double> next(basis.size());
    share = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double* x = sample.data() + i * dimension;
      for (std::size_t direction = 0; direction < kMaxDirections; ++direction) {
        const double along = Dot(basis.data() + direction * dimension, x, dimension);
        share += along * along / static_cast<double>(count);
        AddScaled(next.data() + direction * dimension, along, x, dimension);
      }
    }
    basis.swap(next);
  }
  if (share < kWorthwhileShare) return {};
  Orthonormalise(basis, dimension);
  return basis;
}

void SplitDirections(const std::vector<double>& basis, std::size_t dimension, double* x,
                     double* along) noexcept {
  const std::size_t count = basis.size() / dimension;
  if (count == 0) return;
  along[0] = Dot(basis.data(), x, dimension);
  for (std::size_t i = 1; i < count; ++i) {
    const double* direction = basis.data() + i * dimension;
    along[i] = AddScaledAndDot(x, -along[i - 1], direction - dimension, direction, dimension);
  }
  AddScaled(x, -along[count - 1], basis.data() + (count - 1) * dimension, dimension);
}

}  // namespace synoptic
