// The matrices of one collection: one a column, equal in rows and dimension.

#ifndef SYNOPTIC_ENGINE_COLLECTION_H_
#define SYNOPTIC_ENGINE_COLLECTION_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/search.h"
#include "io/block_hashes.h"
#include "kernels/kernels.h"
#include "quantized/quantized_codes.h"
#include "store/matrix.h"
#include "threads/paced_checks.h"
#include "threads/thread_pool.h"

namespace synoptic {

// Results number columns in 16 bits; the last number means "none".
constexpr std::size_t kMaxColumns = 0xFFFF;

// Immutable while it is searched; searches hold a shared reference.
class Collection {
 public:
  using Opened = std::function<void(std::exception_ptr, std::shared_ptr<Collection>)>;

  // Validates all files and measures all rows on the pool's threads; `opened` is called on one of
  // them.
  // `hashes`: of the files' blocks, as they were written, one a path or none at all; a file whose
  // hashes are empty is taken as it is.
  static void Open(ThreadPool& pool, const Kernels& kernels, std::vector<std::string> paths,
                   Opened opened, std::vector<BlockHashes> hashes = {});

  // No other collection of this process has had it, as it may have had the address.
  std::uint64_t id() const { return id_; }
  std::size_t rows() const { return matrices_.front().rows(); }
  std::size_t dimension() const { return matrices_.front().dimension(); }
  const std::vector<Matrix>& matrices() const { return matrices_; }
  const Kernels& kernels() const { return kernels_; }

  // The column's codes, or null when it has none or they were refused.
  const QuantizedCodes* codes(std::size_t column) const {
    return codes_[column] ? &*codes_[column] : nullptr;
  }
  // Why a column's codes were refused; null when they were not.
  const Error* codes_refusal(std::size_t column) const {
    return refusals_[column] ? &*refusals_[column] : nullptr;
  }

  // Rows that are valid in at least one column: 64 rows a word, least significant bit first.
  std::vector<std::uint64_t> ValidRows() const;
  std::size_t CountValidRows() const;
  // The row's vectors, one a column, zeros where one is not valid. Throws Error EFILE_CHANGED.
  std::vector<float> Vectors(std::size_t row) const;
  std::size_t mapped_bytes() const;
  // Memory on the heap, in addition to the mappings.
  std::size_t heap_bytes() const;

  // What can be checked of the files while they are searched: matrices by the hashes that they were
  // opened with, codes by their own. They throw Error EFILE_DAMAGED and ECODES_CORRUPT.
  static std::vector<PacedCheck> Checks(const std::shared_ptr<const Collection>& collection);

  // Throws Error EFILE_CHANGED when a file that a search may have read is not what it was.
  void CheckUnchanged() const;

  // Throws Error EARGUMENT when `arguments` do not fit this collection.
  void CheckArguments(const SearchArguments& arguments) const;

 private:
  explicit Collection(const Kernels& kernels);
  void OpenFiles(const std::vector<std::string>& paths, std::vector<BlockHashes> hashes);
  void OpenCodes(std::size_t column);
  void CheckCodes(std::size_t column, std::size_t piece);
  void DropRefusedCodes();

  const std::uint64_t id_;
  const Kernels& kernels_;
  std::vector<Matrix> matrices_;
  // One a matrix.
  std::vector<BlockHashes> hashes_;
  std::vector<std::optional<QuantizedCodes>> codes_;
  std::mutex refusals_mutex_;
  std::vector<std::optional<Error>> refusals_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ENGINE_COLLECTION_H_
