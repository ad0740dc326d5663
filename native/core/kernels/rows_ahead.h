// Which rows of a list a kernel fetches while it works on one: hardware prefetchers stop at pages,
// and know no lists.

#ifndef SYNOPTIC_KERNELS_ROWS_AHEAD_H_
#define SYNOPTIC_KERNELS_ROWS_AHEAD_H_

#include <cstddef>

#include "base/compiler.h"

namespace synoptic {

// Bytes between what is worked on and what is fetched, into the first cache and into the second,
// which can wait for more lines at a time.
constexpr std::size_t kSoonBytes = 4096, kLaterBytes = 12288;

class RowsAhead {
 public:
  explicit SYNOPTIC_INLINE RowsAhead(std::size_t dimension) noexcept
      : soon_(kSoonBytes / (dimension * sizeof(float)) + 1),
        later_(kLaterBytes / (dimension * sizeof(float)) + 1) {}

  // A place in a list of `count`: `i` itself, where the list ends before.
  SYNOPTIC_INLINE std::size_t Soon(std::size_t i, std::size_t count) const noexcept {
    return i + soon_ < count ? i + soon_ : i;
  }
  SYNOPTIC_INLINE std::size_t Later(std::size_t i, std::size_t count) const noexcept {
    return i + later_ < count ? i + later_ : i;
  }

 private:
  std::size_t soon_;
  std::size_t later_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_KERNELS_ROWS_AHEAD_H_
