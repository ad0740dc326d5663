// The matrices of one collection: one a column, equal in rows and dimension.

#ifndef SYNOPTIC_CORE_COLLECTION_H_
#define SYNOPTIC_CORE_COLLECTION_H_

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels.h"
#include "matrix.h"
#include "search.h"
#include "thread_pool.h"

namespace synoptic {

// Answers number columns in 16 bits; the last number means "none".
constexpr std::size_t kMaxColumns = 0xFFFF;

// Immutable while it is searched; searches hold a shared reference.
class Collection {
 public:
  using Opened = std::function<void(std::exception_ptr, std::shared_ptr<Collection>)>;

  // Validates all files and measures all rows on the pool's threads; `opened` is called on one of
  // them.
  static void Open(ThreadPool& pool, const Kernels& kernels, std::vector<std::string> paths,
                   Opened opened);

  std::size_t rows() const { return matrices_.front().rows(); }
  std::size_t dimension() const { return matrices_.front().dimension(); }
  const std::vector<Matrix>& matrices() const { return matrices_; }
  const Kernels& kernels() const { return kernels_; }

  // Rows that are valid in at least one column.
  std::size_t CountValidRows() const;
  std::size_t mapped_bytes() const;
  // Memory of our own beside the mappings.
  std::size_t heap_bytes() const;

  // Throws Error EARGUMENT when `arguments` do not fit this collection.
  void CheckArguments(const SearchArguments& arguments) const;

 private:
  explicit Collection(const Kernels& kernels) : kernels_(kernels) {}
  void OpenFiles(const std::vector<std::string>& paths);

  const Kernels& kernels_;
  std::vector<Matrix> matrices_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_COLLECTION_H_
