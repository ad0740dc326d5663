#include <windows.h>

#include "base/shared_library.h"

namespace synoptic {

void* OpenLibrary(const std::string& path, std::string& reason) {
  HMODULE library = LoadLibraryA(path.c_str());
  if (library == nullptr) reason = path + ": error " + std::to_string(GetLastError());
  return reinterpret_cast<void*>(library);
}

void* FindSymbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(reinterpret_cast<HMODULE>(library), name));
}

std::string OwnFolder() {
  HMODULE self = nullptr;
  constexpr DWORD kFlags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  char file[MAX_PATH] = {};
  if (GetModuleHandleExA(kFlags, reinterpret_cast<const char*>(&OwnFolder), &self) == 0 ||
      GetModuleFileNameA(self, file, sizeof(file)) == 0) {
    return "";
  }
  const std::string path = file;
  return path.substr(0, path.rfind('\\') + 1);
}

std::string LibraryFileName(const std::string& name) { return name + ".dll"; }

}  // namespace synoptic
