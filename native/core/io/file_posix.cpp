#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "io/file.h"

namespace synoptic {
namespace {

[[noreturn]] void Fail() { throw std::system_error(errno, std::generic_category()); }

int Descriptor(std::intptr_t handle) { return static_cast<int>(handle); }

}  // namespace

File File::OpenToRead(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) Fail();
  return File(descriptor);
}

File File::OpenToWrite(const std::string& path) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) Fail();
  return File(descriptor);
}

void File::Close() noexcept {
  if (handle_ != kClosed) close(Descriptor(handle_));
  handle_ = kClosed;
}

FileState File::State() const {
  struct stat status = {};
  if (fstat(Descriptor(handle_), &status) != 0) Fail();
#ifdef __APPLE__
  const struct timespec& time = status.st_mtimespec;
#else
  const struct timespec& time = status.st_mtim;
#endif
  return {static_cast<std::size_t>(status.st_size),
          static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec,
          S_ISREG(status.st_mode)};
}

const std::uint8_t* File::Map(std::size_t size) const {
  void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, Descriptor(handle_), 0);
  if (data == MAP_FAILED) Fail();
  return static_cast<const std::uint8_t*>(data);
}

void File::Unmap(const std::uint8_t* data, std::size_t size) noexcept {
  munmap(const_cast<std::uint8_t*>(data), size);
}

void File::WriteAt(std::size_t offset, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = pwrite(Descriptor(handle_), bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) Fail();
    bytes += written;
    offset += static_cast<std::size_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void File::Sync() {
  if (fsync(Descriptor(handle_)) != 0) Fail();
}

void RenameOver(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) Fail();
  const std::string folder = std::filesystem::path(to).parent_path().string();
  const int parent = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (parent < 0) return;
  fsync(parent);
  close(parent);
}

std::uint32_t ProcessId() { return static_cast<std::uint32_t>(getpid()); }

}  // namespace synoptic
