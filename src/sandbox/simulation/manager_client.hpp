// The API server as the manager of a simulation asks it: rejections that are mistakes of the operator become problems.
//
// Unknown fields are rejected in every write, as with fieldValidation=Strict, unless the request says otherwise: the
// real server would drop them with a warning, and nothing would fail.
#pragma once

#include <memory>
#include <vector>

#include "keelson/kube/client.hpp"
#include "keelson/kube/kind.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "keelson/sandbox/problems.hpp"
#include "src/sandbox/served_kind.hpp"

namespace keelson::sandbox {

class ManagerClient final : public kube::Client {
 public:
  // `kinds`: of the operator, whose fields are not Kubernetes' own.
  ManagerClient(kube::Client& server, Problems& problems, std::vector<kube::Kind> kinds)
      : server_(server), problems_(problems), own_kinds_(std::move(kinds)) {}

  boost::asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override;
  boost::asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override;

  // What the server warns of while it answers a request of the manager.
  void hear_warning(const RequestInfo& request, const std::string& warning);

 private:
  void examine(const kube::ApiRequest& request, const Error& error);
  [[nodiscard]] const ServedKind* kind_of(const kube::Resource& resource);

  kube::Client& server_;
  Problems& problems_;
  std::vector<kube::Kind> own_kinds_;
  std::unique_ptr<Kinds> kinds_;  // made for the first problem
};

}  // namespace keelson::sandbox
