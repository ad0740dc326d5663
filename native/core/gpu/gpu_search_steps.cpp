// The operations of a search, in the order in which a device does them.

#include <algorithm>

#include "gpu/gpu_layouts.h"
#include "gpu/gpu_search.h"

namespace synoptic {
namespace {

// Sums of `stride` products in float32, in whatever order tensor cores take them, which may cut off
// where others round: 2^-22 of the sum of the products' absolute values, at most about 1, for each;
// then the roundings of the bound itself and of the exact score.
float HalfSlack(std::size_t stride) {
  return static_cast<float>((static_cast<double>(stride) * 1.01 + 16) * 0x1p-22);
}

}  // namespace

void GpuSearch::Issue() {
  GpuStream& stream = worker_.stream();
  stream.CopyIn(workspace_->At<void>(group_->input), input_->At<void>(0), group_->input_bytes);
  PrepareQueries();
  Sample();
  Visit(1);
  Finish();
}

void GpuSearch::PrepareQueries() {
  const auto count = static_cast<std::uint32_t>(group_->query_count);
  const auto dimension = static_cast<std::uint32_t>(shape_.dimension);
  GpuStream& stream = worker_.stream();
  if (shape_.codes_columns > 0) {
    stream.Run(stream.device().api().prepare_codes,
               SynopticPrepareCodes{
                   workspace_->At<SynopticCodesSpace>(group_->spaces),
                   workspace_->At<float>(group_->queries), workspace_->At<double>(group_->norms),
                   workspace_->At<std::int8_t>(group_->planes),
                   workspace_->At<SynopticCodesQuery>(group_->coded_queries),
                   static_cast<std::uint32_t>(shape_.codes_columns), count, dimension,
                   group_->plane_bytes, static_cast<std::uint32_t>(shape_.max_padded)});
  }
  if (shape_.half_columns > 0) {
    stream.Run(stream.device().api().make_half,
               SynopticMakeHalf{workspace_->At<float>(group_->queries),
                                workspace_->At<double>(group_->norms),
                                workspace_->At<std::uint16_t>(group_->half),
                                workspace_->At<float>(group_->half_residuals), count, dimension,
                                static_cast<std::uint32_t>(group_->half_stride)});
  }
}

void GpuSearch::Sample() {
  if (selection_.sample_step == 1) return;
  Visit(selection_.sample_step);
  Select(Found(), {nullptr, nullptr, 0});
}

// Bounds of every step-th block or row of all columns.
void GpuSearch::Visit(std::uint32_t step) {
  for (const std::size_t bits : {std::size_t{8}, std::size_t{4}}) BoundAllCodes(bits, step);
  for (const Column& column : columns_) {
    if (column.layout != GpuLayout::kHalf) continue;
    if (column.buffer == nullptr) {
      StreamHalf(column, step);
      continue;
    }
    const GpuHalfLayout parts(shape_.dimension, shape_.rows);
    MultiplyHalf(column, {column.buffer->At<std::uint16_t>(parts.half),
                          column.buffer->At<float>(parts.residuals),
                          column.buffer->At<std::uint64_t>(parts.valid),
                          {0, (shape_.rows + step - 1) / step, step},
                          step});
  }
}

std::size_t GpuSearch::CountCodes(std::size_t bits) const {
  return static_cast<std::size_t>(
      std::count_if(columns_.begin(), columns_.end(), [&](const Column& column) {
        return column.layout == GpuLayout::kCodes &&
               collection_.codes(column.number)->layout().bits == bits;
      }));
}

void GpuSearch::BoundAllCodes(std::size_t bits, std::uint32_t step) {
  const std::size_t count = CountCodes(bits);
  if (count == 0) return;
  // Those with eight bits stand first.
  const std::size_t first = bits == 8 ? 0 : CountCodes(8);
  const std::size_t blocks = (shape_.rows + kBlockRows - 1) / kBlockRows;
  GpuStream& stream = worker_.stream();
  stream.Run(stream.device().api().bound_codes,
             SynopticBoundCodes{workspace_->At<SynopticCodesView>(group_->views) + first,
                                workspace_->At<std::int8_t>(group_->planes),
                                workspace_->At<SynopticCodesQuery>(group_->coded_queries), Mask(),
                                workspace_->At<float>(group_->thresholds), Found(),
                                static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(count),
                                static_cast<std::uint32_t>(blocks),
                                static_cast<std::uint32_t>(group_->query_count),
                                group_->plane_bytes, step});
}

// A column that is not resident passes through the worker's chunk, piece by piece.
void GpuSearch::StreamHalf(const Column& column, std::uint32_t step) {
  const Matrix& matrix = collection_.matrices()[column.number];
  const GpuBuffer& chunk = worker_.Chunk();
  const std::uint64_t valid_bytes = AlignUp(matrix.valid_words().size() * sizeof(std::uint64_t));
  const std::uint64_t row_bytes = group_->half_stride * sizeof(std::uint16_t) + sizeof(float);
  const std::uint64_t used = valid_bytes + kGpuAlignment;
  const std::size_t most =
      chunk.bytes() > used ? static_cast<std::size_t>((chunk.bytes() - used) / row_bytes) : 0;
  if (most == 0) throw Error("ECUDA_MEMORY", "a row does not fit the memory for streaming");
  auto* half = chunk.At<std::uint16_t>(valid_bytes);
  auto* residuals =
      chunk.At<float>(valid_bytes + AlignUp(most * group_->half_stride * sizeof(std::uint16_t)));
  const std::size_t visited = (shape_.rows + step - 1) / step;
  // The chunk may still be read by earlier work of the stream.
  worker_.stream().Synchronize();
  worker_.uploader().Copy(chunk.At<void>(0), matrix.valid_words().data(),
                          matrix.valid_words().size() * sizeof(std::uint64_t));
  for (std::size_t done = 0; done < visited; done += most) {
    const RowRange rows = {done * step, std::min(most, visited - done), step};
    worker_.uploader().MakeHalf(matrix, rows, group_->half_stride, half, residuals);
    worker_.uploader().Finish();
    MultiplyHalf(column, {half, residuals, chunk.At<std::uint64_t>(0), rows, 1});
    worker_.stream().Synchronize();
  }
}

// Scores are kept for a tile of rows only, while they are compared.
void GpuSearch::MultiplyHalf(const Column& column, const HalfPiece& piece) {
  const auto query_count = static_cast<std::uint32_t>(group_->query_count);
  const auto stride = static_cast<std::uint32_t>(group_->half_stride);
  const auto score_stride = static_cast<std::uint32_t>(group_->tile_rows);
  GpuStream& stream = worker_.stream();
  for (std::size_t done = 0; done < piece.rows.count; done += group_->tile_rows) {
    const auto count =
        static_cast<std::uint32_t>(std::min(group_->tile_rows, piece.rows.count - done));
    const std::size_t on_device = done * piece.device_step;
    stream.Run(stream.device().api().multiply_half,
               SynopticMultiply{piece.half + on_device * stride,
                                workspace_->At<std::uint16_t>(group_->half),
                                workspace_->At<float>(group_->scores), count, query_count, stride,
                                static_cast<std::uint32_t>(piece.device_step), score_stride});
    stream.Run(
        stream.device().api().filter_scores,
        SynopticFilterScores{workspace_->At<float>(group_->scores), piece.residuals + on_device,
                             workspace_->At<float>(group_->half_residuals), piece.valid, Mask(),
                             workspace_->At<float>(group_->thresholds), Found(),
                             piece.rows.first + done * piece.rows.step, count,
                             static_cast<std::uint32_t>(piece.rows.step),
                             static_cast<std::uint32_t>(piece.device_step), query_count,
                             score_stride, column.number, HalfSlack(stride)});
  }
}

// Without a place to go to, those found only raise the thresholds.
void GpuSearch::Select(const SynopticCandidates& from, const SynopticCandidates& to) {
  GpuStream& stream = worker_.stream();
  stream.Run(stream.device().api().select,
             SynopticSelect{from, to, workspace_->At<float>(group_->thresholds),
                            workspace_->At<std::uint32_t>(group_->buckets), selection_.bucket_count,
                            static_cast<std::uint32_t>(group_->query_count),
                            static_cast<std::uint32_t>(shape_.k), arguments_.distinct ? 1u : 0u});
}

// From what was found to what the host orders: drop, score, drop.
void GpuSearch::Finish() {
  GpuStream& stream = worker_.stream();
  Select(Found(), Kept());
  stream.Run(
      stream.device().api().rescore,
      SynopticRescore{workspace_->At<SynopticRows>(group_->rows),
                      workspace_->At<float>(group_->queries), workspace_->At<double>(group_->norms),
                      Kept(), static_cast<std::uint32_t>(group_->query_count),
                      static_cast<std::uint32_t>(shape_.dimension)});
  Select(Kept(), Out());
  stream.CopyOut(output_->At<void>(0), workspace_->At<void>(group_->found_counts),
                 group_->output_bytes);
}

// A column that is streamed waits for the host.
bool GpuSearch::CanBeRecorded() const {
  return std::all_of(columns_.begin(), columns_.end(),
                     [](const Column& column) { return column.buffer != nullptr; });
}

// All that the launches of a recording take by value. What their pointers point to is copied
// in each time, but for the rows of products, whose addresses are values.
std::vector<std::uint64_t> GpuSearch::RecordingKey() const {
  std::vector<std::uint64_t> key = {group_->query_count, shape_.k,           arguments_.distinct,
                                    shape_.rows,         shape_.dimension,   shape_.max_padded,
                                    shape_.mask_words,   shape_.all_columns, shape_.codes_columns,
                                    CountCodes(8)};
  for (const Column& column : columns_) {
    if (column.layout != GpuLayout::kHalf) continue;
    key.push_back(column.number);
    key.push_back(reinterpret_cast<std::uint64_t>(column.buffer->At<void>(0)));
  }
  return key;
}

SynopticCandidates GpuSearch::Found() const {
  return {workspace_->At<SynopticCandidate>(group_->found_list),
          workspace_->At<std::uint32_t>(group_->found_counts), selection_.capacity};
}

SynopticCandidates GpuSearch::Kept() const {
  return {workspace_->At<SynopticCandidate>(group_->kept_list),
          workspace_->At<std::uint32_t>(group_->kept_counts), selection_.capacity};
}

SynopticCandidates GpuSearch::Out() const {
  return {workspace_->At<SynopticCandidate>(group_->out_list),
          workspace_->At<std::uint32_t>(group_->out_counts), selection_.out_capacity};
}

const std::uint64_t* GpuSearch::Mask() const {
  return shape_.mask_words == 0 ? nullptr : workspace_->At<std::uint64_t>(group_->mask);
}

}  // namespace synoptic
