#include "harness.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <random>
#include <utility>
#include <vector>

namespace synoptic::test {
namespace {

std::vector<std::pair<const char*, void (*)()>>& Tests() {
  static std::vector<std::pair<const char*, void (*)()>> tests;
  return tests;
}

long checks = 0;
long failures = 0;

// Removed with all that is in it when the process ends.
struct Scratch {
  std::filesystem::path folder;

  Scratch() {
    std::random_device random;
    folder = std::filesystem::temp_directory_path() /
             ("synoptic-" + std::to_string(random()) + std::to_string(random()));
    if (!std::filesystem::create_directory(folder)) throw Error("ETEST", "no scratch folder");
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
};

const std::filesystem::path& ScratchFolder() {
  static const Scratch scratch;
  return scratch.folder;
}

}  // namespace

Registrar::Registrar(const char* name, void (*run)()) { Tests().emplace_back(name, run); }

void Report(bool ok, const char* file, int line, const std::string& text) {
  ++checks;
  if (ok) return;
  // A broken kernel fails thousands of checks; the first say enough.
  if (++failures <= 20) std::printf("%s:%d: %s\n", file, line, text.c_str());
}

bool IsSample() { return std::getenv("SYNOPTIC_TEST_SAMPLE") != nullptr; }

std::string ScratchFile(const std::string& name) { return (ScratchFolder() / name).string(); }

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

int RunAll() {
  for (const auto& [name, run] : Tests()) {
    const long failed_before = failures;
    try {
      run();
    } catch (const std::exception& error) {
      Report(false, name, 0, std::string("threw: ") + error.what());
    }
    std::printf("%s %s\n", failures == failed_before ? "ok  " : "FAIL", name);
  }
  std::printf("%zu tests, %ld checks, %ld failed\n", Tests().size(), checks, failures);
  return failures == 0 && checks > 0 ? 0 : 1;
}

}  // namespace synoptic::test

#ifndef SYNOPTIC_NO_MAIN
int main() { return synoptic::test::RunAll(); }
#endif
