#include "src/controller/history_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/local_file.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/controller/stored_reconcile.hpp"

namespace keelson::controller {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Lines that wait to be written, which are more than a second's. Further ones are dropped.
constexpr std::size_t kHistoryPendingBytes = std::size_t{1} << 20;

constexpr async::Duration kBetweenWrites = 1s;
constexpr async::Duration kBetweenRetries = 1min;
// A turn of the loop may take 2 ms.
constexpr std::size_t kSlice = std::size_t{32} << 10;
constexpr async::Duration kSlowWrite = 2ms;
constexpr int kPausePerWrite = 500;

Error file_problem(const char* what, const std::string& path) {
  return invalid_error(std::string(what) + " " + path + ": " + base::words_of_errno(errno));
}

std::string former(const std::string& path) { return path + ".old"; }

}  // namespace

HistoryStore::HistoryStore(asio::any_io_executor executor, async::Clock& clock, Logger log, ReconcileHistory& history,
                           std::vector<std::string> controllers, std::string folder, Write write)
    : clock_(clock),
      log_(std::move(log)),
      history_(history),
      controllers_(std::move(controllers)),
      path_(std::move(folder) + "/reconciles"),
      write_(write ? std::move(write) : Write(::write)),
      tasks_(std::move(executor)) {
  history_.observe([this](auto controller, const auto& key, const auto& record) { note(controller, key, record); });
}

HistoryStore::~HistoryStore() {
  history_.observe({});
  close();
  if (lock_ >= 0) ::close(lock_);
}

void HistoryStore::load() {
  auto opened = open();
  if (!opened) return fail(opened.error());
  std::size_t damaged = 0;
  // Records that are read must not be written again.
  history_.observe({});
  load_file(former(path_), damaged);
  load_file(path_, damaged);
  history_.observe([this](auto controller, const auto& key, const auto& record) { note(controller, key, record); });
  if (damaged > 0) {
    log_.info("Skipped damaged lines of the stored history of reconciles",
              {{"file", path_}, {"lines", std::uint64_t{damaged}}});
  }
}

void HistoryStore::load_file(const std::string& path, std::size_t& damaged) {
  // The last batch may have exceeded the limit.
  auto content = base::read_local_file(path, 2 * limits::kHistoryFileBytes);
  if (!content) return fail(content.error());
  if (!*content || (*content)->empty()) return;
  std::string_view rest = **content;
  const bool is_own = path == path_;
  if (is_own) is_torn_ = is_in_line_ = !rest.ends_with('\n');
  bool is_first = true;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (std::exchange(is_first, false)) {
      if (line == kStoredHistoryHeader) continue;
      log_.info("The stored history of reconciles has another format and is not read", {{"file", path}});
      // A program of that format may return.
      if (is_own) static_cast<void>(rotate());
      return;
    }
    if (line.empty()) continue;
    auto stored = parse_stored(history_, line);
    const auto found = stored ? std::ranges::find(controllers_, stored->controller) : controllers_.end();
    damaged += stored ? 0 : 1;
    // The controller may be disabled now.
    if (found == controllers_.end()) continue;
    history_.add(static_cast<ReconcileHistory::ControllerId>(found - controllers_.begin()), stored->key,
                 stored->record);
  }
}

void HistoryStore::note(ReconcileHistory::ControllerId controller, const kube::Key& key,
                        const ReconcileRecord& record) {
  if (pending_.size() >= kHistoryPendingBytes || controller >= controllers_.size()) return;
  const auto line = stored_line(history_, controllers_[controller], key, record);
  // A slice has whole lines; a longer one would never be written, nor those after it.
  if (line.size() < kSlice) pending_ += line;
}

Task<void> HistoryStore::start() {
  tasks_.spawn(work());
  co_return Result<void>();
}

asio::awaitable<void> HistoryStore::stop() {
  tasks_.stop();
  co_await tasks_.join();
  while (!pending_.empty() && write_slice()) {
  }
}

asio::awaitable<void> HistoryStore::work() {
  async::Duration pause = kBetweenWrites;
  for (;;) {
    co_await async::sleep_for(clock_, pause);
    pause = kBetweenWrites;
    const auto began = clock_.now();
    if (pending_.empty() || !write_slice()) continue;
    const auto lasted = clock_.now() - began;
    if (!pending_.empty()) pause = async::Duration(1ms);
    if (lasted > kSlowWrite) pause = std::min<async::Duration>(lasted * kPausePerWrite, kBetweenRetries);
  }
}

bool HistoryStore::write_slice() {
  const auto now = clock_.now();
  if (file_ < 0 && now < retry_at_) {
    pending_.clear();
    return false;
  }
  auto written = write_some();
  if (written) {
    last_error_.clear();
    return true;
  }
  fail(written.error());
  close();
  pending_.clear();
  is_torn_ = is_in_line_;
  retry_at_ = now + kBetweenRetries;
  return false;
}

Result<void> HistoryStore::write_some() {
  if (file_ < 0) {
    KEELSON_TRY(open());
  }
  if (size_ >= limits::kHistoryFileBytes) {
    KEELSON_TRY(rotate());
  }
  // Whole lines, each of which is shorter than a slice.
  auto slice = pending_.substr(0, pending_.rfind('\n', kSlice) + 1);
  const auto taken = slice.size();
  if (is_torn_) slice.insert(0, "\n");
  const auto written = write_(file_, slice.data(), slice.size());
  if (written > 0) {
    size_ += static_cast<std::size_t>(written);
    is_in_line_ = slice[static_cast<std::size_t>(written) - 1] != '\n';
  }
  if (written == static_cast<long>(slice.size())) {
    is_torn_ = false;
    pending_.erase(0, taken);
    return {};
  }
  if (written >= 0) errno = ENOSPC;
  return file_problem("write", path_);
}

// The lock prevents that two processes with the same directory mix their lines.
Result<void> HistoryStore::open() {
  const auto lock_path = path_ + ".lock";
  if (lock_ < 0) lock_ = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (lock_ < 0) return file_problem("open", lock_path);
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    return invalid_error("another process uses " + path_ + ": give each process a directory of its own");
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
  if (file_ < 0) return file_problem("open", path_);
  struct stat status {};
  if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    close();
    return invalid_error("open " + path_ + ": it is not a regular file");
  }
  // It may be older than this program, or copied.
  if (::fchmod(file_, S_IRUSR | S_IWUSR) != 0) return file_problem("chmod", path_);
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) pending_.insert(0, std::string(kStoredHistoryHeader) + "\n");
  return {};
}

void HistoryStore::close() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

Result<void> HistoryStore::rotate() {
  close();
  is_torn_ = is_in_line_ = false;
  if (std::rename(path_.c_str(), former(path_).c_str()) != 0) return file_problem("rename", path_);
  return open();
}

// Logs an error once, not on every retry.
void HistoryStore::fail(const Error& error) {
  if (std::exchange(last_error_, error.message()) == error.message()) return;
  log_.error(error, "Could not store the history of reconciles; reconciling continues, and storing is tried again");
}

}  // namespace keelson::controller
