// Admission webhooks: calls the webhooks that match a write, and answers the write's AdmissionSession.
#pragma once

#include <optional>
#include <string>

#include "keelson/async/task_group.hpp"
#include "src/sandbox/admission/caller.hpp"
#include "src/sandbox/admission/conversions.hpp"
#include "src/sandbox/admission/review.hpp"
#include "src/sandbox/admission/session.hpp"

namespace keelson::sandbox {

class Admission {
 public:
  Admission(World& world, WebhookTransport transport)
      : webhooks(world), caller(world, std::move(transport)), conversions(world, caller), world_(world) {}

  // Answers the session's question, or returns the rejection of the write. No webhook call lasts longer than the
  // deadline.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<void>> ask(AdmissionSession& session, async::TimePoint deadline);

  Webhooks webhooks;
  WebhookCaller caller;
  Conversions conversions;

 private:
  using Hook = std::shared_ptr<const Webhook>;
  // The result of one webhook: a rejection, or a patch.
  struct Opinion {
    std::optional<Rejection> rejected;
    std::string patch;
    std::vector<std::string> warnings;
  };

  [[nodiscard]] boost::asio::awaitable<RejectionOr<void>> mutate(AdmissionSession& session, async::TimePoint deadline);
  [[nodiscard]] boost::asio::awaitable<RejectionOr<void>> validate(AdmissionSession& session,
                                                                   async::TimePoint deadline);
  // The same attributes with the objects in this version, for webhooks with matchPolicy Equivalent.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<Attributes>> in_version(const ServedKind& kind,
                                                                           Attributes attributes, std::string version);
  // Calls the webhook and applies its patch. An error rejects the write.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<bool>> mutate_by(Hook webhook, AdmissionSession& session,
                                                                    const ServedKind& kind, Attributes& attributes,
                                                                    async::TimePoint deadline);
  [[nodiscard]] boost::asio::awaitable<Opinion> call(Hook webhook, Webhooks::Phase phase, Attributes attributes,
                                                     async::TimePoint deadline);
  [[nodiscard]] boost::asio::awaitable<void> call_into(Opinion& opinion, Hook webhook, const ServedKind& kind,
                                                       Attributes attributes, async::TimePoint deadline);
  [[nodiscard]] boost::asio::awaitable<void> call_all(async::TaskGroup& group, const Webhooks::Chain& chain,
                                                      const ServedKind& kind, const Attributes& attributes,
                                                      std::vector<Opinion>& opinions, async::TimePoint deadline);

  World& world_;
};

}  // namespace keelson::sandbox
