// /debug/pprof of a running manager, read with pprof itself.
#include <catch2/catch_test_macros.hpp>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/manifests.hpp"
#include "test/cluster/harness/scraper.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

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

TEST_CASE("a CPU profile ends with its client or with the manager, and others may take the next one") {
  install_crds();
  const TemporaryFolder folder;
  const auto address = "http://127.0.0.1:" + std::to_string(free_port());
  Manager manager({"--pprof-bind-address=" + address.substr(std::string("http://").size())});
  manager.wait_until_ready();
  const auto profile = [&](const std::string& seconds) { return address + "/debug/pprof/profile?seconds=" + seconds; };
  const auto is_free = [&] { return status_of({profile("1")}) == "200"; };

  CHECK(run({"curl", "--silent", "--max-time", "2", profile("300")}).exit_code == 28);  // curl's timeout
  eventually("the profile of a client that is gone has ended", is_free);
  CHECK(status_of({"--head", profile("300")}) == "200");
  eventually("a HEAD takes no profile", is_free);

  // The HEAD that looks for it may come first.
  Process long_profile(
      {"curl", "--silent", "--fail", "--retry", "2", "--retry-delay", "1", "--retry-all-errors", profile("300")},
      folder.file("curl.log"));
  eventually("the profile has begun", [&] { return status_of({"--head", profile("300")}) == "409"; });
  manager.stop();
  CHECK(long_profile.wait() != 0);
}

TEST_CASE("a token with the role of docs/profiling.md may take profiles over the network") {
  install_crds();
  const std::string role = "profile-reader";
  kubectl({"create", "clusterrole", role, "--verb=get", "--non-resource-url=/debug/pprof/*"});
  const auto address = "http://127.0.0.1:" + std::to_string(free_port());
  Manager manager({"--pprof-bind-address=" + address.substr(std::string("http://").size())});
  manager.wait_until_ready();
  const Scraper stranger;
  const Scraper reader;
  reader.bind(role);
  const auto status_for = [&](const Scraper& client) {
    return status_of({"--header", "Host: pod.example", "--header", "Authorization: Bearer " + client.token(),
                      address + "/debug/pprof/heap"});
  };

  CHECK(status_for(stranger) == "403");
  CHECK(status_for(reader) == "200");

  manager.stop();
  kubectl({"delete", "clusterrole", role});
}

}  // namespace keelson::testing
