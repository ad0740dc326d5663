#include "io/atomic_file.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace synoptic {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{2} << 20;

}  // namespace

template <class Work>
void AtomicFile::Attempt(const Work& work) const {
  try {
    work();
  } catch (const std::system_error& error) {
    throw Error("ECODES_WRITE", temporary_path_, "a file that can be written",
                error.code().message());
  }
}

AtomicFile::AtomicFile(const std::string& path, std::size_t size)
    : path_(path), temporary_path_(path + ".aside-" + std::to_string(ProcessId())), size_(size) {
  Attempt([&] { file_ = File::OpenToWrite(temporary_path_); });
}

AtomicFile::~AtomicFile() {
  if (is_committed_) return;
  file_.Close();
  std::error_code ignored;
  std::filesystem::remove(NativePath(temporary_path_), ignored);
}

void AtomicFile::Write(const void* data, std::size_t size, std::size_t offset) {
  const auto* from = static_cast<const std::uint8_t*>(data);
  while (size > 0) {
    const std::size_t index = offset / kPieceBytes;
    const std::size_t begin = index * kPieceBytes;
    const std::size_t count = std::min(size, begin + kPieceBytes - offset);
    const std::vector<std::uint8_t> whole = Fill(index, from, count, offset - begin);
    if (!whole.empty()) Attempt([&] { file_.WriteAt(begin, whole.data(), whole.size()); });
    from += count;
    offset += count;
    size -= count;
  }
}

std::vector<std::uint8_t> AtomicFile::Fill(std::size_t index, const std::uint8_t* data,
                                           std::size_t size, std::size_t offset) {
  const std::lock_guard lock(mutex_);
  Piece& piece = pieces_[index];
  if (piece.bytes.empty()) {
    piece.bytes.resize(std::min(kPieceBytes, size_ - index * kPieceBytes));
  }
  std::memcpy(piece.bytes.data() + offset, data, size);
  piece.filled += size;
  if (piece.filled < piece.bytes.size()) return {};
  std::vector<std::uint8_t> whole = std::move(piece.bytes);
  pieces_.erase(index);
  return whole;
}

void AtomicFile::Commit() {
  Attempt([&] {
    file_.Sync();
    file_.Close();
    RenameOver(temporary_path_, path_);
  });
  is_committed_ = true;
}

}  // namespace synoptic
