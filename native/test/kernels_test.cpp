// Every table of kernels that is linked in and that this machine can run, bit for bit against the
// scalar ones.

#include "kernels/kernels.h"

#include <bit>
#include <numeric>

#include "fixtures.h"
#include "harness.h"
#include "kernel_tables.h"

namespace synoptic {
namespace {

constexpr std::size_t kDimensions[] = {1, 2, 15, 16, 17, 31, 63, 64, 65, 127, 383, 384, 1040, 4096};
constexpr std::size_t kRowCounts[] = {0, 1, 2, 3, 15, 16, 17, 129};

std::vector<double> Widen(const float* values, std::size_t dimension) {
  std::vector<double> widened((dimension + kLanes - 1) / kLanes * kLanes);
  std::copy(values, values + dimension, widened.begin());
  return widened;
}

void CheckSameBits(const std::vector<double>& actual, const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    // Sums of invalid rows are never used: any NaN will do.
    if (std::isnan(expected[i]) && std::isnan(actual[i])) continue;
    CHECK_EQUAL(std::bit_cast<std::uint64_t>(actual[i]), std::bit_cast<std::uint64_t>(expected[i]));
  }
}

TEST(DotAndSquareAgreeWithScalar) {
  for (const Kernels* kernels : test::RunnableTables()) {
    for (const std::size_t dimension : kDimensions) {
      for (const std::size_t count : kRowCounts) {
        const auto values = test::AdversarialValues(count, dimension, 7);
        const auto query = Widen(test::RandomValues(dimension, 8).data(), dimension);
        std::vector<std::uint32_t> rows(count);
        std::iota(rows.rbegin(), rows.rend(), 0);  // any order is allowed
        std::vector<double> expected(count), actual(count);
        kScalarKernels.dot_rows(query.data(), values.data(), dimension, rows.data(), count,
                                expected.data());
        kernels->dot_rows(query.data(), values.data(), dimension, rows.data(), count,
                          actual.data());
        CheckSameBits(actual, expected);
        kScalarKernels.square_rows(values.data(), dimension, 0, count, expected.data());
        kernels->square_rows(values.data(), dimension, 0, count, actual.data());
        CheckSameBits(actual, expected);
      }
    }
  }
}

TEST(ScalarAddsTheLanesAsATree) {
  // 2^53 + 1 rounds to 2^53: only the order that the contract fixes gives this sum.
  std::vector<float> row(32, 0);
  row[0] = 0x1p53f;
  row[1] = 1;
  row[9] = 1;
  row[16] = -0x1p53f;
  const std::vector<double> ones(32, 1);
  const std::uint32_t first = 0;
  double sum = 0;
  kScalarKernels.dot_rows(ones.data(), row.data(), 32, &first, 1, &sum);
  CHECK_EQUAL(sum, 2.0);
  row[16] = 0;
  row[8] = -0x1p53f;
  kScalarKernels.dot_rows(ones.data(), row.data(), 32, &first, 1, &sum);
  CHECK_EQUAL(sum, 2.0);
  row[8] = 0;
  row[4] = -0x1p53f;
  row[5] = 1;
  kScalarKernels.dot_rows(ones.data(), row.data(), 32, &first, 1, &sum);
  CHECK_EQUAL(sum, 3.0);
}

}  // namespace
}  // namespace synoptic
