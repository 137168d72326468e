// Writes the CA bundle of our Service into the two webhook configurations.
#pragma once

#include <set>
#include <string>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/webhook/self_signed.hpp"
#include "keelson/kube/client.hpp"
#include "src/webhook/ca_bundle.hpp"

namespace keelson::webhook {

// The state of the configurations, from good to bad.
enum class Published { kYes, kNoConfiguration, kJustWritten };

class BundlePublisher {
 public:
  // The client must outlive it.
  BundlePublisher(kube::Client& client, Logger log, const SelfSignedOptions& options)
      : client_(client),
        log_(std::move(log)),
        service_{options.ns, options.service_name},
        mutating_(options.mutating_configuration),
        validating_(options.validating_configuration) {}

  // Writes the bundle where it is missing, and returns the worse state of the two configurations.
  [[nodiscard]] Task<Published> publish(std::string bundle);

  // The bundle that they have now; empty if none has one.
  [[nodiscard]] Task<std::string> published();

 private:
  [[nodiscard]] Task<Published> publish_in(kube::Resource resource, std::string name, std::string bundle);
  [[nodiscard]] Task<std::string> published_in(kube::Resource resource, std::string name);
  void tell_nobody_calls(const std::string& kind, const std::string& name);

  kube::Client& client_;
  Logger log_;
  ServiceName service_;
  std::string mutating_;
  std::string validating_;
  std::set<std::string> uncalled_;  // kinds of configurations that were logged as not calling our Service
};

}  // namespace keelson::webhook
