#include "arguments.h"

#include <cmath>

#include "base/error.h"

namespace synoptic {

Napi::Value ToJavaScriptError(Napi::Env env, std::exception_ptr error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& caught) {
    Napi::Object value = Napi::Error::New(env, caught.what()).Value();
    value["code"] = Napi::String::New(env, caught.code);
    if (!caught.file.empty()) {
      value["file"] = Napi::String::New(env, caught.file);
      value["expected"] = Napi::String::New(env, caught.expected);
      value["found"] = Napi::String::New(env, caught.found);
    }
    return value;
  } catch (const Napi::Error& caught) {
    return caught.Value();
  } catch (const std::bad_alloc&) {
    Napi::Object value = Napi::Error::New(env, "There is not enough memory.").Value();
    value["code"] = Napi::String::New(env, "EMEMORY");
    return value;
  } catch (const std::exception& caught) {
    return Napi::Error::New(env, caught.what()).Value();
  }
}

std::size_t ReadCount(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  const Napi::Value value = info[index];
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= 0 && number <= 4294967295.0 && number == std::floor(number))) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected an integer of 32 bits");
  }
  return static_cast<std::size_t>(number);
}

bool ReadBool(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  const Napi::Value value = info[index];
  if (!value.IsBoolean()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected true or false");
  }
  return value.As<Napi::Boolean>().Value();
}

double ReadDouble(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsNumber()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected a number");
  }
  return info[index].As<Napi::Number>().DoubleValue();
}

std::u16string ReadUnits(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  if (!info[index].IsString()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected a string");
  }
  return info[index].As<Napi::String>().Utf16Value();
}

std::string ReadString(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  const Napi::Value value = info[index];
  if (!value.IsString()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected a string");
  }
  return value.As<Napi::String>().Utf8Value();
}

std::vector<std::string> ReadStrings(const Napi::CallbackInfo& info, std::size_t index,
                                     const char* name) {
  const Napi::Value value = info[index];
  if (!value.IsArray()) {
    throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected an array of strings");
  }
  const auto array = value.As<Napi::Array>();
  std::vector<std::string> strings;
  for (std::uint32_t i = 0; i < array.Length(); ++i) {
    const Napi::Value element = array[i];
    if (!element.IsString()) {
      throw Napi::TypeError::New(info.Env(), std::string(name) + ": expected an array of strings");
    }
    strings.push_back(element.As<Napi::String>().Utf8Value());
  }
  return strings;
}

}  // namespace synoptic
