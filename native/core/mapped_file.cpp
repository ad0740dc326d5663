#include "mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "bus_guard.h"
#include "error.h"

namespace synoptic {
namespace {

std::int64_t ModifiedNs(const struct stat& status) {
#ifdef __APPLE__
  const struct timespec& time = status.st_mtimespec;
#else
  const struct timespec& time = status.st_mtim;
#endif
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

MappedFile MappedFile::Open(const std::string& path) {
  MappedFile file;
  file.path_ = path;
  file.descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) {
    throw Error("EFILE_OPEN", path, "a file that can be read", std::strerror(errno));
  }
  struct stat status = {};
  if (fstat(file.descriptor_, &status) != 0) {
    throw Error("EFILE_OPEN", path, "a file that can be read", std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error("EFILE_OPEN", path, "a regular file", "something else, such as a folder");
  }
  file.size_ = static_cast<std::size_t>(status.st_size);
  file.modified_ns_ = ModifiedNs(status);
  if (file.size_ == 0) return file;
  void* data = mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, file.descriptor_, 0);
  if (data == MAP_FAILED) {
    throw Error("EFILE_OPEN", path, "a file that can be mapped", std::strerror(errno));
  }
  file.data_ = static_cast<const std::uint8_t*>(data);
  // Whole pages, because the handler replaces whole pages.
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  file.region_ = GuardRange(data, (file.size_ + page - 1) / page * page);
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  Release();
  path_ = std::move(other.path_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  size_ = std::exchange(other.size_, 0);
  modified_ns_ = other.modified_ns_;
  data_ = std::exchange(other.data_, nullptr);
  region_ = std::exchange(other.region_, nullptr);
  return *this;
}

MappedFile::~MappedFile() { Release(); }

void MappedFile::Release() noexcept {
  if (region_ != nullptr) ReleaseRange(region_);
  if (data_ != nullptr) munmap(const_cast<std::uint8_t*>(data_), size_);
  if (descriptor_ >= 0) close(descriptor_);
  region_ = nullptr;
  data_ = nullptr;
  descriptor_ = -1;
}

void MappedFile::CheckUnchanged() const {
  const std::string expected = "the " + std::to_string(size_) + " bytes it was opened with";
  struct stat status = {};
  if (fstat(descriptor_, &status) != 0) {
    throw Error("EFILE_CHANGED", path_, expected, std::strerror(errno));
  }
  if (static_cast<std::size_t>(status.st_size) != size_) {
    throw Error("EFILE_CHANGED", path_, expected, std::to_string(status.st_size) + " bytes");
  }
  if (ModifiedNs(status) != modified_ns_ || (region_ != nullptr && RangeWasLost(region_))) {
    throw Error("EFILE_CHANGED", path_, expected, "a file that was written to since");
  }
}

}  // namespace synoptic
