#include "quantized/codes_builder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/aligned.h"
#include "base/hash64.h"
#include "io/atomic_file.h"
#include "io/file.h"
#include "quantized/codes_planner.h"
#include "quantized/codes_space.h"
#include "quantized/codes_transform.h"
#include "quantized/quantized_codes.h"
#include "store/matrix.h"

namespace synoptic {
namespace {

struct Build {
  const Kernels& kernels;
  CodesRequest request;
  std::optional<Matrix> matrix;
  std::optional<CodesSpace> space;
  std::optional<CodesSections> sections;
  std::optional<AtomicFile> file;
  // Matrix hashes, then chunk hashes.
  std::vector<std::uint64_t> hashes;
  BuiltCodes result;

  std::size_t Prepare();
  void Run(std::size_t piece);
  void WriteChunk(std::size_t chunk);
  void Complete();
};

std::size_t Build::Prepare() {
  matrix.emplace(Matrix::Open(request.matrix_path));
  matrix->MeasureRows(kernels, 0, matrix->rows());
  std::vector<double> basis = PrincipalDirections(*matrix);
  const CodesPlan plan = PlanCodes(kernels, *matrix, basis, request.bits);
  result.bits = plan.bits;
  result.predicted_candidates = plan.predicted_candidates;
  if (plan.bits == 0) return 1;
  const CodesLayout layout = {matrix->dimension(), plan.bits, plan.directions};
  basis.resize(plan.directions * layout.dimension);
  space.emplace(layout, std::move(basis));
  sections.emplace(layout, matrix->rows(), matrix->file().size());
  hashes.resize(sections->matrix_hash_count + sections->chunk_count);
  file.emplace(CodesPath(request.matrix_path, plan.bits), sections->file_bytes);
  return hashes.size();
}

void Build::Run(std::size_t piece) {
  if (result.bits == 0) return;
  if (piece >= sections->matrix_hash_count) return WriteChunk(piece - sections->matrix_hash_count);
  const std::size_t begin = piece * kHashedBytes;
  const std::size_t size = std::min(kHashedBytes, matrix->file().size() - begin);
  hashes[piece] = Hash64(matrix->file().data() + begin, size);
}

void Build::WriteChunk(std::size_t chunk) {
  const CodesLayout& layout = space->layout;
  const std::size_t first = chunk * kCheckedRows;
  const std::size_t count = std::min(kCheckedRows, matrix->rows() - first);
  AlignedVector<std::uint8_t> blocks((count + kBlockRows - 1) / kBlockRows * layout.block_bytes());
  std::vector<double> scratch(2 * layout.padded());
  for (std::size_t i = 0; i < count; ++i) {
    // Invalid rows stay zeros: they are masked out of every search.
    if (matrix->norm(first + i) == 0) continue;
    space->WriteRow(matrix->values() + (first + i) * layout.dimension, matrix->norm(first + i),
                    i % kBlockRows, scratch.data(),
                    blocks.data() + i / kBlockRows * layout.block_bytes());
  }
  hashes[sections->matrix_hash_count + chunk] = Hash64(blocks.data(), blocks.size());
  file->Write(blocks.data(), blocks.size(),
              sections->blocks + chunk * (kCheckedRows / kBlockRows) * layout.block_bytes());
}

void Build::Complete() {
  matrix->file().CheckUnchanged();
  if (result.bits != 0) {
    std::vector<std::uint8_t> tables(space->basis.size() * sizeof(double) +
                                     hashes.size() * sizeof(std::uint64_t));
    const std::size_t basis_bytes = space->basis.size() * sizeof(double);
    if (basis_bytes > 0) std::memcpy(tables.data(), space->basis.data(), basis_bytes);
    if (!hashes.empty()) {
      std::memcpy(tables.data() + basis_bytes, hashes.data(), tables.size() - basis_bytes);
    }
    const CodesHeader header = MakeCodesHeader(space->layout, *matrix, result.predicted_candidates,
                                               Hash64(tables.data(), tables.size()));
    file->Write(&header, sizeof(header), 0);
    file->Write(tables.data(), tables.size(), sizeof(header));
    // A file without rows ends where its blocks would start.
    const std::vector<std::uint8_t> gap(sections->blocks - sizeof(header) - tables.size());
    file->Write(gap.data(), gap.size(), sizeof(header) + tables.size());
    file->Commit();
    result.bytes = sections->file_bytes;
  }
  for (const std::size_t other : {std::size_t{4}, std::size_t{8}}) {
    if (other == result.bits) continue;
    std::error_code ignored;
    std::filesystem::remove(NativePath(CodesPath(request.matrix_path, other)), ignored);
  }
}

}  // namespace

std::shared_ptr<BlockJob> BuildCodes(ThreadPool& pool, const Kernels& kernels, CodesRequest request,
                                     std::function<void(std::size_t, std::size_t)> progress,
                                     std::function<void(std::exception_ptr, BuiltCodes)> built) {
  const std::shared_ptr<Build> build(
      new Build{kernels, std::move(request), {}, {}, {}, {}, {}, {}});
  const auto done = std::make_shared<std::atomic<std::size_t>>(0);
  BlockJob::Steps steps;
  steps.prepare = [build] { return build->Prepare(); };
  steps.run = [build, done, progress = std::move(progress)](std::size_t piece) {
    build->Run(piece);
    if (progress) progress(done->fetch_add(1) + 1, std::max<std::size_t>(build->hashes.size(), 1));
  };
  steps.complete = [build] { build->Complete(); };
  steps.settle = [build, built = std::move(built)](std::exception_ptr error) {
    // Removes what a build that failed has written, before anyone hears of it.
    build->file.reset();
    built(error, build->result);
  };
  return BlockJob::Start(pool, std::move(steps));
}

}  // namespace synoptic
