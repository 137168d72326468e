// How /metrics is served, openly or protected, and with which certificate: decided once, at the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/net/certificate_files.hpp"
#include "src/program/surroundings.hpp"

namespace keelson::program {

struct MetricsPlan {
  enum class Serve { kOff, kPlain, kSecure };
  Serve serve = Serve::kOff;
  std::optional<net::CertificatePaths> files;  // of kSecure; none: a certificate in memory
  std::vector<std::string> notices;            // for the log
};

// What nobody can reach from another machine, and the default address, is served openly unless --metrics-secure says
// otherwise.
[[nodiscard]] MetricsPlan plan_metrics(const Options& options, const Surroundings& around);

}  // namespace keelson::program
