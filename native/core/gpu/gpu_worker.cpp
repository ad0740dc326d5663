#include "gpu/gpu_worker.h"

#include <algorithm>

#include "base/error.h"

namespace synoptic {
namespace {

// Searches of one page size, alone and in the batches that meet by chance.
constexpr std::size_t kMaxRecordings = 16;

// Growing by halves keeps a worker from allocating for each search that is a little larger.
std::uint64_t Roomy(std::uint64_t bytes) { return bytes + bytes / 2; }

}  // namespace

GpuWorker::~GpuWorker() { Release(); }

GpuStream& GpuWorker::stream() {
  if (stream_ == nullptr) stream_ = std::make_unique<GpuStream>(memory_.device());
  return *stream_;
}

GpuUploader& GpuWorker::uploader() {
  if (uploader_ == nullptr) {
    uploader_ =
        std::make_unique<GpuUploader>(memory_, options_.staging_bytes, options_.staging_slots);
  }
  return *uploader_;
}

const GpuBuffer& GpuWorker::Workspace(std::uint64_t bytes) {
  if (workspace_ == nullptr || workspace_->bytes() < bytes) {
    DropRecordings();
    workspace_.reset();
    try {
      workspace_ = memory_.Reserve(Roomy(bytes));
    } catch (const Error& error) {
      if (error.code != "ECUDA_MEMORY") throw;
      workspace_ = memory_.Reserve(bytes);
    }
  }
  return *workspace_;
}

const GpuBuffer& GpuWorker::Chunk() {
  if (chunk_ == nullptr) chunk_ = memory_.Reserve(options_.chunk_bytes);
  return *chunk_;
}

const PinnedBuffer& GpuWorker::Input(std::uint64_t bytes) {
  if (!input_ || input_->bytes() < bytes) {
    DropRecordings();
    input_.reset();
    input_.emplace(memory_.device(), Roomy(bytes));
  }
  return *input_;
}

const PinnedBuffer& GpuWorker::Output(std::uint64_t bytes) {
  if (!output_ || output_->bytes() < bytes) {
    DropRecordings();
    output_.reset();
    output_.emplace(memory_.device(), Roomy(bytes));
  }
  return *output_;
}

void GpuWorker::RunRecorded(const std::vector<std::uint64_t>& key,
                            const std::function<void()>& issue) {
  if (!recording_problem_.empty()) return issue();
  const auto found = std::find_if(recordings_.begin(), recordings_.end(),
                                  [&](const Recording& recording) { return recording.key == key; });
  if (found == recordings_.end()) {
    recordings_.push_front({key, nullptr});
    if (recordings_.size() > kMaxRecordings) DropLastRecording();
    return issue();
  }
  recordings_.splice(recordings_.begin(), recordings_, found);
  SynopticGraph*& graph = recordings_.front().graph;
  if (graph == nullptr) graph = Record(issue);
  if (graph == nullptr) return issue();
  memory_.device().Check(memory_.device().api().run_graph(stream().get(), graph));
}

SynopticGraph* GpuWorker::Record(const std::function<void()>& issue) {
  const SynopticCudaApi& api = memory_.device().api();
  SynopticGraph* graph = nullptr;
  try {
    memory_.device().Check(api.begin_graph(stream().get()));
    try {
      issue();
    } catch (...) {
      // The stream has to leave the recording, whatever became of it.
      if (api.end_graph(stream().get(), &graph) == SYNOPTIC_CUDA_OK) api.drop_graph(graph);
      throw;
    }
    memory_.device().Check(api.end_graph(stream().get(), &graph));
  } catch (const Error& error) {
    if (error.code == "ECUDA_LOST") throw;
    // Without memory it may be possible later; what a device cannot do, it will not learn.
    if (error.code != "ECUDA_MEMORY") recording_problem_ = error.what();
    return nullptr;
  }
  return graph;
}

void GpuWorker::Drain() noexcept {
  if (stream_ != nullptr) stream_->Drain();
  if (uploader_ != nullptr) uploader_->Drain();
}

void GpuWorker::Release() {
  Drain();
  DropRecordings();
  uploader_.reset();
  workspace_.reset();
  chunk_.reset();
  input_.reset();
  output_.reset();
}

void GpuWorker::DropRecordings() {
  while (!recordings_.empty()) DropLastRecording();
}

void GpuWorker::DropLastRecording() {
  SynopticGraph* graph = recordings_.back().graph;
  recordings_.pop_back();
  if (graph != nullptr) memory_.device().api().drop_graph(graph);
}

}  // namespace synoptic
