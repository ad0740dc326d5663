#include "collection.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "block_job.h"
#include "error.h"

namespace synoptic {
namespace {

// A multiple of 64, so that blocks share no word of the validity bits; about a megabyte.
constexpr std::size_t kRowsPerBlock = 512;

// Answers of 2^27 hits take more than a gigabyte.
constexpr std::size_t kMaxHits = std::size_t{1} << 27;

}  // namespace

void Collection::Open(ThreadPool& pool, const Kernels& kernels, std::vector<std::string> paths,
                      Opened opened) {
  const std::shared_ptr<Collection> collection(new Collection(kernels));
  BlockJob::Steps steps;
  steps.prepare = [collection, paths = std::move(paths)] {
    collection->OpenFiles(paths);
    return (collection->rows() + kRowsPerBlock - 1) / kRowsPerBlock * collection->matrices_.size();
  };
  steps.run = [collection](std::size_t block) {
    Matrix& matrix = collection->matrices_[block % collection->matrices_.size()];
    const std::size_t first = block / collection->matrices_.size() * kRowsPerBlock;
    matrix.MeasureRows(collection->kernels_, first, std::min(kRowsPerBlock, matrix.rows() - first));
  };
  steps.complete = [collection] {
    for (const Matrix& matrix : collection->matrices_) matrix.file().CheckUnchanged();
  };
  steps.settle = [collection, opened = std::move(opened)](std::exception_ptr error) {
    opened(error, error == nullptr ? collection : nullptr);
  };
  BlockJob::Start(pool, std::move(steps));
}

void Collection::OpenFiles(const std::vector<std::string>& paths) {
  if (paths.empty() || paths.size() > kMaxColumns) {
    throw Error("EARGUMENT", "expected 1 to " + std::to_string(kMaxColumns) +
                                 " columns, received " + std::to_string(paths.size()));
  }
  for (const std::string& path : paths) {
    Matrix matrix = Matrix::Open(path);
    if (!matrices_.empty() && matrix.dimension() != dimension()) {
      throw Error(
          "EDIM_MISMATCH", path,
          std::to_string(dimension()) + " dimensions as in " + matrices_.front().file().path(),
          std::to_string(matrix.dimension()));
    }
    if (!matrices_.empty() && matrix.rows() != rows()) {
      throw Error("EROWS_MISMATCH", path,
                  std::to_string(rows()) + " rows as in " + matrices_.front().file().path(),
                  std::to_string(matrix.rows()));
    }
    matrices_.push_back(std::move(matrix));
  }
}

std::size_t Collection::CountValidRows() const {
  std::size_t count = 0;
  for (std::size_t word = 0; word < matrices_.front().valid_words().size(); ++word) {
    std::uint64_t any = 0;
    for (const Matrix& matrix : matrices_) any |= matrix.valid_words()[word];
    count += static_cast<std::size_t>(std::popcount(any));
  }
  return count;
}

std::size_t Collection::mapped_bytes() const {
  std::size_t bytes = 0;
  for (const Matrix& matrix : matrices_) bytes += matrix.file().size();
  return bytes;
}

std::size_t Collection::heap_bytes() const {
  return matrices_.size() * (rows() * sizeof(double) + (rows() + 63) / 64 * sizeof(std::uint64_t));
}

void Collection::CheckArguments(const SearchArguments& arguments) const {
  const auto refuse = [](const std::string& what, const std::string& expected, std::size_t found) {
    throw Error("EARGUMENT",
                what + ": expected " + expected + ", received " + std::to_string(found));
  };
  const std::size_t count = arguments.query_count;
  if (arguments.queries.size() / dimension() != count ||
      arguments.queries.size() % dimension() != 0) {
    refuse("queries", std::to_string(count) + " x " + std::to_string(dimension()) + " values",
           arguments.queries.size());
  }
  if (count > 0 && arguments.k > kMaxHits / count) {
    refuse("k", "at most " + std::to_string(kMaxHits / count) + " for this many queries",
           arguments.k);
  }
  if (!arguments.mask_words.empty() && arguments.mask_words.size() != (rows() + 63) / 64) {
    refuse("mask", std::to_string((rows() + 63) / 64) + " words", arguments.mask_words.size());
  }
  for (std::size_t i = 0; i < arguments.columns.size(); ++i) {
    const std::uint16_t column = arguments.columns[i];
    if (column >= matrices_.size()) {
      refuse("columns", "positions below " + std::to_string(matrices_.size()), column);
    }
    if (i > 0 && column <= arguments.columns[i - 1]) {
      refuse("columns", "ascending positions, each once", column);
    }
  }
}

}  // namespace synoptic
