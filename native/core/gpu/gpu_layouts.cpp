#include "gpu/gpu_layouts.h"

#include <vector>

namespace synoptic {
namespace {

std::uint64_t WordBytes(std::size_t rows) { return (rows + 63) / 64 * sizeof(std::uint64_t); }

void FillCodes(const QuantizedCodes& codes, const Matrix& matrix, const GpuBuffer& buffer,
               GpuUploader& uploader) {
  const CodesLayout& layout = codes.layout();
  const GpuCodesLayout parts(layout, matrix.rows());
  const std::size_t padded = layout.padded();
  uploader.Copy(buffer.At<void>(parts.codes), codes.block(0),
                parts.block_count * layout.block_bytes());
  uploader.Copy(buffer.At<void>(parts.valid), matrix.valid_words().data(),
                WordBytes(matrix.rows()));
  const auto copy = [&](std::uint64_t offset, const auto& values) {
    uploader.Copy(buffer.At<void>(offset), values.data(), values.size() * sizeof(values[0]));
  };
  copy(parts.basis, codes.space().basis);
  copy(parts.rotated_basis, codes.space().rotated_basis);
  for (std::size_t round = 0; round < 2; ++round) {
    copy(parts.sign + round * padded * sizeof(double), codes.space().rotation->round(round).sign);
    copy(parts.source + round * padded * sizeof(std::uint32_t),
         codes.space().rotation->round(round).source);
  }
}

void FillRows(const Matrix& matrix, const GpuBuffer& buffer, GpuUploader& uploader) {
  const GpuRowsLayout parts(matrix.dimension(), matrix.rows());
  uploader.Copy(buffer.At<void>(parts.rows), matrix.values(),
                matrix.rows() * matrix.dimension() * sizeof(float));
  std::vector<double> norms(matrix.rows());
  for (std::size_t row = 0; row < norms.size(); ++row) norms[row] = matrix.norm(row);
  uploader.Copy(buffer.At<void>(parts.norms), norms.data(), norms.size() * sizeof(double));
}

void FillHalf(const Matrix& matrix, const GpuBuffer& buffer, GpuUploader& uploader) {
  const GpuHalfLayout parts(matrix.dimension(), matrix.rows());
  uploader.Copy(buffer.At<void>(parts.valid), matrix.valid_words().data(),
                WordBytes(matrix.rows()));
  uploader.MakeHalf(matrix, {0, matrix.rows(), 1}, parts.stride,
                    buffer.At<std::uint16_t>(parts.half), buffer.At<float>(parts.residuals));
}

}  // namespace

GpuCodesLayout::GpuCodesLayout(const CodesLayout& codes, std::size_t rows)
    : block_count((rows + kBlockRows - 1) / kBlockRows) {
  const std::size_t padded = codes.padded();
  valid = AlignUp(block_count * codes.block_bytes());
  basis = valid + AlignUp(WordBytes(rows));
  rotated_basis = basis + AlignUp(codes.directions * codes.dimension * sizeof(double));
  sign = rotated_basis + AlignUp(codes.directions * padded * sizeof(double));
  source = sign + AlignUp(2 * padded * sizeof(double));
  bytes = source + AlignUp(2 * padded * sizeof(std::uint32_t));
}

GpuHalfLayout::GpuHalfLayout(std::size_t dimension, std::size_t rows)
    : stride((dimension + 7) / 8 * 8) {
  residuals = AlignUp(rows * stride * sizeof(std::uint16_t));
  valid = residuals + AlignUp(rows * sizeof(float));
  bytes = valid + AlignUp(WordBytes(rows));
}

GpuRowsLayout::GpuRowsLayout(std::size_t dimension, std::size_t row_count) {
  norms = AlignUp(row_count * dimension * sizeof(float));
  bytes = norms + AlignUp(row_count * sizeof(double));
}

std::uint64_t LayoutBytes(const Collection& collection, std::size_t column, GpuLayout layout) {
  switch (layout) {
    case GpuLayout::kCodes:
      return GpuCodesLayout(collection.codes(column)->layout(), collection.rows()).bytes;
    case GpuLayout::kHalf:
      return GpuHalfLayout(collection.dimension(), collection.rows()).bytes;
    case GpuLayout::kRows:
      break;
  }
  return GpuRowsLayout(collection.dimension(), collection.rows()).bytes;
}

void FillLayout(const Collection& collection, std::size_t column, GpuLayout layout,
                const GpuBuffer& buffer, GpuUploader& uploader) {
  const Matrix& matrix = collection.matrices()[column];
  try {
    if (layout == GpuLayout::kCodes) {
      FillCodes(*collection.codes(column), matrix, buffer, uploader);
    } else if (layout == GpuLayout::kHalf) {
      FillHalf(matrix, buffer, uploader);
    } else {
      FillRows(matrix, buffer, uploader);
    }
    uploader.Finish();
  } catch (...) {
    // The buffer goes, and what is on its way there must not come later.
    uploader.Drain();
    throw;
  }
  // A file that changed while it was read leaves nothing behind.
  collection.CheckUnchanged();
}

SynopticCodesSpace SpaceOf(const QuantizedCodes& codes, const GpuBuffer& buffer, std::size_t rows) {
  const CodesLayout& layout = codes.layout();
  const GpuCodesLayout parts(layout, rows);
  return {buffer.At<double>(parts.basis),
          buffer.At<double>(parts.rotated_basis),
          buffer.At<double>(parts.sign),
          buffer.At<std::uint32_t>(parts.source),
          static_cast<std::uint32_t>(layout.directions),
          static_cast<std::uint32_t>(layout.padded()),
          static_cast<std::uint32_t>(codes.space().rotation->block())};
}

}  // namespace synoptic
