// Stores the history of reconciles in a directory (--reconcile-history-dir), so that it survives a restart.
//
// The file `reconciles` has a header with the number of its format and a line for each reconcile
// (stored_reconcile.hpp). When it is larger than limits::kHistoryFileBytes it becomes `reconciles.old`, so both
// together are bounded and have the last reconciles. They are readable by their owner only.
//
// A reconcile only adds its line to memory. Once per second the lines are written, kSlice bytes in a turn of the loop,
// into the page cache: that takes microseconds. After a slow write the next one waits 500 times as long, so that a slow
// disk cannot occupy the loop. The file is not synchronized: after a crash of the process it is complete, and after one
// of the node its end may be missing.
//
// The history is a diagnosis, so a disk problem never stops the program: an error is logged once, the lines of that
// time are dropped, and the store tries again each minute. A damaged line is skipped, and so is a file of another
// format.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/runnable.hpp"
#include "src/controller/reconcile_history.hpp"

namespace keelson::limits {

// A file, of which there are two, with about 15,000 reconciles.
inline constexpr std::size_t kHistoryFileBytes = std::size_t{4} << 20;

}  // namespace keelson::limits

namespace keelson::controller {

class HistoryStore final : public async::Runnable {
 public:
  // As write(2); a test passes one that fails.
  using Write = std::function<long(int file, const char* bytes, std::size_t size)>;

  // `controllers` has the names of the controllers by their ids. All references must outlive the store; it observes
  // `history` until it is destroyed.
  HistoryStore(boost::asio::any_io_executor executor, async::Clock& clock, Logger log, ReconcileHistory& history,
               std::vector<std::string> controllers, std::string folder, Write write = {});
  HistoryStore(const HistoryStore&) = delete;
  HistoryStore& operator=(const HistoryStore&) = delete;
  ~HistoryStore() override;

  // Adds what earlier processes have stored to the history, and opens the file. It reads up to twice
  // limits::kHistoryFileBytes at once: call it before the loop runs.
  void load();

  [[nodiscard]] std::string name() const override { return "reconcile history"; }
  [[nodiscard]] Task<void> start() override;
  // Writes what is left.
  [[nodiscard]] boost::asio::awaitable<void> stop() override;

 private:
  [[nodiscard]] boost::asio::awaitable<void> work();
  void load_file(const std::string& path, std::size_t& damaged);
  void note(ReconcileHistory::ControllerId controller, const kube::Key& key, const ReconcileRecord& record);
  [[nodiscard]] Result<void> open();
  void close();
  // Writes about kSlice bytes; false after an error.
  [[nodiscard]] bool write_slice();
  [[nodiscard]] Result<void> write_some();
  [[nodiscard]] Result<void> rotate();
  void fail(const Error& error);

  async::Clock& clock_;
  Logger log_;
  ReconcileHistory& history_;
  std::vector<std::string> controllers_;
  std::string path_;
  Write write_;
  int file_ = -1;
  int lock_ = -1;
  std::size_t size_ = 0;     // of the file
  std::string pending_;      // lines that are not written yet
  bool is_in_line_ = false;  // the file ends within a line
  bool is_torn_ = false;     // that line is never completed
  std::string last_error_;
  async::TimePoint retry_at_{};
  async::TaskGroup tasks_;
};

}  // namespace keelson::controller
