// Libraries that are found at run time.

#ifndef SYNOPTIC_BASE_SHARED_LIBRARY_H_
#define SYNOPTIC_BASE_SHARED_LIBRARY_H_

#include <string>

namespace synoptic {

// Null where it cannot be loaded, with the reason; never unloaded.
void* OpenLibrary(const std::string& path, std::string& reason);

// Null where the library has no such symbol.
void* FindSymbol(void* library, const char* name);

// The folder of the file that holds this code, with a separator at its end; empty where the system
// does not say.
std::string OwnFolder();

// As the system names a library.
std::string LibraryFileName(const std::string& name);

}  // namespace synoptic

#endif  // SYNOPTIC_BASE_SHARED_LIBRARY_H_
