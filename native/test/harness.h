// A small test harness: TEST registers, CHECK counts and reports, the last line says how many.

#ifndef SYNOPTIC_TEST_HARNESS_H_
#define SYNOPTIC_TEST_HARNESS_H_

#include <sstream>
#include <string>

#include "base/error.h"

namespace synoptic::test {

struct Registrar {
  Registrar(const char* name, void (*run)());
};

void Report(bool ok, const char* file, int line, const std::string& text);

template <class A, class B>
void CheckEqual(const A& actual, const B& expected, const char* file, int line, const char* text) {
  if (actual == expected) return Report(true, file, line, text);
  std::ostringstream message;
  message << text << ": expected " << expected << ", found " << actual;
  Report(false, file, line, message.str());
}

template <class Work>
void CheckCode(const Work& work, const std::string& code, const char* file, int line) {
  std::string found = "no error";
  try {
    work();
  } catch (const Error& error) {
    found = error.code;
  }
  CheckEqual(found, code, file, line, "error code");
}

// Whether a sample of what takes long is enough: `npm test` requests one with SYNOPTIC_TEST_SAMPLE.
bool IsSample();

// A file of this name in a folder that is removed at the end.
std::string ScratchFile(const std::string& name);
void WriteFile(const std::string& path, const std::string& bytes);

}  // namespace synoptic::test

#define TEST(name)                                                      \
  static void name();                                                   \
  static const synoptic::test::Registrar registrar_##name(#name, name); \
  static void name()
#define CHECK(condition) synoptic::test::Report((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(actual, expected) \
  synoptic::test::CheckEqual((actual), (expected), __FILE__, __LINE__, #actual)
#define CHECK_CODE(work, code) \
  synoptic::test::CheckCode([&] { (void)(work); }, code, __FILE__, __LINE__)

#endif  // SYNOPTIC_TEST_HARNESS_H_
