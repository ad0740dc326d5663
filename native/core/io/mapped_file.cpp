#include "io/mapped_file.h"

#include <system_error>
#include <utility>

#include "base/error.h"
#include "io/read_guard.h"

namespace synoptic {

MappedFile MappedFile::Open(const std::string& path) {
  MappedFile mapped;
  mapped.path_ = path;
  try {
    mapped.file_ = File::OpenToRead(path);
    mapped.state_ = mapped.file_.State();
    if (!mapped.state_.is_regular) {
      throw Error("EFILE_OPEN", path, "a regular file", "something else, such as a folder");
    }
    if (mapped.size() > 0) mapped.data_ = mapped.file_.Map(mapped.size());
  } catch (const std::system_error& error) {
    throw Error("EFILE_OPEN", path, "a file that can be read and mapped", error.code().message());
  }
  if (mapped.data_ != nullptr) mapped.range_ = GuardRange(mapped.data_, mapped.size());
  return mapped;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  Release();
  path_ = std::move(other.path_);
  file_ = std::move(other.file_);
  state_ = std::exchange(other.state_, {});
  data_ = std::exchange(other.data_, nullptr);
  range_ = std::exchange(other.range_, nullptr);
  return *this;
}

MappedFile::~MappedFile() { Release(); }

void MappedFile::Release() noexcept {
  if (range_ != nullptr) ReleaseRange(range_);
  if (data_ != nullptr) File::Unmap(data_, size());
  range_ = nullptr;
  data_ = nullptr;
}

void MappedFile::CheckUnchanged() const {
  const auto refuse = [&](const std::string& found) {
    throw Error("EFILE_CHANGED", path_,
                "the " + std::to_string(size()) + " bytes it was opened with", found);
  };
  FileState now = {};
  try {
    now = file_.State();
  } catch (const std::system_error& error) {
    refuse(error.code().message());
  }
  if (now.size != size()) refuse(std::to_string(now.size) + " bytes");
  if (now.modified != state_.modified || (range_ != nullptr && RangeWasLost(range_))) {
    refuse("a file that was written to since");
  }
}

}  // namespace synoptic
