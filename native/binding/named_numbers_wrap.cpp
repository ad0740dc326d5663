#include "named_numbers_wrap.h"

#include "arguments.h"

namespace synoptic {

Napi::Function NamedNumbersWrap::Define(Napi::Env env) {
  return DefineClass(env, "NativeNamedNumbers",
                     {InstanceMethod<&NamedNumbersWrap::Add>("add"),
                      InstanceMethod<&NamedNumbersWrap::Build>("build")});
}

void NamedNumbersWrap::Add(const Napi::CallbackInfo& info) {
  Rethrown(info.Env(), [&] {
    numbers_.Add(ReadUnits(info, 0, "key"), ReadString(info, 1, "name"),
                 static_cast<std::uint32_t>(ReadCount(info, 2, "number")));
  });
}

Napi::Value NamedNumbersWrap::Build(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const NamedNumbersSections sections = Rethrown(env, [&] { return numbers_.Build(); });
  Napi::Object value = Napi::Object::New(env);
  value["names"] = ToTypedArray<Napi::Uint8Array>(
      env, std::vector<std::uint8_t>(sections.names.begin(), sections.names.end()));
  value["nameEnds"] = ToTypedArray<Napi::Uint32Array>(env, sections.name_ends);
  value["numbers"] = ToTypedArray<Napi::Uint32Array>(env, sections.numbers);
  value["ends"] = ToTypedArray<Napi::Uint32Array>(env, sections.ends);
  return value;
}

}  // namespace synoptic
