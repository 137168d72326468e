// The client of a simulated manager: rejections that are mistakes of the operator become problems.
//
// With UnknownFields::kRejected, a write without fieldValidation gets fieldValidation=Strict: the real server would
// drop unknown fields with a warning, and the test would not fail.
#pragma once

#include <memory>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/sandbox/problems.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

enum class UnknownFields {
  kRejected,
  kDropped,  // with a warning, as the real server does
};

class ManagerClient final : public kube::Client {
 public:
  // `definitions` must outlive the client.
  ManagerClient(kube::Client& server, Problems& problems, const std::vector<controller::Definition>& definitions,
                UnknownFields unknown_fields, kube::OperatorName name)
      : server_(server),
        problems_(problems),
        definitions_(definitions),
        unknown_fields_(unknown_fields),
        name_(std::move(name)) {}

  const kube::OperatorName& operator_name() const override { return name_; }
  void set_operator_name(kube::OperatorName name) { name_ = std::move(name); }
  Task<kube::ApiReply> send(kube::ApiRequest request) override;
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override;

  // Receives a warning of the server for a request of the manager.
  void hear_warning(const RequestInfo& request, const std::string& warning);

 private:
  void examine(const kube::ApiRequest& request, const Error& error);
  [[nodiscard]] const ServedKind* kind_of(const kube::Resource& resource);

  kube::Client& server_;
  Problems& problems_;
  const std::vector<controller::Definition>& definitions_;
  UnknownFields unknown_fields_;
  kube::OperatorName name_;
  std::unique_ptr<Kinds> kinds_;  // created with the first problem
};

}  // namespace keelson::sandbox
