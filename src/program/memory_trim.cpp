#include "src/program/memory_trim.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace keelson::program {
namespace asio = boost::asio;

namespace {

async::Duration cpu_time() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

// 0 if the system does not report it.
std::size_t resident_files() {
  std::ifstream statm("/proc/self/statm");
  std::size_t size = 0;
  std::size_t resident = 0;
  std::size_t of_files = 0;
  statm >> size >> resident >> of_files;
  return of_files * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

// Three quarters of the code run only at the start, and the kernel maps 64 KiB around each touched page, so that all
// code becomes resident. Pages that are needed again come from the page cache, without a read from disk.
void drop_code() {
  std::ifstream smaps("/proc/self/smaps");
  for (const auto& mapping : droppable_mappings(smaps)) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel reports addresses as text
    ::madvise(reinterpret_cast<void*>(mapping.begin), mapping.bytes, MADV_DONTNEED);
  }
}

// "00400000-00401000 r--p 00000000 fd:00 131 /manager"; nullopt unless it is a private, read-only mapping of a file.
std::optional<Droppable> read_only_file(std::string_view line) {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  auto dash = std::from_chars(line.data(), line.data() + line.size(), begin, 16).ptr;
  if (dash == line.data() + line.size() || *dash != '-') return std::nullopt;
  auto blank = std::from_chars(dash + 1, line.data() + line.size(), end, 16).ptr;
  auto rest = line.substr(static_cast<std::size_t>(blank - line.data()));
  bool is_private_and_read_only = rest.starts_with(" r--p") || rest.starts_with(" r-xp");
  if (!is_private_and_read_only || rest.find(" /") == std::string_view::npos) return std::nullopt;
  return Droppable{begin, end - begin};
}

bool is_heading(std::string_view line) {
  auto first = line.substr(0, line.find(' '));
  return first.find('-') != std::string_view::npos;
}

}  // namespace

bool TrimPolicy::is_due(const Usage& usage) {
  bool is_busy = usage.cpu_time - std::exchange(cpu_time_, usage.cpu_time) >= kBusy;
  bool was_busy = std::exchange(was_busy_, is_busy);
  if (is_busy) return false;
  bool is_due = was_busy || (kept_files_ && usage.resident_files > *kept_files_ + kRegained);
  kept_files_ = std::min(kept_files_.value_or(usage.resident_files), usage.resident_files);
  // Pages that are always needed are resident again in the next interval.
  if (is_due) kept_files_.reset();
  return is_due;
}

Task<void> MemoryTrim::start() {
  tasks_.spawn(watch());
  co_return Result<void>();
}

asio::awaitable<void> MemoryTrim::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

asio::awaitable<void> MemoryTrim::watch() {
  TrimPolicy policy(cpu_time());
  for (;;) {
    co_await async::sleep_for(clock_, TrimPolicy::kInterval);
    if (!policy.is_due({cpu_time(), resident_files()})) continue;
    ::malloc_trim(0);
    drop_code();
  }
}

std::vector<Droppable> droppable_mappings(std::istream& smaps) {
  std::vector<Droppable> found;
  std::optional<Droppable> current;
  for (std::string line; std::getline(smaps, line);) {
    if (is_heading(line)) current = read_only_file(line);
    if (!current || !line.starts_with("Anonymous:")) continue;
    if (line.find(" 0 kB") != std::string::npos) found.push_back(*current);
    current.reset();
  }
  return found;
}

}  // namespace keelson::program
