// `manager doctor` as a test calls it.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace keelson::testing {

struct Doctor {
  int exit_code = -1;
  std::string output;              // JSON
  std::set<std::string> ids;       // of all findings
  std::set<std::string> problems;  // without notes

  [[nodiscard]] bool found(const std::string& id) const { return ids.contains(id); }
};

// Runs the command with the KUBECONFIG of the test, unless the arguments have another one.
[[nodiscard]] Doctor doctor(const std::vector<std::string>& arguments = {});

// The exit code that a finding causes at least.
[[nodiscard]] int exit_code_of(const std::string& id);

// All findings of all calls so far.
[[nodiscard]] const std::set<std::string>& seen();

}  // namespace keelson::testing
