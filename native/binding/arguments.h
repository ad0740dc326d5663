// Reads JavaScript arguments, writes JavaScript values. src/native/addon checks arguments with
// messages for people; these checks only keep a wrong call from reading wrong memory.

#ifndef SYNOPTIC_BINDING_ARGUMENTS_H_
#define SYNOPTIC_BINDING_ARGUMENTS_H_

#include <napi.h>

#include <cstddef>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace synoptic {

// The error for whatever was caught: message, `code`, and `file`, `expected`, `found` where known.
Napi::Value ToJavaScriptError(Napi::Env env, std::exception_ptr error);

// Each throws a TypeError that names the argument.
std::size_t ReadCount(const Napi::CallbackInfo& info, std::size_t index, const char* name);
bool ReadBool(const Napi::CallbackInfo& info, std::size_t index, const char* name);
double ReadDouble(const Napi::CallbackInfo& info, std::size_t index, const char* name);
// Units of UTF-16.
std::u16string ReadUnits(const Napi::CallbackInfo& info, std::size_t index, const char* name);
std::string ReadString(const Napi::CallbackInfo& info, std::size_t index, const char* name);
std::vector<std::string> ReadStrings(const Napi::CallbackInfo& info, std::size_t index,
                                     const char* name);

// Runs work of the core; throws a JavaScript error for whatever that throws, a TypeError for
// arguments that do not fit.
template <class Work>
auto Rethrown(Napi::Env env, const Work& work) {
  try {
    return work();
  } catch (const Napi::Error&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw Napi::TypeError::New(env, error.what());
  } catch (...) {
    throw Napi::Error(env, ToJavaScriptError(env, std::current_exception()));
  }
}

// A copy of a typed array's own part of its buffer.
template <class T>
std::vector<T> ReadArray(const Napi::CallbackInfo& info, std::size_t index, const char* name,
                         napi_typedarray_type type) {
  const Napi::Value value = info[index];
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != type) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected another typed array");
  }
  const auto array = value.As<Napi::TypedArrayOf<T>>();
  std::vector<T> copy(array.ElementLength());
  if (!copy.empty()) std::memcpy(copy.data(), array.Data(), copy.size() * sizeof(T));
  return copy;
}

template <class Array, class T>
Array ToTypedArray(Napi::Env env, const std::vector<T>& values) {
  Array array = Array::New(env, values.size());
  if (!values.empty()) std::memcpy(array.Data(), values.data(), values.size() * sizeof(T));
  return array;
}

}  // namespace synoptic

#endif  // SYNOPTIC_BINDING_ARGUMENTS_H_
