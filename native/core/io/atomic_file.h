// A file that exists under another name until it is whole; what was written is removed otherwise.

#ifndef SYNOPTIC_IO_ATOMIC_FILE_H_
#define SYNOPTIC_IO_ATOMIC_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "io/file.h"

namespace synoptic {

// It is written in whole pieces as large as huge pages: that leaves such in the page cache of file
// systems that have them, whatever the size of the parts. What fails throws Error ECODES_WRITE.
class AtomicFile {
 public:
  AtomicFile(const std::string& path, std::size_t size);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  // Takes one part in, in any order; may be called by several threads at once. Parts stay in memory
  // until their pieces are whole.
  void Write(const void* data, std::size_t size, std::size_t offset);

  // Every byte was written: gives the file its name.
  void Commit();

 private:
  struct Piece {
    std::vector<std::uint8_t> bytes;
    std::size_t filled = 0;
  };

  // Returns the bytes of the piece where they are whole now, else nothing.
  std::vector<std::uint8_t> Fill(std::size_t index, const std::uint8_t* data, std::size_t size,
                                 std::size_t offset);
  template <class Work>
  void Attempt(const Work& work) const;

  const std::string path_;
  const std::string temporary_path_;
  const std::size_t size_;
  File file_;
  bool is_committed_ = false;
  std::mutex mutex_;
  std::map<std::size_t, Piece> pieces_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_IO_ATOMIC_FILE_H_
