#include <windows.h>

#include <algorithm>
#include <system_error>

#include "io/file.h"

namespace synoptic {
namespace {

[[noreturn]] void Fail() {
  throw std::system_error(static_cast<int>(GetLastError()), std::system_category());
}

HANDLE Handle(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

// Shares everything: other programs may rename or remove a file that is served.
std::intptr_t Open(const std::string& path, DWORD access, DWORD disposition) {
  const HANDLE handle = CreateFileW(NativePath(path).c_str(), access,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) Fail();
  return reinterpret_cast<std::intptr_t>(handle);
}

}  // namespace

File File::OpenToRead(const std::string& path) {
  return File(Open(path, GENERIC_READ, OPEN_EXISTING));
}

File File::OpenToWrite(const std::string& path) {
  return File(Open(path, GENERIC_WRITE, CREATE_ALWAYS));
}

void File::Close() noexcept {
  if (handle_ != kClosed) CloseHandle(Handle(handle_));
  handle_ = kClosed;
}

FileState File::State() const {
  BY_HANDLE_FILE_INFORMATION information;
  if (GetFileInformationByHandle(Handle(handle_), &information) == 0) Fail();
  const auto join = [](DWORD high, DWORD low) { return std::uint64_t{high} << 32 | low; };
  return {static_cast<std::size_t>(join(information.nFileSizeHigh, information.nFileSizeLow)),
          static_cast<std::int64_t>(join(information.ftLastWriteTime.dwHighDateTime,
                                         information.ftLastWriteTime.dwLowDateTime)),
          (information.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0};
}

const std::uint8_t* File::Map(std::size_t size) const {
  const HANDLE section = CreateFileMappingW(Handle(handle_), nullptr, PAGE_READONLY, 0, 0, nullptr);
  if (section == nullptr) Fail();
  const void* data = MapViewOfFile(section, FILE_MAP_READ, 0, 0, size);
  const DWORD error = GetLastError();
  // The view keeps the section.
  CloseHandle(section);
  SetLastError(error);
  if (data == nullptr) Fail();
  return static_cast<const std::uint8_t*>(data);
}

void File::Unmap(const std::uint8_t* data, std::size_t) noexcept { UnmapViewOfFile(data); }

void File::WriteAt(std::size_t offset, const void* data, std::size_t size) {
  const auto* bytes = static_cast<const char*>(data);
  while (size > 0) {
    OVERLAPPED position = {};
    position.Offset = static_cast<DWORD>(offset);
    position.OffsetHigh = static_cast<DWORD>(std::uint64_t{offset} >> 32);
    DWORD written = 0;
    const auto part = static_cast<DWORD>(std::min<std::size_t>(size, std::size_t{1} << 30));
    if (WriteFile(Handle(handle_), bytes, part, &written, &position) == 0) Fail();
    bytes += written;
    offset += written;
    size -= written;
  }
}

void File::Sync() {
  if (FlushFileBuffers(Handle(handle_)) == 0) Fail();
}

void RenameOver(const std::string& from, const std::string& to) {
  const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
  if (MoveFileExW(NativePath(from).c_str(), NativePath(to).c_str(), flags) == 0) Fail();
}

std::uint32_t ProcessId() { return GetCurrentProcessId(); }

}  // namespace synoptic
