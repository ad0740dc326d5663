/* The C interface of libsynoptic_cuda: memory, streams, graphs and one launch an operation. The
 * library decides nothing; native/core/gpu does. Every call returns a SynopticCudaStatus, and
 * last_error() says more of this thread's last failure. Pointers named `device` and all pointers
 * inside argument structs are device memory. A stream is used by one thread at a time.
 *
 * Candidates, bounds and thresholds are those of docs/numerics.md. */

#ifndef SYNOPTIC_CUDA_H_
#define SYNOPTIC_CUDA_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of this file. */
#define SYNOPTIC_CUDA_VERSION 3u
#define SYNOPTIC_CUDA_MAX_DIRECTIONS 8
/* Buckets of SynopticSelect that fit a block's shared memory; more are given in device memory.
 */
#define SYNOPTIC_CUDA_SHARED_BUCKETS 4096u

typedef enum SynopticCudaStatus {
  SYNOPTIC_CUDA_OK = 0,
  SYNOPTIC_CUDA_NO_DRIVER = 1,
  SYNOPTIC_CUDA_DRIVER_TOO_OLD = 2,
  SYNOPTIC_CUDA_NO_DEVICE = 3,
  SYNOPTIC_CUDA_NO_BLAS = 4,
  SYNOPTIC_CUDA_OUT_OF_MEMORY = 5,
  /* For this process's lifetime: every later call fails as well. */
  SYNOPTIC_CUDA_DEVICE_LOST = 6,
  SYNOPTIC_CUDA_FAILED = 7,
} SynopticCudaStatus;

typedef struct SynopticStream SynopticStream;
typedef struct SynopticGraph SynopticGraph;

typedef struct SynopticDevice {
  char name[256];
  int32_t major; /* compute capability */
  int32_t minor;
  int32_t multiprocessors;
  uint64_t total_bytes;
} SynopticDevice;

typedef struct SynopticCandidate {
  float upper;
  float lower;
  uint32_t row;
  uint16_t column;
  uint16_t exact; /* both bounds are the exact score */
} SynopticCandidate;

/* Candidates of several queries: `capacity` slots a query, and how many were found, which may be
 * more than there are slots. */
typedef struct SynopticCandidates {
  SynopticCandidate* list;
  uint32_t* counts;
  uint32_t capacity;
} SynopticCandidates;

/* The space of a column's codes (native/core/quantized/codes_space.h). */
typedef struct SynopticCodesSpace {
  const double* basis;         /* directions x dimension */
  const double* rotated_basis; /* directions x padded */
  const double* sign;          /* 2 rounds x padded */
  const uint32_t* source;      /* 2 rounds x padded */
  uint32_t directions;
  uint32_t padded;
  uint32_t hadamard; /* a power of two that divides `padded` */
} SynopticCodesSpace;

/* The values of a query in such a space, in addition to its integers. */
typedef struct SynopticCodesQuery {
  float scale;
  float norm;
  float phi;
  float slack;
  float along[SYNOPTIC_CUDA_MAX_DIRECTIONS];
  int32_t wide_sum;
} SynopticCodesQuery;

/* Grid of queries x spaces. Integers of (space s, query q) begin at planes + (s * query_count + q)
 * * plane_bytes: `padded` high bytes, then as many low ones; the query itself at coded_queries[s *
 * query_count
 * + q]. */
typedef struct SynopticPrepareCodes {
  const SynopticCodesSpace* spaces;
  const float* queries; /* query_count x dimension */
  const double* norms;
  int8_t* planes;
  SynopticCodesQuery* coded_queries;
  uint32_t space_count;
  uint32_t query_count;
  uint32_t dimension;
  uint32_t plane_bytes;
  uint32_t max_padded; /* of all spaces */
} SynopticPrepareCodes;

/* The blocks of 16 rows of one column's codes (native/core/kernels/codes_layout.h). */
typedef struct SynopticCodesView {
  const uint8_t* codes;
  const uint64_t* valid;
  uint32_t block_count;
  uint32_t block_bytes;
  uint32_t padded;
  uint32_t directions;
  uint32_t space; /* its number in SynopticPrepareCodes */
  uint32_t column;
} SynopticCodesView;

typedef struct SynopticBoundCodes {
  const SynopticCodesView* views; /* all of `bits` bits */
  const int8_t* planes;
  const SynopticCodesQuery* coded_queries;
  const uint64_t* mask; /* null: all rows pass */
  const float* thresholds;
  SynopticCandidates found;
  uint32_t bits;
  uint32_t view_count;
  uint32_t max_blocks; /* of all views */
  uint32_t query_count;
  uint32_t plane_bytes;
  uint32_t stride; /* 1: all blocks; else every stride-th */
} SynopticBoundCodes;

/* Unit vectors in float16, and how far each is from the true one. */
typedef struct SynopticMakeHalf {
  const float* rows; /* row_count x dimension */
  const double* norms;
  uint16_t* half; /* row_count x stride */
  float* residuals;
  uint64_t row_count;
  uint32_t dimension;
  uint32_t stride; /* a multiple of 8 */
} SynopticMakeHalf;

