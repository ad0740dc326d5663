#include "rows/title_table.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace synoptic {
namespace {

template <class T>
std::vector<T> InOrder(const std::vector<T>& values, const std::vector<std::uint32_t>& order) {
  std::vector<T> sorted;
  sorted.reserve(order.size());
  for (const std::uint32_t position : order) sorted.push_back(values[position]);
  return sorted;
}

}  // namespace

void TitleTable::Add(Title title, std::u16string_view forms, std::u16string_view words) {
  const auto position = static_cast<std::uint32_t>(size());
  rows_.push_back(title.row);
  kinds_.push_back(title.kind);
  seasons_.push_back(title.season);
  keys_.push_back(title.key);
  originals_.insert(originals_.end(), title.text.begin(), title.text.end());
  original_ends_.push_back(static_cast<std::uint32_t>(originals_.size()));
  lengths_.push_back(static_cast<std::uint8_t>(forms_.Add(forms, position)));
  words_.Add(words, position);
}

std::size_t TitleTable::TitlesOfTexts::Add(std::u16string_view lines, std::uint32_t title) {
  std::size_t first_length = kMaxUnits + 1;
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find(u'\n', begin), lines.size());
    const std::u16string_view text = lines.substr(begin, std::min(end - begin, kMaxUnits));
    if (first_length > kMaxUnits) first_length = text.size();
    const std::uint32_t number = texts.Add(text);
    if (number == last_titles.size()) last_titles.push_back(0);
    if (last_titles[number] != title + 1) pairs.insert(pairs.end(), {number, title});
    last_titles[number] = title + 1;
    begin = end + 1;
  }
  return first_length;
}

std::vector<std::uint32_t> TitleTable::CountWords() const {
  std::vector<std::uint32_t> counts(words_.texts.size());
  for (std::size_t i = 0; i < words_.pairs.size(); i += 2) ++counts[words_.pairs[i]];
  return counts;
}

void TitleTable::Build(std::span<const std::uint8_t> rarity, const Take& take) {
  if (rarity.size() != words_.texts.size()) {
    throw std::invalid_argument("rarity: expected one a word");
  }
  const std::vector<std::uint32_t> order = Order();
  std::vector<std::uint32_t> title_of(order.size());
  for (std::uint32_t title = 0; title < order.size(); ++title) title_of[order[title]] = title;
  TakeTitles(order, take);
  // Each is gone before the next is built.
  TakeTexts("forms", std::exchange(forms_, {}), title_of, take);
  const auto numbers = TakeTexts("words", std::exchange(words_, {}), title_of, take);
  std::vector<std::uint8_t> rarities(rarity.size());
  for (std::size_t word = 0; word < rarity.size(); ++word) rarities[numbers[word]] = rarity[word];
  take("words.rarity", std::move(rarities));
}

// Shorter titles first, so that a list that is cut short keeps those that a query covers most.
std::vector<std::uint32_t> TitleTable::Order() const {
  std::vector<std::uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t one, std::uint32_t other) {
    return std::tie(lengths_[one], kinds_[one]) < std::tie(lengths_[other], kinds_[other]);
  });
  return order;
}

void TitleTable::TakeTitles(const std::vector<std::uint32_t>& order, const Take& take) {
  take("rows", InOrder(std::exchange(rows_, {}), order));
  take("kinds", InOrder(std::exchange(kinds_, {}), order));
  take("seasons", InOrder(std::exchange(seasons_, {}), order));

  std::vector<std::uint8_t> originals;
  originals.reserve(originals_.size());
  std::vector<std::uint32_t> starts{0};
  starts.reserve(order.size() + 1);
  for (const std::uint32_t position : order) {
    const std::uint32_t begin = position == 0 ? 0 : original_ends_[position - 1];
    originals.insert(originals.end(), originals_.begin() + begin,
                     originals_.begin() + original_ends_[position]);
    starts.push_back(static_cast<std::uint32_t>(originals.size()));
  }
  std::exchange(originals_, {});
  std::exchange(original_ends_, {});
  take("originals", std::move(originals));
  take("originalStarts", std::move(starts));

  const std::vector<double> keys = InOrder(std::exchange(keys_, {}), order);
  std::vector<std::uint32_t> titles(keys.size());
  std::iota(titles.begin(), titles.end(), 0);
  std::stable_sort(titles.begin(), titles.end(),
                   [&](std::uint32_t one, std::uint32_t other) { return keys[one] < keys[other]; });
  take("keys", InOrder(keys, titles));
  take("keyTitles", std::move(titles));
}

// Returns the numbers of the texts.
std::vector<std::uint32_t> TitleTable::TakeTexts(const std::string& name, TitlesOfTexts of_texts,
                                                 const std::vector<std::uint32_t>& title_of,
                                                 const Take& take) {
  TextSet set = BuildTextSet(of_texts.texts);
  std::exchange(of_texts.texts, {});
  std::exchange(of_texts.last_titles, {});
  take(name + ".bytes", std::move(set.bytes));
  take(name + ".starts", std::move(set.starts));
  take(name + ".lengths", std::move(set.lengths));
  take(name + ".lengthStarts", std::move(set.length_starts));
  take(name + ".alphabetical", std::move(set.alphabetical));
  take(name + ".masks", std::move(set.masks));
  take(name + ".counts", std::move(set.counts));
  take(name + ".gramStarts", std::move(set.gram_starts));
  take(name + ".gramTexts", std::move(set.gram_texts));

  const std::vector<std::uint32_t>& pairs = of_texts.pairs;
  std::vector<std::uint32_t> starts(set.numbers.size() + 1);
  for (std::size_t i = 0; i < pairs.size(); i += 2) ++starts[set.numbers[pairs[i]] + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  std::vector<std::uint32_t> titles(pairs.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    titles[next[set.numbers[pairs[i]]]++] = title_of[pairs[i + 1]];
  }
  for (std::size_t text = 0; text + 1 < starts.size(); ++text) {
    std::sort(titles.begin() + starts[text], titles.begin() + starts[text + 1]);
  }
  take(name + ".titleStarts", std::move(starts));
  take(name + ".titles", std::move(titles));
  return std::move(set.numbers);
}

}  // namespace synoptic
