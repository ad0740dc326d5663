#include "title_table_wrap.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arguments.h"

namespace synoptic {
namespace {

struct ToArray {
  Napi::Env env;

  Napi::Value operator()(const std::vector<std::uint8_t>& values) const {
    return ToTypedArray<Napi::Uint8Array>(env, values);
  }
  Napi::Value operator()(const std::vector<std::uint32_t>& values) const {
    return ToTypedArray<Napi::Uint32Array>(env, values);
  }
  Napi::Value operator()(const std::vector<double>& values) const {
    return ToTypedArray<Napi::Float64Array>(env, values);
  }
};

std::uint32_t ReadNumber(const Napi::CallbackInfo& info, std::size_t index, const char* name) {
  return static_cast<std::uint32_t>(ReadCount(info, index, name));
}

}  // namespace

Napi::Function TitleTableWrap::Define(Napi::Env env) {
  return DefineClass(
      env, "NativeTitleTable",
      {InstanceAccessor<&TitleTableWrap::Size>("size"), InstanceMethod<&TitleTableWrap::Add>("add"),
       InstanceMethod<&TitleTableWrap::FindWords>("findWords"),
       InstanceMethod<&TitleTableWrap::CountWords>("countWords"),
       InstanceMethod<&TitleTableWrap::Build>("build")});
}

Napi::Value TitleTableWrap::Size(const Napi::CallbackInfo& info) {
  return Napi::Number::New(info.Env(), static_cast<double>(table_.size()));
}

void TitleTableWrap::Add(const Napi::CallbackInfo& info) {
  Rethrown(info.Env(), [&] {
    table_.Add({.row = ReadNumber(info, 0, "row"),
                .kind = static_cast<std::uint8_t>(ReadNumber(info, 1, "kind")),
                .season = ReadNumber(info, 2, "season"),
                .key = ReadDouble(info, 3, "key"),
                .text = ReadString(info, 4, "text")},
               ReadUnits(info, 5, "forms"), ReadUnits(info, 6, "words"));
  });
}

Napi::Value TitleTableWrap::FindWords(const Napi::CallbackInfo& info) {
  const std::u16string lines = ReadUnits(info, 0, "words");
  const std::u16string_view words = lines;
  std::vector<std::uint32_t> numbers;
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(u'\n', begin), words.size());
    numbers.push_back(table_.words().Find(words.substr(begin, end - begin)));
    begin = end + 1;
  }
  return ToTypedArray<Napi::Uint32Array>(info.Env(), numbers);
}

Napi::Value TitleTableWrap::CountWords(const Napi::CallbackInfo& info) {
  return ToTypedArray<Napi::Uint32Array>(info.Env(), table_.CountWords());
}

Napi::Value TitleTableWrap::Build(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const auto rarity = ReadArray<std::uint8_t>(info, 0, "rarity", napi_uint8_array);
  Napi::Array sections = Napi::Array::New(env);
  Rethrown(env, [&] {
    table_.Build(rarity, [&](const std::string& name, TitleTable::Array array) {
      Napi::Object section = Napi::Object::New(env);
      section["name"] = Napi::String::New(env, name);
      section["array"] = std::visit(ToArray{env}, array);
      sections[sections.Length()] = section;
    });
  });
  return sections;
}

}  // namespace synoptic
