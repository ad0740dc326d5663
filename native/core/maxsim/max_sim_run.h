// One maxsim request on its way through the pool: for every 32 of the query's tokens, first their
// levels against the tokens that the rows' texts have, then the best of each text.

#ifndef SYNOPTIC_MAXSIM_MAX_SIM_RUN_H_
#define SYNOPTIC_MAXSIM_MAX_SIM_RUN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "maxsim/max_sim.h"
#include "threads/thread_pool.h"

namespace synoptic {

class MaxSimRun : public std::enable_shared_from_this<MaxSimRun> {
 public:
  // Called once, on one of the pool's threads.
  using Done = std::function<void(std::exception_ptr, MaxSimResult)>;

  // Throws Error EARGUMENT.
  static std::shared_ptr<MaxSimRun> Start(ThreadPool& pool, std::shared_ptr<const MaxSim> index,
                                          MaxSimArguments arguments, Done done);

  // Ends with Error ECANCELLED, at the latest after the blocks that are being worked on.
  void Cancel() { cancelled_ = true; }

  ~MaxSimRun();

 private:
  MaxSimRun(ThreadPool& pool, std::shared_ptr<const MaxSim> index, MaxSimArguments arguments,
            Done done);

  // The first two start a job of the pool; its end goes on with the next one.
  void CompareGroup();
  void WeighGroup();
  void Result();
  // Does `next`, or ends with the error.
  void GoOn(std::exception_ptr error, void (MaxSimRun::*next)());

  void LoadGroup();
  void ChooseTokens();
  void CompareBlock(std::size_t block);
  void WeighBlock(std::size_t block);
  void WeighText(const std::int16_t* best, double* sums) const;
  // Of a row's text, or of all its texts as one where `text` is their number; one a measure.
  std::size_t SumsAt(std::size_t position, std::size_t text) const;
  MaxSimResult TakeResult() const;

  void StopIfCancelled() const;
  std::uint32_t RowAt(std::size_t position) const;

  ThreadPool& pool_;
  const std::shared_ptr<const MaxSim> index_;
  const MaxSimArguments arguments_;
  const Done done_;
  const std::size_t row_count_;
  std::atomic<bool> cancelled_{false};

  // Tokens of the texts that are scored.
  std::vector<std::uint16_t> text_tokens_;
  LevelTable levels_;
  // Row positions x (columns, then all texts as one) x measures.
  std::vector<double> sums_;

  // Of the group that is worked on: its first token, and MaxSimQuery's arrays.
  std::size_t group_ = 0;
  std::vector<std::int8_t> query_rows_;
  std::vector<std::int16_t> wide_query_rows_;
  std::vector<float> query_scales_;
  std::size_t query_lanes_ = 0;
};

}  // namespace synoptic

#endif  // SYNOPTIC_MAXSIM_MAX_SIM_RUN_H_
