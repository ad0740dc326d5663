// A file mapped read only. Reading a mapping beyond the end of a file that somebody shortened
// raises SIGBUS; a handler installed with the first mapping then slides zero pages underneath, so
// that the reader goes on, and marks the mapping as lost. Whoever read from a mapping asks
// CheckUnchanged() before using what it computed: a file that shrank or was written to is an error
// of that request.

#ifndef SYNOPTIC_CORE_MAPPED_FILE_H_
#define SYNOPTIC_CORE_MAPPED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace synoptic {

struct GuardedRange;

// Owns the descriptor and the mapping; move only.
class MappedFile {
 public:
  // Throws Error EFILE_OPEN.
  static MappedFile Open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  const std::string& path() const { return path_; }
  const std::uint8_t* data() const { return data_; }
  std::size_t size() const { return size_; }

  // Throws Error EFILE_CHANGED when the file is not the one that was opened any more.
  void CheckUnchanged() const;

 private:
  MappedFile() = default;
  void Release() noexcept;

  std::string path_;
  int descriptor_ = -1;
  std::size_t size_ = 0;
  std::int64_t modified_ns_ = 0;
  const std::uint8_t* data_ = nullptr;
  GuardedRange* region_ = nullptr;
};

}  // namespace synoptic

#endif  // SYNOPTIC_CORE_MAPPED_FILE_H_
