#include "base/free_memory.h"

// Any header of the library says whose it is.
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace synoptic {

void ReturnFreeMemory() noexcept {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace synoptic
