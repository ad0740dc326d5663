#include "store/npy.h"

#include <charconv>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace synoptic {
namespace {

// Reads the Python dictionary literal of a header: `{'descr': '<f4', 'shape': (3, 4), ...}`.
class HeaderReader {
 public:
  HeaderReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  void Expect(char wanted) {
    if (!Accept(wanted)) Fail(std::string("'") + wanted + "'");
  }

  bool Accept(char wanted) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view String() {
    SkipSpace();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') Fail("a quoted string");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) Fail("a closing quote");
    const std::string_view value = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return value;
  }

  bool Bool() {
    SkipSpace();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return value;
    }
    Fail("True or False");
  }

  std::size_t Integer() {
    SkipSpace();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) Fail("a number that is not negative");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  // The text where a value was expected, up to the next comma outside brackets.
  std::string_view Peek() {
    SkipSpace();
    return rest_.substr(0, rest_.find_first_of(",}\n"));
  }

  void ExpectEnd() {
    SkipSpace();
    if (!rest_.empty()) Fail("the end of the header");
  }

  [[noreturn]] void Fail(const std::string& expected) {
    throw Error("ENPY_HEADER", file_, expected + " in the .npy header",
                rest_.empty() ? "its end" : "'" + std::string(rest_.substr(0, 24)) + "'");
  }

 private:
  void SkipSpace() {
    const std::size_t start = rest_.find_first_not_of(" \n\t\r");
    rest_.remove_prefix(start == std::string_view::npos ? rest_.size() : start);
  }

  std::string_view rest_;
  const std::string& file_;
};

struct Fields {
  std::vector<std::size_t> shape;
  bool fortran_order = false;
};

Fields ReadFields(std::string_view text, const std::string& file) {
  HeaderReader reader(text, file);
  Fields fields;
  bool has_type = false, has_order = false, has_shape = false;
  reader.Expect('{');
  while (!reader.Accept('}')) {
    const std::string_view key = reader.String();
    reader.Expect(':');
    if (key == "descr" && !has_type) {
      const std::string_view found = reader.Peek();
      if (found != "'<f4'" && found != "\"<f4\"") {
        throw Error("ENPY_DTYPE", file, "dtype '<f4' (little-endian float32)",
                    "dtype " + std::string(found.substr(0, 64)));
      }
      reader.String();
      has_type = true;
    } else if (key == "fortran_order" && !has_order) {
      fields.fortran_order = reader.Bool();
      has_order = true;
    } else if (key == "shape" && !has_shape) {
      reader.Expect('(');
      while (!reader.Accept(')')) {
        fields.shape.push_back(reader.Integer());
        if (!reader.Accept(',')) {
          reader.Expect(')');
          break;
        }
      }
      has_shape = true;
    } else {
      reader.Fail("each of descr, fortran_order and shape once, before '" + std::string(key) +
                  "',");
    }
    if (!reader.Accept(',')) {
      reader.Expect('}');
      break;
    }
  }
  reader.ExpectEnd();
  if (!has_type || !has_order || !has_shape) reader.Fail("descr, fortran_order and shape");
  return fields;
}

}  // namespace

NpyHeader ParseNpy(const std::uint8_t* data, std::size_t size, const std::string& file) {
  const auto truncated = [&](std::size_t expected) {
    return Error("ENPY_TRUNCATED", file, std::to_string(expected) + " bytes",
                 std::to_string(size) + " bytes");
  };
  if (size < 10) throw truncated(10);
  if (std::memcmp(data, "\x93NUMPY", 6) != 0) {
    throw Error("ENPY_MAGIC", file, "a .npy file", "another kind of file");
  }
  const int version = data[6];
  if (version < 1 || version > 3) {
    throw Error("ENPY_VERSION", file, ".npy version 1, 2 or 3",
                "version " + std::to_string(version));
  }
  const std::size_t prefix = version == 1 ? 10 : 12;
  if (size < prefix) throw truncated(prefix);
  std::size_t header_bytes = data[8] | std::size_t{data[9]} << 8;
  if (version > 1) header_bytes |= std::size_t{data[10]} << 16 | std::size_t{data[11]} << 24;
  const std::size_t data_offset = prefix + header_bytes;
  if (size < data_offset) throw truncated(data_offset);
  if (data_offset % sizeof(float) != 0) {
    throw Error("ENPY_HEADER", file, "data at a multiple of 4 bytes",
                "data at byte " + std::to_string(data_offset));
  }
  const Fields fields =
      ReadFields({reinterpret_cast<const char*>(data) + prefix, header_bytes}, file);
  if (fields.fortran_order) throw Error("ENPY_ORDER", file, "C order", "Fortran order");
  if (fields.shape.size() != 2) {
    throw Error("ENPY_SHAPE", file, "2 axes (rows, dimension)",
                std::to_string(fields.shape.size()) + " axes");
  }
  const std::size_t rows = fields.shape[0], dimension = fields.shape[1];
  if (rows > kMaxRows || dimension == 0 || dimension > kMaxDimension) {
    throw Error("ENPY_SHAPE", file,
                "at most " + std::to_string(kMaxRows) + " rows of 1 to " +
                    std::to_string(kMaxDimension) + " dimensions",
                std::to_string(rows) + " x " + std::to_string(dimension));
  }
  // At most 2^32 rows of 2^18 bytes: no overflow in 64 bits.
  const std::size_t expected = data_offset + rows * dimension * sizeof(float);
  if (size < expected) throw truncated(expected);
  if (size > expected) {
    throw Error("ENPY_LENGTH", file, std::to_string(expected) + " bytes",
                std::to_string(size) + " bytes");
  }
  return {rows, dimension, data_offset};
}

}  // namespace synoptic
