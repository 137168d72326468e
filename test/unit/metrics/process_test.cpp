#include "keelson/detail/metrics/process.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "src/metrics/proc_files.hpp"
#include "test/support/temporary_folder.hpp"

using namespace keelson::metrics;

namespace {

constexpr const char* kStat =
    "42 (a ) (b) S 1 42 42 0 -1 4194560 100 0 0 0 120 30 0 0 20 0 1 0 5000 104857600 2560 18446744073709551615 1 1 0";
constexpr const char* kLimits =
    "Limit                     Soft Limit           Hard Limit           Units     \n"
    "Max open files            1024                 524288               files     \n"
    "Max address space         unlimited            unlimited            bytes     \n";
constexpr const char* kNetstat =
    "TcpExt: SyncookiesSent SyncookiesRecv\nTcpExt: 0 0\n"
    "IpExt: InNoRoutes InOctets OutOctets\nIpExt: 5 1000 2000\n";

// A /proc with a single process, in a temporary folder.
class FakeProc {
 public:
  FakeProc() {
    write("stat", "cpu 1 2 3\nbtime 1700000000\nprocesses 7\n");
    write("self/stat", kStat);
    write("self/limits", kLimits);
    write("self/net/netstat", kNetstat);
    for (const char* descriptor : {"0", "1", "2"}) write(std::string("self/fd/") + descriptor, "");
  }
  void write(const std::string& path, const std::string& text) { folder_.write(path, text); }
  void remove(const std::string& path) { folder_.remove(path); }
  [[nodiscard]] std::string self() const { return folder_.file("self"); }
  [[nodiscard]] std::string cgroup() const { return folder_.file("cgroup"); }

 private:
  keelson::testing::TemporaryFolder folder_;
};

// Only the samples, without HELP and TYPE.
std::string samples(Registry& registry) {
  std::string all;
  auto text = registry.text();
  for (std::size_t at = 0; at < text.size();) {
    auto end = text.find('\n', at) + 1;
    if (text[at] != '#') all.append(text, at, end - at);
    at = end;
  }
  return all;
}

}  // namespace

TEST_CASE("all nine process series are read from /proc") {
  FakeProc proc;
  Registry registry;
  ProcessMetrics process(registry, proc.self(), proc.cgroup());

  CHECK(samples(registry) ==
        "process_cpu_seconds_total 1.5\n"
        "process_max_fds 1024\n"
        "process_network_receive_bytes_total 1000\n"
        "process_network_transmit_bytes_total 2000\n"
        "process_open_fds 3\n"
        "process_resident_memory_bytes 1.048576e+07\n"
        "process_start_time_seconds 1.70000005e+09\n"
        "process_virtual_memory_bytes 1.048576e+08\n"
        "process_virtual_memory_max_bytes 1.8446744073709552e+19\n");
}

TEST_CASE("the memory limit of the container is exported if there is one") {
  FakeProc proc;
  Registry registry;
  ProcessMetrics process(registry, proc.self(), proc.cgroup());
  CHECK(samples(registry).find("keelson_memory_limit_bytes") == std::string::npos);
  proc.write("cgroup/memory.max", "max\n");
  CHECK(samples(registry).find("keelson_memory_limit_bytes") == std::string::npos);

  proc.write("cgroup/memory.max", "134217728\n");

  CHECK(samples(registry).find("keelson_memory_limit_bytes 1.34217728e+08\n") != std::string::npos);
}

TEST_CASE("a series that cannot be read any more retains its last value") {
  FakeProc proc;
  Registry registry;
  ProcessMetrics process(registry, proc.self(), proc.cgroup());
  auto before = samples(registry);

  for (const char* path : {"self/stat", "self/limits", "self/net", "self/fd"}) proc.remove(path);

  CHECK(samples(registry) == before);
}

TEST_CASE("a network counter that restarts does not decrease") {
  FakeProc proc;
  Registry registry;
  ProcessMetrics process(registry, proc.self(), proc.cgroup());
  (void)registry.text();

  proc.write("self/net/netstat", "IpExt: InOctets OutOctets\nIpExt: 10 3000\n");

  auto text = samples(registry);
  CHECK(text.find("process_network_receive_bytes_total 1000\n") != std::string::npos);
  CHECK(text.find("process_network_transmit_bytes_total 3000\n") != std::string::npos);
}

TEST_CASE("the test process has memory, files and a start time") {
  Registry registry;
  ProcessMetrics process(registry);
  (void)registry.text();

  auto value = [&](const char* name) { return registry.gauge(name, "", {}).with({}).value(); };
  CHECK(value("process_resident_memory_bytes") > 1e5);
  CHECK(value("process_virtual_memory_bytes") >= value("process_resident_memory_bytes"));
  CHECK(value("process_open_fds") >= 1);
  CHECK(value("process_max_fds") >= value("process_open_fds"));
  CHECK(value("process_start_time_seconds") > 1e9);
}

TEST_CASE("truncated files of /proc give no values") {
  std::string stat = kStat;

  for (const auto& text : {std::string(), std::string("42 (a"), stat.substr(0, stat.find("2560"))}) {
    CHECK_FALSE(parse_proc_stat(text).has_value());
  }
  CHECK_FALSE(parse_soft_limit("Max open files ", "Max open files ").has_value());
  CHECK_FALSE(parse_soft_limit(kLimits, "Max something ").has_value());
  CHECK_FALSE(parse_ip_ext("IpExt: InOctets\n", "InOctets").has_value());
  CHECK_FALSE(parse_ip_ext("IpExt: A InOctets\nIpExt: 1\n", "InOctets").has_value());
  CHECK_FALSE(parse_ip_ext("IpExt: InOctets\nIpExt: x\n", "InOctets").has_value());
  CHECK_FALSE(parse_boot_time("cpu 1\n").has_value());
}
