#include <dlfcn.h>

#include "base/shared_library.h"

namespace synoptic {

void* OpenLibrary(const std::string& path, std::string& reason) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* error = dlerror();
    reason = error == nullptr ? path : error;
  }
  return library;
}

void* FindSymbol(void* library, const char* name) { return dlsym(library, name); }

std::string OwnFolder() {
  Dl_info self = {};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &self) == 0) return "";
  const std::string file = self.dli_fname;
  return file.substr(0, file.rfind('/') + 1);
}

std::string LibraryFileName(const std::string& name) { return "lib" + name + ".so"; }

}  // namespace synoptic
