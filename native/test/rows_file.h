// The bytes of `.rows` files, made as src/data/rows/row-index-file.ts makes them.

#ifndef SYNOPTIC_TEST_ROWS_FILE_H_
#define SYNOPTIC_TEST_ROWS_FILE_H_

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/crc32.h"

namespace synoptic::test {

// By stem: rows, ascending, and their impacts.
using StemRows = std::map<std::string, std::vector<std::pair<std::uint32_t, std::uint16_t>>>;

// Of a section in the header: 32 bytes of its name, its offset and its size.
constexpr std::size_t kEntryBytes = 48;

template <class T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class T>
void Put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

// Gives the header of such a file the sum that fits its other bytes.
inline void SealHeader(std::string& file) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(file.data());
  Put(file, 20, Crc32(Crc32(0, data, 20), data + 24, 4096 - 24));
}

// By name.
using NumbersByName = std::map<std::string, std::vector<std::uint32_t>>;

// By kind: lists of numbers.
using AllNumbers = std::map<std::string, NumbersByName>;

using Sections = std::vector<std::pair<std::string, std::string>>;

inline void AppendNumbers(Sections& sections, const std::string& kind, const NumbersByName& lists) {
  std::string names, name_ends, ends, numbers;
  for (const auto& [name, own] : lists) {
    names += name;
    Append(name_ends, static_cast<std::uint32_t>(names.size()));
    for (const std::uint32_t number : own) Append(numbers, number);
    Append(ends, static_cast<std::uint32_t>(numbers.size() / sizeof(std::uint32_t)));
  }
  sections.emplace_back(kind + ".names", names);
  sections.emplace_back(kind + ".name-ends", name_ends);
  sections.emplace_back(kind + ".ends", ends);
  sections.emplace_back(kind + ".numbers", numbers);
}

inline std::string RowsFile(std::uint32_t row_count, const StemRows& stems,
                            const AllNumbers& numbers = {}, const Sections& others = {}) {
  std::string names, name_ends, ends, postings;
  std::uint32_t total = 0;
  for (const auto& [stem, rows] : stems) {
    names += stem;
    Append(name_ends, static_cast<std::uint32_t>(names.size()));
    std::size_t next = 0;
    for (std::uint32_t stripe = 0; stripe < (row_count + 65535) / 65536; ++stripe) {
      std::string lows, impacts;
      for (; next < rows.size() && rows[next].first / 65536 == stripe; ++next) {
        Append(lows, static_cast<std::uint16_t>(rows[next].first % 65536));
        Append(impacts, rows[next].second);
        ++total;
      }
      postings += lows + impacts;
      Append(ends, total);
    }
  }
  std::string file(4096, '\0');
  std::memcpy(file.data(), "SYNOROWS", 8);
  Put(file, 8, std::uint32_t{4});
  Put(file, 12, row_count);
  Sections sections = {{"stem.names", names},
                       {"stem.name-ends", name_ends},
                       {"stem.ends", ends},
                       {"stem.postings", postings}};
  for (const auto& [kind, lists] : numbers) AppendNumbers(sections, kind, lists);
  sections.insert(sections.end(), others.begin(), others.end());
  Put(file, 16, static_cast<std::uint32_t>(sections.size()));
  std::size_t entry = 64;
  for (const auto& [name, bytes] : sections) {
    file.resize((file.size() + 63) / 64 * 64);
    std::memcpy(file.data() + entry, name.data(), name.size());
    Put(file, entry + 32, std::uint64_t{file.size()});
    Put(file, entry + 40, std::uint64_t{bytes.size()});
    file += bytes;
    entry += kEntryBytes;
  }
  Put(file, 24, std::uint64_t{file.size()});
  SealHeader(file);
  return file;
}

}  // namespace synoptic::test

#endif  // SYNOPTIC_TEST_ROWS_FILE_H_