/* scores[query * score_stride + i] = half row i * row_step . half query */
typedef struct SynopticMultiply {
  const uint16_t* rows;
  const uint16_t* queries;
  float* scores;
  uint32_t row_count;
  uint32_t query_count;
  uint32_t stride;
  uint32_t row_step;
  uint32_t score_stride;
} SynopticMultiply;

/* Keeps what reaches the thresholds. Row i of the scores is row first_row + i * row_step and has
 * residual i * residual_step. */
typedef struct SynopticFilterScores {
  const float* scores;
  const float* row_residuals;
  const float* query_residuals;
  const uint64_t* valid;
  const uint64_t* mask;
  const float* thresholds;
  SynopticCandidates found;
  uint64_t first_row;
  uint32_t row_count;
  uint32_t row_step;
  uint32_t residual_step;
  uint32_t query_count;
  uint32_t score_stride;
  uint32_t column;
  float slack;
} SynopticFilterScores;

/* thresholds[q] = max(thresholds[q], the k-th best lower bound of distinct rows, or pairs). Rows
 * share `bucket_count` (a power of two) buckets, and only a bucket's best counts. What reaches the
 * threshold goes to `kept`, whose counts need no zeros; without kept.list nothing does, and those
 * found are forgotten: their counts become zero. */
typedef struct SynopticSelect {
  SynopticCandidates found;
  SynopticCandidates kept;
  float* thresholds;
  uint32_t* buckets; /* query_count x bucket_count, where they are more than SHARED_BUCKETS */
  uint32_t bucket_count;
  uint32_t query_count;
  uint32_t k;
  uint32_t distinct;
} SynopticSelect;

/* A column's float32; null rows: not here. */
typedef struct SynopticRows {
  const float* rows;
  const double* norms;
} SynopticRows;

/* Exact scores in place of bounds, where the rows are here. */
typedef struct SynopticRescore {
  const SynopticRows* columns; /* by column number */
  const float* queries;
  const double* norms;
  SynopticCandidates found;
  uint32_t query_count;
  uint32_t dimension;
} SynopticRescore;

typedef struct SynopticCudaApi {
  uint32_t version;
  uint32_t bytes; /* of this struct */

  const char* (*last_error)(void);

  /* OK, NO_DRIVER, DRIVER_TOO_OLD or NO_DEVICE. Versions as CUDA writes them: 13000 is 13.0; 0:
   * unknown. */
  int (*probe)(int* device_count, int* driver_version, int* built_with);
  int (*describe)(int device, SynopticDevice* description);
  /* Brings the kernels into the device's memory, so that no search waits for it. FAILED: the
   * library has none for such a device. */
  int (*load_kernels)(int device);
  int (*memory)(int device, uint64_t* free_bytes, uint64_t* total_bytes);

  int (*allocate)(int device, uint64_t bytes, void** memory);
  int (*release)(int device, void* memory);
  int (*allocate_pinned)(int device, uint64_t bytes, void** memory);
  int (*release_pinned)(void* memory);

  int (*open_stream)(int device, SynopticStream** stream);
  int (*close_stream)(SynopticStream* stream);
  int (*synchronize)(SynopticStream* stream);
  int (*copy_in)(SynopticStream* stream, void* device, const void* host, uint64_t bytes);
  int (*copy_out)(SynopticStream* stream, void* host, const void* device, uint64_t bytes);
  int (*fill_zero)(SynopticStream* stream, void* device, uint64_t bytes);

  /* cuBLAS: a file or folder; null: $SYNOPTIC_CUBLAS, then the usual names. last_error() says where
   * it was looked for. Until it is loaded, multiply_half is NO_BLAS. */
  int (*load_blas)(const char* path);

  int (*prepare_codes)(SynopticStream* stream, const SynopticPrepareCodes* arguments);
  int (*bound_codes)(SynopticStream* stream, const SynopticBoundCodes* arguments);
  int (*make_half)(SynopticStream* stream, const SynopticMakeHalf* arguments);
  int (*multiply_half)(SynopticStream* stream, const SynopticMultiply* arguments);
  int (*filter_scores)(SynopticStream* stream, const SynopticFilterScores* arguments);
  int (*select)(SynopticStream* stream, const SynopticSelect* arguments);
  int (*rescore)(SynopticStream* stream, const SynopticRescore* arguments);

  /* What is issued on the stream between the two is recorded, not run; never multiply_half. */
  int (*begin_graph)(SynopticStream* stream);
  int (*end_graph)(SynopticStream* stream, SynopticGraph** graph);
  int (*run_graph)(SynopticStream* stream, SynopticGraph* graph);
  int (*drop_graph)(SynopticGraph* graph);
} SynopticCudaApi;

/* Null when the library has another version than the requested one. */
typedef const SynopticCudaApi* (*SynopticCudaEntry)(uint32_t version);
#if defined(SYNOPTIC_CUDA_BUILD)
__attribute__((visibility("default")))
#endif
const SynopticCudaApi* synoptic_cuda_api(uint32_t version);

#ifdef __cplusplus
}
#endif

#endif /* SYNOPTIC_CUDA_H_ */
