#include "gpu/gpu_layouts.h"

#include <vector>

namespace synoptic {
namespace {

std::uint64_t WordBytes(std::size_t rows) { return (rows + 63) / 64 * sizeof(std::uint64_t); }

void FillShadow(const Shadow& shadow, const Matrix& matrix, const GpuBuffer& buffer,
                GpuUploader& uploader) {
  const ShadowLayout& layout = shadow.layout();
  const ShadowFormLayout form(layout, matrix.rows());
  const std::size_t padded = layout.padded();
  uploader.Copy(buffer.At<void>(form.codes), shadow.block(0),
                form.block_count * layout.block_bytes());
  uploader.Copy(buffer.At<void>(form.valid), matrix.valid_words().data(), WordBytes(matrix.rows()));
  const auto copy = [&](std::uint64_t offset, const auto& values) {
    uploader.Copy(buffer.At<void>(offset), values.data(), values.size() * sizeof(values[0]));
  };
  copy(form.basis, shadow.space().basis);
  copy(form.rotated_basis, shadow.space().rotated_basis);
  for (std::size_t round = 0; round < 2; ++round) {
    copy(form.sign + round * padded * sizeof(double), shadow.space().rotation->round(round).sign);
    copy(form.source + round * padded * sizeof(std::uint32_t),
         shadow.space().rotation->round(round).source);
  }
}

void FillRows(const Matrix& matrix, const GpuBuffer& buffer, GpuUploader& uploader) {
  const RowsFormLayout form(matrix.dimension(), matrix.rows());
  uploader.Copy(buffer.At<void>(form.rows), matrix.values(),
                matrix.rows() * matrix.dimension() * sizeof(float));
  std::vector<double> norms(matrix.rows());
  for (std::size_t row = 0; row < norms.size(); ++row) norms[row] = matrix.norm(row);
  uploader.Copy(buffer.At<void>(form.norms), norms.data(), norms.size() * sizeof(double));
}

void FillHalf(const Matrix& matrix, const GpuBuffer& buffer, GpuUploader& uploader) {
  const HalfFormLayout form(matrix.dimension(), matrix.rows());
  uploader.Copy(buffer.At<void>(form.valid), matrix.valid_words().data(), WordBytes(matrix.rows()));
  uploader.MakeHalf(matrix, {0, matrix.rows(), 1}, form.stride, buffer.At<std::uint16_t>(form.half),
                    buffer.At<float>(form.residuals));
}

}  // namespace

ShadowFormLayout::ShadowFormLayout(const ShadowLayout& shadow, std::size_t rows)
    : block_count((rows + kBlockRows - 1) / kBlockRows) {
  const std::size_t padded = shadow.padded();
  valid = AlignUp(block_count * shadow.block_bytes());
  basis = valid + AlignUp(WordBytes(rows));
  rotated_basis = basis + AlignUp(shadow.heads * shadow.dimension * sizeof(double));
  sign = rotated_basis + AlignUp(shadow.heads * padded * sizeof(double));
  source = sign + AlignUp(2 * padded * sizeof(double));
  bytes = source + AlignUp(2 * padded * sizeof(std::uint32_t));
}

HalfFormLayout::HalfFormLayout(std::size_t dimension, std::size_t rows)
    : stride((dimension + 7) / 8 * 8) {
  residuals = AlignUp(rows * stride * sizeof(std::uint16_t));
  valid = residuals + AlignUp(rows * sizeof(float));
  bytes = valid + AlignUp(WordBytes(rows));
}

RowsFormLayout::RowsFormLayout(std::size_t dimension, std::size_t row_count) {
  norms = AlignUp(row_count * dimension * sizeof(float));
  bytes = norms + AlignUp(row_count * sizeof(double));
}

std::uint64_t FormBytes(const Collection& collection, std::size_t column, GpuForm form) {
  switch (form) {
    case GpuForm::kShadow:
      return ShadowFormLayout(collection.shadow(column)->layout(), collection.rows()).bytes;
    case GpuForm::kHalf:
      return HalfFormLayout(collection.dimension(), collection.rows()).bytes;
    case GpuForm::kRows:
      break;
  }
  return RowsFormLayout(collection.dimension(), collection.rows()).bytes;
}

void FillForm(const Collection& collection, std::size_t column, GpuForm form,
              const GpuBuffer& buffer, GpuUploader& uploader) {
  const Matrix& matrix = collection.matrices()[column];
  try {
    if (form == GpuForm::kShadow) {
      FillShadow(*collection.shadow(column), matrix, buffer, uploader);
    } else if (form == GpuForm::kHalf) {
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
  // A file that changed while it was read leaves no form behind.
  collection.CheckUnchanged();
}

SynopticShadowSpace SpaceOf(const Shadow& shadow, const GpuBuffer& buffer, std::size_t rows) {
  const ShadowLayout& layout = shadow.layout();
  const ShadowFormLayout form(layout, rows);
  return {buffer.At<double>(form.basis),
          buffer.At<double>(form.rotated_basis),
          buffer.At<double>(form.sign),
          buffer.At<std::uint32_t>(form.source),
          static_cast<std::uint32_t>(layout.heads),
          static_cast<std::uint32_t>(layout.padded()),
          static_cast<std::uint32_t>(shadow.space().rotation->block())};
}

}  // namespace synoptic
