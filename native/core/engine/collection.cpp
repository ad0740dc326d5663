#include "engine/collection.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "threads/block_job.h"

namespace synoptic {
namespace {

// A multiple of 64, so that blocks share no word of the validity bits; about a megabyte.
constexpr std::size_t kRowsPerBlock = 512;

// Results of 2^27 hits take more than a gigabyte.
constexpr std::size_t kMaxHits = std::size_t{1} << 27;

std::uint64_t NextId() {
  static std::atomic<std::uint64_t> next{0};
  return next++;
}

}  // namespace

Collection::Collection(const Kernels& kernels) : id_(NextId()), kernels_(kernels) {}

void Collection::Open(ThreadPool& pool, const Kernels& kernels, std::vector<std::string> paths,
                      Opened opened, std::vector<BlockHashes> hashes) {
  const std::shared_ptr<Collection> collection(new Collection(kernels));
  // Each piece of work is a block of a file to check by its hash, a range of rows to measure, or a
  // part of a column's codes to check.
  enum class Work { kHash, kMeasure, kCodes };
  struct Piece {
    std::size_t column;
    std::size_t index;
    Work work;
  };
  const auto pieces = std::make_shared<std::vector<Piece>>();
  BlockJob::Steps steps;
  steps.prepare = [collection, pieces, paths = std::move(paths), hashes = std::move(hashes)] {
    collection->OpenFiles(paths, hashes);
    for (std::size_t column = 0; column < paths.size(); ++column) {
      const QuantizedCodes* codes = collection->codes(column);
      const std::size_t checks = codes == nullptr ? 0 : codes->check_count();
      const std::size_t ranges = (collection->rows() + kRowsPerBlock - 1) / kRowsPerBlock;
      const std::size_t blocks = collection->hashes_[column].hashes.size();
      for (std::size_t i = 0; i < blocks; ++i) pieces->push_back({column, i, Work::kHash});
      for (std::size_t i = 0; i < ranges; ++i) pieces->push_back({column, i, Work::kMeasure});
      for (std::size_t i = 0; i < checks; ++i) pieces->push_back({column, i, Work::kCodes});
    }
    return pieces->size();
  };
  steps.run = [collection, pieces](std::size_t block) {
    const Piece piece = (*pieces)[block];
    if (piece.work == Work::kCodes) return collection->CheckCodes(piece.column, piece.index);
    Matrix& matrix = collection->matrices_[piece.column];
    if (piece.work == Work::kHash) {
      return collection->hashes_[piece.column].Check(matrix.file(), piece.index);
    }
    const std::size_t first = piece.index * kRowsPerBlock;
    matrix.MeasureRows(collection->kernels_, first, std::min(kRowsPerBlock, matrix.rows() - first));
  };
  steps.complete = [collection] {
    for (const Matrix& matrix : collection->matrices_) matrix.file().CheckUnchanged();
    collection->DropRefusedCodes();
  };
  steps.settle = [collection, opened = std::move(opened)](std::exception_ptr error) {
    opened(error, error == nullptr ? collection : nullptr);
  };
  BlockJob::Start(pool, std::move(steps));
}

void Collection::OpenFiles(const std::vector<std::string>& paths, std::vector<BlockHashes> hashes) {
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
  hashes.resize(matrices_.size());
  hashes_ = std::move(hashes);
  for (std::size_t column = 0; column < matrices_.size(); ++column) {
    hashes_[column].bytes = matrices_[column].file().size();
    if (!hashes_[column].hashes.empty()) hashes_[column].CheckShape(matrices_[column].file());
  }
  codes_.resize(matrices_.size());
  refusals_.resize(matrices_.size());
  for (std::size_t column = 0; column < matrices_.size(); ++column) OpenCodes(column);
}

// Quantized codes only make searches faster: where they are refused, float32 is read.
void Collection::OpenCodes(std::size_t column) {
  const std::string& path = matrices_[column].file().path();
  for (const std::size_t bits : {std::size_t{4}, std::size_t{8}}) {
    if (!std::filesystem::exists(NativePath(CodesPath(path, bits)))) continue;
    try {
      codes_[column].emplace(QuantizedCodes::Open(matrices_[column], bits));
      return;
    } catch (const Error& error) {
      refusals_[column].emplace(error);
    }
  }
}

void Collection::CheckCodes(std::size_t column, std::size_t piece) {
  try {
    codes_[column]->Check(matrices_[column], piece);
  } catch (const Error& error) {
    const std::lock_guard lock(refusals_mutex_);
    if (!refusals_[column]) refusals_[column].emplace(error);
  }
}

void Collection::DropRefusedCodes() {
  for (std::size_t column = 0; column < matrices_.size(); ++column) {
    if (!codes_[column]) continue;
    if (refusals_[column]) {
      codes_[column].reset();
      continue;
    }
    try {
      codes_[column]->file().CheckUnchanged();
    } catch (const Error& error) {
      refusals_[column].emplace(error);
      codes_[column].reset();
    }
  }
}

std::vector<PacedCheck> Collection::Checks(const std::shared_ptr<const Collection>& collection) {
  std::vector<PacedCheck> checks;
  for (std::size_t column = 0; column < collection->matrices_.size(); ++column) {
    const BlockHashes& hashes = collection->hashes_[column];
    for (std::size_t block = 0; block < hashes.hashes.size(); ++block) {
      checks.push_back({hashes.SizeOf(block), [collection, column, block] {
                          collection->hashes_[column].Check(collection->matrices_[column].file(),
                                                            block);
                        }});
    }
    const QuantizedCodes* codes = collection->codes(column);
    if (codes == nullptr) continue;
    // The pieces before are of the matrix.
    for (std::size_t piece = codes->matrix_check_count(); piece < codes->check_count(); ++piece) {
      checks.push_back({codes->checked_bytes(piece), [collection, column, piece] {
                          collection->codes(column)->Check(collection->matrices_[column], piece);
                        }});
    }
  }
  return checks;
}

void Collection::CheckUnchanged() const {
  for (std::size_t column = 0; column < matrices_.size(); ++column) {
    matrices_[column].file().CheckUnchanged();
    if (codes_[column]) codes_[column]->file().CheckUnchanged();
  }
}

std::vector<std::uint64_t> Collection::ValidRows() const {
  std::vector<std::uint64_t> words(matrices_.front().valid_words().size());
  for (const Matrix& matrix : matrices_) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      words[word] |= matrix.valid_words()[word];
    }
  }
  return words;
}

std::size_t Collection::CountValidRows() const {
  std::size_t count = 0;
  for (const std::uint64_t word : ValidRows())
    count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::vector<float> Collection::Vectors(std::size_t row) const {
  std::vector<float> vectors(matrices_.size() * dimension());
  for (std::size_t column = 0; column < matrices_.size(); ++column) {
    const Matrix& matrix = matrices_[column];
    if ((matrix.valid_words()[row / 64] >> (row % 64) & 1) == 0) continue;
    std::copy_n(matrix.values() + row * dimension(), dimension(),
                vectors.data() + column * dimension());
    matrix.file().CheckUnchanged();
  }
  return vectors;
}

std::size_t Collection::mapped_bytes() const {
  std::size_t bytes = 0;
  for (std::size_t column = 0; column < matrices_.size(); ++column) {
    bytes += matrices_[column].file().size();
    if (codes_[column]) bytes += codes_[column]->file().size();
  }
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
