// The output of a test whose condition did not become true: problems, errors of the log, objects and their Events.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "keelson/controller/definition.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/problems.hpp"
#include "src/sandbox/simulation/manager_log.hpp"

namespace keelson::sandbox {

struct ExplanationParts {
  const ApiServer& server;
  const std::vector<controller::Definition>& definitions;
  const Problems& problems;
  const ManagerLog& log;
  // Objects that the condition has read.
  std::vector<std::pair<kube::Resource, kube::Key>> read = {};
  bool manager_runs = true;
};

// `headline` and some lines below it, at most about 100.
[[nodiscard]] std::string explain(std::string headline, const ExplanationParts& parts);

}  // namespace keelson::sandbox
