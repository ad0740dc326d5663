// Reads a plan, one array of numbers: a list as its length and its members, a flag as 0 or 1.

#ifndef SYNOPTIC_ROWS_NUMBER_READER_H_
#define SYNOPTIC_ROWS_NUMBER_READER_H_

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace synoptic {

// Each call takes the next number, or throws Error EARGUMENT.
class NumberReader {
 public:
  explicit NumberReader(std::span<const double> numbers) : numbers_(numbers) {}

  double Number() {
    if (at_ == numbers_.size()) Refuse("more numbers");
    return numbers_[at_++];
  }
  double AtLeastZero() {
    const double number = Number();
    if (!(number >= 0)) Refuse("a number of at least 0");
    return number;
  }
  bool Flag() { return Number() != 0; }

  std::uint32_t Whole(std::size_t below) {
    const double number = Number();
    if (!(number >= 0 && number < static_cast<double>(below)) || number != std::floor(number)) {
      Refuse("a whole number below " + std::to_string(below));
    }
    return static_cast<std::uint32_t>(number);
  }
  std::uint32_t Count() { return Whole(std::numeric_limits<std::uint32_t>::max()); }

  // Takes the next number if it is this one.
  bool TakesIf(double wanted) {
    const double number = Number();
    if (number == wanted) return true;
    --at_;
    return false;
  }

  template <class Read>
  auto List(const Read& read) {
    // Each member has a number of its own.
    const std::size_t count = Whole(numbers_.size() - at_ + 1);
    std::vector<decltype(read())> list;
    list.reserve(count);
    for (std::size_t i = 0; i < count; ++i) list.push_back(read());
    return list;
  }
  template <std::size_t kCount>
  std::array<double, kCount> Numbers() {
    std::array<double, kCount> values;
    for (double& value : values) value = Number();
    return values;
  }
  void End() {
    if (at_ != numbers_.size()) Refuse("no more numbers");
  }
  [[noreturn]] void Refuse(const std::string& expected) const {
    throw Error("EARGUMENT", "plan: expected " + expected + " at position " + std::to_string(at_));
  }

 private:
  std::span<const double> numbers_;
  std::size_t at_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_ROWS_NUMBER_READER_H_
