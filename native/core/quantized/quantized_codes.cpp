#include "quantized/quantized_codes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/hash64.h"

namespace synoptic {
namespace {

constexpr char kMagic[8] = {'S', 'Y', 'N', 'O', 'S', 'H', 'D', 'W'};
// Of the format and of everything that the codes depend on, such as the rotation.
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kPageBytes = 4096;

std::uint64_t HashAt(const MappedFile& file, std::size_t list, std::size_t index) {
  std::uint64_t hash;
  std::memcpy(&hash, file.data() + list + index * sizeof(hash), sizeof(hash));
  return hash;
}

std::vector<double> ReadBasis(const MappedFile& file, std::size_t count) {
  std::vector<double> basis(count);
  if (count > 0)
    std::memcpy(basis.data(), file.data() + sizeof(CodesHeader), count * sizeof(double));
  return basis;
}

}  // namespace

CodesSections::CodesSections(const CodesLayout& layout, std::size_t rows,
                             std::size_t matrix_bytes) {
  const std::size_t block_count = (rows + kBlockRows - 1) / kBlockRows;
  matrix_hash_count = (matrix_bytes + kHashedBytes - 1) / kHashedBytes;
  chunk_count = (rows + kCheckedRows - 1) / kCheckedRows;
  basis = sizeof(CodesHeader);
  matrix_hashes = basis + layout.directions * layout.dimension * sizeof(double);
  chunk_hashes = matrix_hashes + matrix_hash_count * sizeof(std::uint64_t);
  const std::size_t end = chunk_hashes + chunk_count * sizeof(std::uint64_t);
  blocks = (end + kPageBytes - 1) / kPageBytes * kPageBytes;
  file_bytes = blocks + block_count * layout.block_bytes();
}

std::string CodesPath(const std::string& matrix_path, std::size_t bits) {
  return matrix_path + ".q" + std::to_string(bits);
}

CodesHeader MakeCodesHeader(const CodesLayout& layout, const Matrix& matrix,
                            float predicted_candidates, std::uint64_t tables_hash) {
  CodesHeader header = {};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  header.version = kVersion;
  header.bits = static_cast<std::uint32_t>(layout.bits);
  header.rows = matrix.rows();
  header.matrix_bytes = matrix.file().size();
  header.dimension = static_cast<std::uint32_t>(layout.dimension);
  header.directions = static_cast<std::uint32_t>(layout.directions);
  header.predicted_candidates = predicted_candidates;
  header.tables_hash = tables_hash;
  header.header_hash = Hash64(&header, offsetof(CodesHeader, header_hash));
  return header;
}

QuantizedCodes QuantizedCodes::Open(const Matrix& matrix, std::size_t bits) {
  const std::string path = CodesPath(matrix.file().path(), bits);
  MappedFile file = MappedFile::Open(path);
  const auto refuse = [&](const char* code, const std::string& expected, const std::string& found) {
    throw Error(code, path, expected, found);
  };
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  CodesHeader header;
  if (file.size() < sizeof(header)) {
    refuse("ECODES_TRUNCATED", number(sizeof(header)) + " bytes or more", number(file.size()));
  }
  std::memcpy(&header, file.data(), sizeof(header));
  if (std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    refuse("ECODES_MAGIC", "quantized codes", "another kind of file");
  }
  if (header.version != kVersion) {
    refuse("ECODES_VERSION", "version " + number(kVersion), "version " + number(header.version));
  }
  if (header.header_hash != Hash64(&header, offsetof(CodesHeader, header_hash))) {
    refuse("ECODES_CORRUPT", "a header with its hash", "another hash");
  }
  if (header.bits != bits || header.directions > kMaxDirections) {
    refuse("ECODES_CORRUPT",
           number(bits) + " bits and at most " + number(kMaxDirections) + " directions",
           number(header.bits) + " bits and " + number(header.directions) + " directions");
  }
  if (header.rows != matrix.rows() || header.dimension != matrix.dimension() ||
      header.matrix_bytes != matrix.file().size()) {
    refuse("ECODES_STALE",
           number(matrix.rows()) + " x " + number(matrix.dimension()) + " in " +
               number(matrix.file().size()) + " bytes as in its matrix",
           number(header.rows) + " x " + number(header.dimension) + " in " +
               number(header.matrix_bytes) + " bytes");
  }
  const CodesLayout layout = {header.dimension, header.bits, header.directions};
  const CodesSections sections(layout, header.rows, header.matrix_bytes);
  if (file.size() != sections.file_bytes) {
    refuse("ECODES_TRUNCATED", number(sections.file_bytes) + " bytes",
           number(file.size()) + " bytes");
  }
  const std::size_t tables_end =
      sections.chunk_hashes + sections.chunk_count * sizeof(std::uint64_t);
  if (header.tables_hash != Hash64(file.data() + sections.basis, tables_end - sections.basis)) {
    refuse("ECODES_CORRUPT", "tables with their hash", "another hash");
  }
  return QuantizedCodes(std::move(file), header);
}

QuantizedCodes::QuantizedCodes(MappedFile file, const CodesHeader& header)
    : file_(std::move(file)),
      space_({header.dimension, header.bits, header.directions},
             ReadBasis(file_, header.directions * header.dimension)),
      sections_(space_.layout, header.rows, header.matrix_bytes),
      predicted_candidates_(header.predicted_candidates),
      blocks_(file_.data() + sections_.blocks) {}

std::size_t QuantizedCodes::check_count() const {
  return sections_.matrix_hash_count + sections_.chunk_count;
}

std::size_t QuantizedCodes::checked_bytes(std::size_t piece) const {
  const std::size_t chunk_bytes = kCheckedRows / kBlockRows * layout().block_bytes();
  const std::size_t begin = sections_.blocks + (piece - sections_.matrix_hash_count) * chunk_bytes;
  return std::min(chunk_bytes, file_.size() - begin);
}

void QuantizedCodes::Check(const Matrix& matrix, std::size_t piece) const {
  if (piece < sections_.matrix_hash_count) {
    const std::size_t begin = piece * kHashedBytes;
    const std::size_t size = std::min(kHashedBytes, matrix.file().size() - begin);
    if (Hash64(matrix.file().data() + begin, size) !=
        HashAt(file_, sections_.matrix_hashes, piece)) {
      throw Error("ECODES_STALE", file_.path(), "the matrix it was made from",
                  "one that differs after byte " + std::to_string(begin));
    }
    return;
  }
  const std::size_t chunk = piece - sections_.matrix_hash_count;
  const std::size_t chunk_bytes = kCheckedRows / kBlockRows * layout().block_bytes();
  const std::size_t begin = sections_.blocks + chunk * chunk_bytes;
  const std::size_t size = checked_bytes(piece);
  if (Hash64(file_.data() + begin, size) != HashAt(file_, sections_.chunk_hashes, chunk)) {
    throw Error("ECODES_CORRUPT", file_.path(), "codes with their hash",
                "another hash after byte " + std::to_string(begin));
  }
}

}  // namespace synoptic
