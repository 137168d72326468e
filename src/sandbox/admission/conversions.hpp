// Conversion webhooks: sends ConversionReviews with a bounded number of objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "keelson/base/task.hpp"
#include "src/sandbox/admission/caller.hpp"
#include "src/sandbox/admission/session.hpp"

namespace keelson::sandbox {

class Conversions {
 public:
  Conversions(World& world, WebhookCaller& caller) : world_(world), caller_(caller) {}

  // Converts the objects that the session requests.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<void>> ask(AdmissionSession& session);
  // The object in this version ("example.com/v1"), with any conversion strategy; null stays null.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<Tree>> in_version(const ServedKind& kind, Tree object,
                                                                     std::string api_version);
  // The response of a request, converted into the version of its kind.
  [[nodiscard]] boost::asio::awaitable<RejectionOr<Answer>> answer_in_version(const ServedKind& kind, Answer answer);
  // Events of a watch (complete lines), in the version of its kind. An event whose object cannot be converted becomes
  // an ERROR event.
  [[nodiscard]] boost::asio::awaitable<std::string> events_in_version(const ServedKind& kind, std::string lines);

 private:
  using Trees = std::vector<Tree>;
  // All objects in this version, in the same order.
  [[nodiscard]] Task<Trees> convert(Conversion conversion, std::string kind, Trees objects, std::string api_version);
  [[nodiscard]] Task<Trees> convert_piece(const Conversion& conversion, const Trees& objects,
                                          const std::string& api_version);

  World& world_;
  WebhookCaller& caller_;
};

}  // namespace keelson::sandbox
