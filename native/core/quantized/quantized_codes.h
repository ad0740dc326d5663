// The quantized codes of a matrix on disk: `<matrix>.npy.q8` or `.q4` next to it, mapped. The file
// is bound to its matrix by the hash of each 4 MiB of it and checked by hashes of its own: a stale,
// corrupt, cut or foreign one is refused with an Error ECODES_*, never half used.
//
//   header | basis: directions x dimension float64 | matrix hashes | chunk hashes | blocks, at a
//   page
//
// All little-endian. A chunk is the blocks of kCheckedRows rows.

#ifndef SYNOPTIC_QUANTIZED_QUANTIZED_CODES_H_
#define SYNOPTIC_QUANTIZED_QUANTIZED_CODES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/mapped_file.h"
#include "kernels/codes_layout.h"
#include "quantized/codes_space.h"
#include "store/matrix.h"

namespace synoptic {

constexpr std::size_t kHashedBytes = std::size_t{4} << 20;
// A multiple of kBlockRows; part of the format.
constexpr std::size_t kCheckedRows = 256;

struct CodesHeader {
  char magic[8];
  std::uint32_t version;
  std::uint32_t bits;
  std::uint64_t rows;
  std::uint64_t matrix_bytes;
  std::uint32_t dimension;
  std::uint32_t directions;
  // Candidates that the planner expects of a search for ten, by pseudo-queries.
  float predicted_candidates;
  std::uint32_t reserved;
  // Of the basis and the two lists of hashes; of this header up to here.
  std::uint64_t tables_hash;
  std::uint64_t header_hash;
};
static_assert(sizeof(CodesHeader) == 64);

// Where the parts of the file stand.
struct CodesSections {
  CodesSections(const CodesLayout& layout, std::size_t rows, std::size_t matrix_bytes);
  std::size_t matrix_hash_count;
  std::size_t chunk_count;
  std::size_t basis;
  std::size_t matrix_hashes;
  std::size_t chunk_hashes;
  std::size_t blocks;
  std::size_t file_bytes;
};

std::string CodesPath(const std::string& matrix_path, std::size_t bits);
CodesHeader MakeCodesHeader(const CodesLayout& layout, const Matrix& matrix,
                            float predicted_candidates, std::uint64_t tables_hash);

// Owns its mapping; immutable.
class QuantizedCodes {
 public:
  // Checks everything but the hashes of the chunks and of the matrix. Throws Error ECODES_*.
  static QuantizedCodes Open(const Matrix& matrix, std::size_t bits);

  // The checks that read all of both files, cut into `check_count` pieces for the workers.
  std::size_t check_count() const;
  // The first pieces read the matrix, the others the codes.
  std::size_t matrix_check_count() const { return sections_.matrix_hash_count; }
  // Of the codes, that a piece of theirs reads.
  std::size_t checked_bytes(std::size_t piece) const;
  void Check(const Matrix& matrix, std::size_t piece) const;

  const CodesSpace& space() const { return space_; }
  const CodesLayout& layout() const { return space_.layout; }
  const MappedFile& file() const { return file_; }
  float predicted_candidates() const { return predicted_candidates_; }
  const std::uint8_t* block(std::size_t index) const {
    return blocks_ + index * layout().block_bytes();
  }

 private:
  QuantizedCodes(MappedFile file, const CodesHeader& header);

  MappedFile file_;
  CodesSpace space_;
  CodesSections sections_;
  float predicted_candidates_;
  const std::uint8_t* blocks_;
};

}  // namespace synoptic

#endif  // SYNOPTIC_QUANTIZED_QUANTIZED_CODES_H_
