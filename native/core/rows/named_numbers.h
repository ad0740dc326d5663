// Lists of numbers by name, as an import collects them for a `.rows` file (rows/row_index.h).

#ifndef SYNOPTIC_ROWS_NAMED_NUMBERS_H_
#define SYNOPTIC_ROWS_NAMED_NUMBERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rows/text_numbers.h"

namespace synoptic {

// The four sections of a kind, in the order of the bytes of the names.
struct NamedNumbersSections {
  std::string names;
  std::vector<std::uint32_t> name_ends;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint32_t> ends;
};

class NamedNumbers {
 public:
  // Adds a number to the list of a key, unless it was the last one of the list. The name that came
  // first with a key, in UTF-8, is the list's.
  void Add(std::u16string_view key, std::string_view name, std::uint32_t number);

  // Lists have their numbers in the order in which they were added. The last call.
  NamedNumbersSections Build();

 private:
  TextNumbers keys_;
  std::string names_;
  std::vector<std::uint32_t> name_ends_;
  // Pairs of the number of a key and a number of its list.
  std::vector<std::uint32_t> pairs_;
  // Of each key the last number, plus one.
  std::vector<std::uint64_t> last_numbers_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_NAMED_NUMBERS_H_
