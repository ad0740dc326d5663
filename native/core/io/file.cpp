#include "io/file.h"

#include <utility>

namespace synoptic {

File::File(File&& other) noexcept : handle_(std::exchange(other.handle_, kClosed)) {}

File& File::operator=(File&& other) noexcept {
  if (this == &other) return *this;
  Close();
  handle_ = std::exchange(other.handle_, kClosed);
  return *this;
}

std::filesystem::path NativePath(const std::string& path) {
  return std::u8string(path.begin(), path.end());
}

}  // namespace synoptic
