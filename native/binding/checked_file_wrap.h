// The JavaScript handle of a file that is checked by its hashes: NativeCheckedFile in
// src/native/addon/contract.ts.

#ifndef SYNOPTIC_BINDING_CHECKED_FILE_WRAP_H_
#define SYNOPTIC_BINDING_CHECKED_FILE_WRAP_H_

#include <napi.h>

#include <memory>

#include "io/block_hashes.h"
#include "io/mapped_file.h"
#include "running_checks.h"

namespace synoptic {

// Owns a share of the mapping until close(); checks under way hold their own.
class CheckedFileWrap : public Napi::ObjectWrap<CheckedFileWrap> {
 public:
  static Napi::Function Define(Napi::Env env);
  // The export `openCheckedFile`.
  static Napi::Value OpenFile(const Napi::CallbackInfo& info);
  // The export `hashBlock`.
  static Napi::Value HashBlock(const Napi::CallbackInfo& info);

  explicit CheckedFileWrap(const Napi::CallbackInfo& info);
  ~CheckedFileWrap() override;

 private:
  struct CheckedFile {
    MappedFile file;
    BlockHashes hashes;
  };

  Napi::Value Verify(const Napi::CallbackInfo& info);
  void CancelVerify(const Napi::CallbackInfo& info);
  void CheckUnchanged(const Napi::CallbackInfo& info);
  void Close(const Napi::CallbackInfo& info);

  const std::shared_ptr<const CheckedFile>& Open(const Napi::CallbackInfo& info) const;

  std::shared_ptr<const CheckedFile> file_;
  RunningChecks checks_;
};

// 8 bytes a block, little-endian, as hashBlock returns them. Throws Error EARGUMENT.
std::vector<std::uint64_t> ToHashes(const std::vector<std::uint8_t>& bytes);

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_CHECKED_FILE_WRAP_H_
