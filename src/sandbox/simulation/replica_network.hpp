// The network between a replica and the API server: latency, and connections that break.
//
// A sent request arrives, even if its sender has ended.
#pragma once

#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/simulation/condition.hpp"

namespace keelson::sandbox {

class ReplicaNetwork final : public kube::Client {
 public:
  // `sent` has the requests on their way; all references outlive it.
  ReplicaNetwork(async::Clock& clock, base::Random& random, kube::Client& server, ReplicaCondition& condition,
                 async::TaskGroup& sent)
      : clock_(clock), random_(random), server_(server), condition_(condition), sent_(sent) {}

  const kube::OperatorName& operator_name() const override { return server_.operator_name(); }
  Task<kube::ApiReply> send(kube::ApiRequest request) override;
  Task<std::unique_ptr<net::Stream>> stream(kube::ApiRequest request) override;

 private:
  class Late;

  [[nodiscard]] bool is_lost() const { return condition_.is_dead || condition_.is_cut_off; }
  boost::asio::awaitable<void> travel();

  async::Clock& clock_;
  base::Random& random_;
  kube::Client& server_;
  ReplicaCondition& condition_;
  async::TaskGroup& sent_;
};

}  // namespace keelson::sandbox
