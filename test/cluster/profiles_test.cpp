// /debug/pprof of a running manager, read with pprof itself.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

std::string memcacheds(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += "---\napiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata:\n  name: many-" +
            std::to_string(i) + "\nspec:\n  size: 1\n";
  }
  return text;
}

// What pprof prints for a profile of this manager. fastlocal: with the names of functions, without lines.
std::string top_of(const std::string& file) {
  const auto shown = run({"go", "run", "github.com/google/pprof@v0.0.0-20261105003125-4bf881d7fb0b",
                          "-symbolize=fastlocal", "-top", "-cum", KEELSON_MANAGER, file});
  INFO(shown.text);
  REQUIRE(shown.exit_code == 0);
  return shown.text;
}

std::string status_of(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command).text;
}

}  // namespace

TEST_CASE("pprof reads the CPU and heap profiles of a running manager, which only local clients may take") {
  install_crds();
  const Namespace space;
  const TemporaryFolder folder;
  const auto cpu_file = folder.file("cpu");
  const auto heap_file = folder.file("heap");
  const auto address = "http://127.0.0.1:" + std::to_string(free_port());
  Manager manager({"--pprof-bind-address=" + address.substr(std::string("http://").size())});
  manager.wait_until_ready();

  Process recording({"curl", "--silent", "--fail", "--output", cpu_file, address + "/debug/pprof/profile?seconds=5"},
                    folder.file("curl.log"));
  kubectl({"create", "-n", space.name(), "-f", "-"}, memcacheds(100));
  REQUIRE(recording.wait() == 0);
  REQUIRE(run({"curl", "--silent", "--fail", "--output", heap_file, address + "/debug/pprof/heap"}).exit_code == 0);

  const auto cpu = top_of(cpu_file);
  INFO(cpu);
  CHECK(cpu.find("Type: cpu") != std::string::npos);
  CHECK(cpu.find(" main\n") != std::string::npos);
  CHECK(cpu.find(" keelson::controller::") != std::string::npos);
  const auto heap = top_of(heap_file);
  INFO(heap);
  CHECK(heap.find("Type: inuse_space") != std::string::npos);
  CHECK(heap.find(" main\n") != std::string::npos);
  CHECK(heap.find(" keelson::") != std::string::npos);

  const std::string path = address + "/debug/pprof/heap";
  CHECK(status_of({path}) == "200");
  CHECK(status_of({"--header", "Host: pod.example", path}) == "401");
  CHECK(status_of({"--header", "Host: pod.example", address + "/debug/pprof/profile"}) == "401");
  CHECK(status_of({address + "/debug/pprof/trace"}) == "404");
  manager.stop();
}

}  // namespace keelson::testing
