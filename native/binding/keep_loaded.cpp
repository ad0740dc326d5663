#include "keep_loaded.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace synoptic {

void KeepLoaded() noexcept {
  const auto here = reinterpret_cast<const char*>(&KeepLoaded);
#ifdef _WIN32
  HMODULE library = nullptr;
  GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN, here,
                     &library);
#else
  Dl_info library;
  if (dladdr(here, &library) == 0) return;
  dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
}

}  // namespace synoptic
