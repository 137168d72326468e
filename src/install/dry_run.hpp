// A client whose writes are server-side dry runs.
#pragma once

#include <utility>

#include "keelson/base/task.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

class DryClient final : public kube::Client {
 public:
  explicit DryClient(kube::Client& client) : client_(client) {}

  [[nodiscard]] const kube::OperatorName& operator_name() const override { return client_.operator_name(); }
  [[nodiscard]] Task<kube::ApiReply> send(kube::ApiRequest request) override {
    kube::make_dry_run(request);
    return client_.send(std::move(request));
  }
  [[nodiscard]] Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override {
    return client_.stream(std::move(request));
  }

 private:
  kube::Client& client_;
};

}  // namespace keelson::install
