// Files and variables that exist only in a test.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "keelson/detail/kubeconfig/config.hpp"

namespace keelson::kube::fixtures {

class FakeEnvironment {
 public:
  FakeEnvironment& file(const std::string& path, std::string content) {
    files_[path] = std::move(content);
    return *this;
  }
  // Reading it fails with Go's error text.
  FakeEnvironment& unreadable(const std::string& path) {
    forbidden_[path] = true;
    return *this;
  }
  FakeEnvironment& without(const std::string& path) {
    files_.erase(path);
    return *this;
  }
  FakeEnvironment& variable(const std::string& name, std::string value) {
    variables_[name] = std::move(value);
    return *this;
  }
  FakeEnvironment& service_account() {
    variable("KUBERNETES_SERVICE_HOST", "10.96.0.1").variable("KUBERNETES_SERVICE_PORT", "443");
    file(kServiceAccount + "token", "pod-token\n").file(kServiceAccount + "namespace", "keelson-system\n");
    return file(kServiceAccount + "ca.crt", "-----BEGIN CERTIFICATE-----\npod\n-----END CERTIFICATE-----\n");
  }

  // The functions refer to this object.
  [[nodiscard]] Environment environment() {
    return Environment{.variable = [this](const std::string& name) { return variables_[name]; },
                       .read_file = read_file(),
                       .home = home,
                       .working_directory = "/work"};
  }
  [[nodiscard]] ReadFile read_file() {
    return [this](const std::string& path) -> Result<std::optional<std::string>> {
      ++reads;
      if (forbidden_.contains(path)) return invalid_error("open " + path + ": permission denied");
      auto found = files_.find(path);
      if (found == files_.end()) return std::optional<std::string>();
      return std::optional<std::string>(found->second);
    };
  }

  inline static const std::string kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount/";
  std::string home = "/root";
  int reads = 0;

 private:
  std::map<std::string, std::string> files_;
  std::map<std::string, bool> forbidden_;
  std::map<std::string, std::string> variables_;
};

}  // namespace keelson::kube::fixtures
