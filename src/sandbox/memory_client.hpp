// A kube::Client of the server in this process, with a small delay in each direction.
#pragma once

#include <string>

#include "keelson/base/task.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/endpoints.hpp"

namespace keelson::sandbox {

class MemoryClient final : public kube::Client {
 public:
  MemoryClient(Endpoints& endpoints, async::Duration latency, std::string user)
      : endpoints_(endpoints), latency_(latency), user_(user_named(std::move(user))) {}

  Task<kube::ApiReply> send(kube::ApiRequest request) override;
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override;

 private:
  Endpoints& endpoints_;
  async::Duration latency_;
  UserInfo user_;
};

}  // namespace keelson::sandbox
