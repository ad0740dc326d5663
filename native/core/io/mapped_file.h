// A file mapped read only. A file that somebody shortens meanwhile reads as zeros from there on
// (read_guard.h). Call CheckUnchanged() after reading from a mapping and before using the result:
// a file that shrank or was written to is an error of that request.

#ifndef SYNOPTIC_IO_MAPPED_FILE_H_
#define SYNOPTIC_IO_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "io/file.h"

namespace synoptic {

struct GuardedRange;

// Owns the open file and the mapping; move only.
class MappedFile {
 public:
  // Throws Error EFILE_OPEN.
  static MappedFile Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return state_.size; }

  // Throws Error EFILE_CHANGED when the file is not the one that was opened any more.
  void CheckUnchanged() const;

 private:
  MappedFile() = default;
  void Release() noexcept;

  std::string path_;
  File file_;
  FileState state_ = {};
  const std::uint8_t* data_ = nullptr;
  GuardedRange* range_ = nullptr;
};

}  // namespace synoptic

#endif  // SYNOPTIC_IO_MAPPED_FILE_H_
