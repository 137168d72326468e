// What a simulation observes of the manager: its requests, its log, and what is wrong with them.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/sandbox/problems.hpp"
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

  // As a client over HTTP, which logs each text once.
  void hear_warning(const RequestInfo& request, const std::string& warning);
  // An object that a condition reads.
  void note_read(const kube::Resource& resource, const kube::Key& key);

  Problems problems;
  ManagerLog log;
  ManagerClient client;
  std::vector<std::pair<kube::Resource, kube::Key>> reads;
  bool is_printed = false;  // all problems so far

 private:
  std::set<std::string> warnings_;
};

}  // namespace keelson::sandbox
