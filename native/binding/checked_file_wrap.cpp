#include "checked_file_wrap.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "addon_state.h"
#include "arguments.h"
#include "base/error.h"
#include "base/hash64.h"

namespace synoptic {

std::vector<std::uint64_t> ToHashes(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint64_t> hashes(bytes.size() / sizeof(std::uint64_t));
  if (bytes.size() % sizeof(std::uint64_t) != 0) {
    throw Error("EARGUMENT",
                "hashes: expected 8 bytes a block, received " + std::to_string(bytes.size()));
  }
  if (!hashes.empty()) std::memcpy(hashes.data(), bytes.data(), bytes.size());
  return hashes;
}

Napi::Function CheckedFileWrap::Define(Napi::Env env) {
  return DefineClass(env, "NativeCheckedFile",
                     {InstanceMethod<&CheckedFileWrap::Verify>("verify"),
                      InstanceMethod<&CheckedFileWrap::CancelVerify>("cancelVerify"),
                      InstanceMethod<&CheckedFileWrap::CheckUnchanged>("checkUnchanged"),
                      InstanceMethod<&CheckedFileWrap::Close>("close")});
}

// Reads nothing yet.
Napi::Value CheckedFileWrap::OpenFile(const Napi::CallbackInfo& info) {
  if (!info[0].IsString() || !info[1].IsNumber()) {
    throw Napi::TypeError::New(info.Env(), "expected a path and a number of bytes");
  }
  try {
    BlockHashes hashes = {static_cast<std::size_t>(info[1].As<Napi::Number>().Int64Value()),
                          ToHashes(ReadArray<std::uint8_t>(info, 2, "hashes", napi_uint8_array))};
    auto file = std::make_shared<CheckedFile>(
        CheckedFile{MappedFile::Open(info[0].As<Napi::String>().Utf8Value()), std::move(hashes)});
    file->hashes.CheckShape(file->file);
    const Napi::Object object = AddonState::Of(info.Env())->checked_file_constructor.New({});
    Unwrap(object)->file_ = std::move(file);
    return object;
  } catch (const Error&) {
    throw Napi::Error(info.Env(), ToJavaScriptError(info.Env(), std::current_exception()));
  }
}

Napi::Value CheckedFileWrap::HashBlock(const Napi::CallbackInfo& info) {
  const auto bytes = ReadArray<std::uint8_t>(info, 0, "bytes", napi_uint8_array);
  const std::uint64_t hash = Hash64(bytes.data(), bytes.size());
  std::vector<std::uint8_t> result(sizeof(hash));
  std::memcpy(result.data(), &hash, sizeof(hash));
  return ToTypedArray<Napi::Uint8Array>(info.Env(), result);
}

CheckedFileWrap::CheckedFileWrap(const Napi::CallbackInfo& info)
    : Napi::ObjectWrap<CheckedFileWrap>(info) {}

CheckedFileWrap::~CheckedFileWrap() = default;

const std::shared_ptr<const CheckedFileWrap::CheckedFile>& CheckedFileWrap::Open(
    const Napi::CallbackInfo& info) const {
  if (file_ != nullptr) return file_;
  throw Napi::Error(
      info.Env(),
      ToJavaScriptError(info.Env(), std::make_exception_ptr(Error("ECLOSED", "It is closed."))));
}

Napi::Value CheckedFileWrap::Verify(const Napi::CallbackInfo& info) {
  const auto file = Open(info);
  std::vector<PacedCheck> checks;
  for (std::size_t block = 0; block < file->hashes.hashes.size(); ++block) {
    checks.push_back(
        {file->hashes.SizeOf(block), [file, block] { file->hashes.Check(file->file, block); }});
  }
  return checks_.Start(info, std::move(checks));
}

void CheckedFileWrap::CancelVerify(const Napi::CallbackInfo&) { checks_.Cancel(); }

void CheckedFileWrap::CheckUnchanged(const Napi::CallbackInfo& info) {
  try {
    Open(info)->file.CheckUnchanged();
  } catch (const Error&) {
    throw Napi::Error(info.Env(), ToJavaScriptError(info.Env(), std::current_exception()));
  }
}

void CheckedFileWrap::Close(const Napi::CallbackInfo&) {
  checks_.Cancel();
  file_.reset();
}

}  // namespace synoptic
