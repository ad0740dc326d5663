#include "rows/named_numbers.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace synoptic {
namespace {

// The first eight bytes as one number, which is in the order of the bytes.
std::uint64_t Beginning(std::string_view name) {
  std::uint64_t key = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    key = key << 8 | (i < name.size() ? static_cast<std::uint8_t>(name[i]) : 0);
  }
  return key;
}

}  // namespace

void NamedNumbers::Add(std::u16string_view key, std::string_view name, std::uint32_t number) {
  const std::uint32_t list = keys_.Add(key);
  if (list == last_numbers_.size()) {
    names_.append(name);
    name_ends_.push_back(static_cast<std::uint32_t>(names_.size()));
    last_numbers_.push_back(0);
  }
  const std::uint64_t next = std::uint64_t{number} + 1;
  if (last_numbers_[list] != next) pairs_.insert(pairs_.end(), {list, number});
  last_numbers_[list] = next;
}

NamedNumbersSections NamedNumbers::Build() {
  std::exchange(keys_, {});
  std::exchange(last_numbers_, {});
  const auto name_of = [&](std::uint32_t list) {
    const std::size_t begin = list == 0 ? 0 : name_ends_[list - 1];
    return std::string_view(names_).substr(begin, name_ends_[list] - begin);
  };
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(name_ends_.size());
  for (std::uint32_t list = 0; list < order.size(); ++list) {
    order[list] = {Beginning(name_of(list)), list};
  }
  std::sort(order.begin(), order.end(), [&](const auto& one, const auto& other) {
    if (one.first != other.first) return one.first < other.first;
    const int names = name_of(one.second).compare(name_of(other.second));
    return names != 0 ? names < 0 : one.second < other.second;
  });

  NamedNumbersSections sections;
  sections.names.reserve(names_.size());
  std::vector<std::uint32_t> place_of(order.size());
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    place_of[order[place].second] = place;
    sections.names.append(name_of(order[place].second));
    sections.name_ends.push_back(static_cast<std::uint32_t>(sections.names.size()));
  }
  sections.ends.resize(order.size());
  for (std::size_t i = 0; i < pairs_.size(); i += 2) ++sections.ends[place_of[pairs_[i]]];
  std::partial_sum(sections.ends.begin(), sections.ends.end(), sections.ends.begin());
  std::vector<std::uint32_t> next(order.size());
  for (std::size_t place = 1; place < next.size(); ++place) next[place] = sections.ends[place - 1];
  sections.numbers.resize(pairs_.size() / 2);
  for (std::size_t i = 0; i < pairs_.size(); i += 2) {
    sections.numbers[next[place_of[pairs_[i]]]++] = pairs_[i + 1];
  }
  *this = {};
  return sections;
}

}  // namespace synoptic
