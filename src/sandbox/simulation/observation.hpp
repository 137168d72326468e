// The observed behavior of a simulated manager: its requests, its log, and the problems in both.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/sandbox/problems.hpp"
#include "src/sandbox/simulation/manager_client.hpp"
#include "src/sandbox/simulation/manager_log.hpp"

namespace keelson::sandbox {

class Observation {
 public:
  static constexpr std::size_t kMostReads = 8;

  Observation(kube::Client& server, LogSink& sink, async::Clock& clock,
              const std::vector<controller::Definition>& definitions, UnknownFields unknown_fields,
              kube::OperatorName name);
  Observation(const Observation&) = delete;
  Observation& operator=(const Observation&) = delete;

  // Logs each text once, as a client over HTTP does.
  void hear_warning(const RequestInfo& request, const std::string& warning);
  // Records an object that a condition reads.
  void note_read(const kube::Resource& resource, const kube::Key& key);

  Problems problems;
  ManagerLog log;
  ManagerClient client;
  std::vector<std::pair<kube::Resource, kube::Key>> reads;
  bool is_printed = false;  // the test has printed all problems so far

 private:
  std::set<std::string> warnings_;
};

}  // namespace keelson::sandbox
