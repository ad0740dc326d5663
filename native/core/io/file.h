// What the core needs of the file system, in file_posix.cpp and file_windows.cpp. Paths are UTF-8
// everywhere; what fails throws std::system_error.

#ifndef SYNOPTIC_IO_FILE_H_
#define SYNOPTIC_IO_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace synoptic {

struct FileState {
  std::size_t size;
  // In the file system's own ticks: to be compared, not to be read.
  std::int64_t modified;
  bool is_regular;
};

// Owns an open file; move only.
class File {
 public:
  static File OpenToRead(const std::string& path);
  // Empties a file that is there.
  static File OpenToWrite(const std::string& path);

  File() = default;
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File() { Close(); }

  void Close() noexcept;
  FileState State() const;

  // The first `size` bytes, at least one, for reading; they stay mapped until Unmap.
  const std::uint8_t* Map(std::size_t size) const;
  static void Unmap(const std::uint8_t* data, std::size_t size) noexcept;

  // May be called by several threads at once.
  void WriteAt(std::size_t offset, const void* data, std::size_t size);
  // Returns when everything that was written is on disk.
  void Sync();

 private:
  static constexpr std::intptr_t kClosed = -1;
  explicit File(std::intptr_t handle) : handle_(handle) {}

  // A descriptor or a HANDLE; both have -1 for none.
  std::intptr_t handle_ = kClosed;
};

// Puts `from` in the place of `to`, on disk when it returns.
void RenameOver(const std::string& from, const std::string& to);

std::filesystem::path NativePath(const std::string& path);

std::uint32_t ProcessId();

}  // namespace synoptic

#endif  // SYNOPTIC_IO_FILE_H_
