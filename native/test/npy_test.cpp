#include "store/npy.h"

#include "fixtures.h"
#include "harness.h"

namespace synoptic {
namespace {

using test::Npy;
using test::NpyHeaderText;
using test::NpyWithHeader;

NpyHeader Parse(const std::string& bytes) {
  // A copy of exactly these bytes, so that a sanitizer sees a read beyond them.
  const std::vector<std::uint8_t> copy(bytes.begin(), bytes.end());
  return ParseNpy(copy.data(), copy.size(), "test.npy");
}

const std::string kValues(2 * 3 * 4, '\0');

TEST(ReadsEveryVersion) {
  for (const char version : {1, 2, 3}) {
    const NpyHeader header = Parse(NpyWithHeader(NpyHeaderText(2, 3), kValues, version));
    CHECK_EQUAL(header.rows, 2u);
    CHECK_EQUAL(header.dimension, 3u);
    CHECK_EQUAL(header.data_offset % 64, 0u);
  }
}

TEST(ReadsAnyOrderOfKeysAndQuotes) {
  const NpyHeader header = Parse(
      NpyWithHeader("{\"shape\":(2,3),'fortran_order' : False ,\n \"descr\": \"<f4\"}", kValues));
  CHECK_EQUAL(header.rows, 2u);
  CHECK_EQUAL(header.dimension, 3u);
}

TEST(ReadsMatricesWithoutRows) { CHECK_EQUAL(Parse(Npy(0, 5, {})).rows, 0u); }

TEST(RefusesOtherFiles) {
  CHECK_CODE(Parse(""), "ENPY_TRUNCATED");
  CHECK_CODE(Parse("\x93NUMPY"), "ENPY_TRUNCATED");
  CHECK_CODE(Parse("PK\x03\x04 something zipped"), "ENPY_MAGIC");
  std::string other = Npy(2, 3, std::vector<float>(6));
  other[6] = 4;
  CHECK_CODE(Parse(other), "ENPY_VERSION");
}

TEST(RefusesOtherTypesAndOrders) {
  const auto with = [](const std::string& type, const std::string& order) {
    return NpyWithHeader(
        "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': (2, 3), }", kValues);
  };
  for (const char* type : {"'>f4'", "'<f8'", "'<f2'", "'|i1'", "'<i4'", "[('a', '<f4')]", "'<f4"}) {
    CHECK_CODE(Parse(with(type, "False")), "ENPY_DTYPE");
  }
  CHECK_CODE(Parse(with("'<f4'", "True")), "ENPY_ORDER");
  CHECK_CODE(Parse(with("'<f4'", "Maybe")), "ENPY_HEADER");
}

TEST(RefusesOtherShapes) {
  const auto with = [](const std::string& shape) {
    return NpyWithHeader("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }",
                         kValues);
  };
  for (const char* shape : {"()", "(6,)", "(1, 2, 3)", "(2, 0)", "(2, 65537)", "(4294967295, 1)"}) {
    CHECK_CODE(Parse(with(shape)), "ENPY_SHAPE");
  }
  for (const char* shape :
       {"(-2, 3)", "(2, x)", "(2 3)", "(2, 99999999999999999999999)", "2", "("}) {
    CHECK_CODE(Parse(with(shape)), "ENPY_HEADER");
  }
}

TEST(RefusesOtherLengths) {
  const std::string whole = Npy(2, 3, std::vector<float>(6));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_CODE(Parse(whole.substr(0, size)), "ENPY_TRUNCATED");
  }
  CHECK_CODE(Parse(whole + "x"), "ENPY_LENGTH");
}

TEST(RefusesOtherHeaders) {
  for (const char* text :
       {"", "{", "[]", "{}", "{'descr': '<f4'}", "{'shape': (2, 3), 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } x", "{'descr"}) {
    CHECK_CODE(Parse(NpyWithHeader(text, kValues)), "ENPY_HEADER");
  }
  // Values that do not start at a multiple of four bytes.
  std::string odd = "\x93NUMPY";
  odd += std::string("\x01\x00\x3b\x00", 4) + NpyHeaderText(2, 3);
  odd[8] = static_cast<char>(odd.size() - 10);
  while ((odd.size() % 4) == 0) odd += ' ', ++odd[8];
  CHECK_CODE(Parse(odd + kValues), "ENPY_HEADER");
}

}  // namespace
}  // namespace synoptic
