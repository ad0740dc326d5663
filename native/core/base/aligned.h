// Vectors whose elements start at a cache line, for kernels that load whole registers.

#ifndef SYNOPTIC_BASE_ALIGNED_H_
#define SYNOPTIC_BASE_ALIGNED_H_

#include <cstddef>
#include <new>
#include <vector>

namespace synoptic {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) noexcept {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), kLine));
  }
  void deallocate(T* memory, std::size_t) noexcept { ::operator delete(memory, kLine); }
  template <class Other>
  bool operator==(const LineAllocator<Other>&) const noexcept {
    return true;
  }
};

template <class T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_ALIGNED_H_
