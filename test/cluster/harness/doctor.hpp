// `manager doctor` as a test calls it.
#pragma once

#include <functional>
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

// Causes a situation, expects its finding and at least its exit code, and ends the situation.
void expect_finding(const std::string& id, const std::function<void()>& cause, const std::function<void()>& end = {},
                    const std::vector<std::string>& arguments = {});

// A patch of an object that is cluster-scoped or in the namespace of the manager.
void patch_in_system(const std::string& object, const std::string& body, const std::string& type = "json",
                     const std::string& subresource = "");

// All findings of all calls so far.
[[nodiscard]] const std::set<std::string>& seen();

}  // namespace keelson::testing
