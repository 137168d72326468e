#include "src/sandbox/admission/conversions.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/admission/review.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

// The objects of one call. Their bytes leave room for a longer response, at most limits::kSandboxWebhookReplyBytes.
constexpr std::size_t kMostConverted = 500;
constexpr std::size_t kMostConvertedBytes = std::size_t{2} << 20;
constexpr std::chrono::seconds kConversionTime(30);

Rejection not_converted(const Error& error) { return rejection(500, "", error.text); }

// The end of the call that begins with this object: it contains at least one object.
std::size_t end_of_piece(const std::vector<Tree>& objects, std::size_t begin) {
  auto end = begin;
  auto bytes = objects[end++].text().size();
  while (end < objects.size() && end - begin < kMostConverted) {
    bytes += objects[end].text().size();
    if (bytes > kMostConvertedBytes) break;
    ++end;
  }
  return end;
}

// The response of a successful review.
Result<const Tree*> response_of(const Tree& review, const std::string& uid, const std::string& version) {
  const Tree* response = review.find("response");
  if (response == nullptr || !response->is_object()) return invalid_error("failed: no response provided");
  auto given = response->text_at({"uid"});
  if (version == "v1" && given != uid) {
    return invalid_error("failed: expected response.uid=" + base::quote_go(uid) + ", got " + base::quote_go(given));
  }
  auto status = response->text_at({"result", "status"});
  if (status == "Success") return response;
  auto message = response->text_at({"result", "message"});
  return invalid_error("failed: " +
                       (message.empty() ? "response.result.status was '" + status + "', not 'Success'" : message));
}

}  // namespace

awaitable<RejectionOr<void>> Conversions::ask(AdmissionSession& session) {
  auto asked = std::move(*session.to_convert);
  session.to_convert.reset();
  Trees objects;
  for (const auto& one : asked.objects) objects.push_back(one.second);
  auto converted = co_await convert(*asked.kind->conversion, asked.kind->resource.kind, objects, asked.api_version);
  if (!converted) co_return not_converted(converted.error());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    session.remember_conversion(asked.objects[i].first, asked.api_version, std::move((*converted)[i]));
  }
  co_return RejectionOr<void>();
}

awaitable<RejectionOr<Tree>> Conversions::in_version(const ServedKind& kind, Tree object, std::string api_version) {
  bool is_of_kind = kind.conversion && object.text_at({"kind"}) == kind.resource.kind;
  if (!is_of_kind || object.text_at({"apiVersion"}) == api_version) co_return object;
  if (!kind.conversion->has_webhook) {
    object["apiVersion"] = api_version;
    co_return object;
  }
  Trees objects{std::move(object)};
  auto converted = co_await convert(*kind.conversion, kind.resource.kind, std::move(objects), std::move(api_version));
  if (!converted) co_return not_converted(converted.error());
  co_return std::move((*converted)[0]);
}

awaitable<RejectionOr<Answer>> Conversions::answer_in_version(const ServedKind& kind, Answer answer) {
  if (!is_of_other_version(kind, answer.body)) co_return answer;
  auto object = Tree::parse(answer.body);
  if (!object) co_return answer;
  Trees objects{std::move(*object)};
  auto converted =
      co_await convert(*kind.conversion, kind.resource.kind, std::move(objects), kind.resource.api_version());
  if (!converted) co_return not_converted(converted.error());
  answer.body = (*converted)[0].text();
  co_return answer;
}

awaitable<std::string> Conversions::events_in_version(const ServedKind& kind, std::string lines) {
  std::string out;
  // The definition may change during a conversion, and the kind with it.
  const auto* home = &kind;
  for (std::size_t begin = 0; begin < lines.size();) {
    auto end = std::min(lines.find('\n', begin), lines.size());
    auto line = lines.substr(begin, end - begin);
    begin = end + 1;
    auto at = line.find(R"("object":)");
    bool is_other = at != std::string::npos && is_of_other_version(*home, std::string_view(line).substr(at + 9));
    auto event = is_other ? Tree::parse(line) : Result<Tree>(Tree());
    if (is_other && event) {
      Trees objects{*event->find("object")};
      auto converted =
          co_await convert(*home->conversion, home->resource.kind, std::move(objects), home->resource.api_version());
      if (converted) {
        (*event)["object"] = std::move((*converted)[0]);
      } else {
        (*event)["type"] = "ERROR";
        (*event)["object"] = not_converted(converted.error()).body();
      }
      line = event->text();
    }
    out += line + "\n";
  }
  co_return out;
}

Task<Conversions::Trees> Conversions::convert(Conversion conversion, std::string kind, Trees objects,
                                              std::string api_version) {
  Trees done;
  for (std::size_t begin = 0, end = 0; begin < objects.size(); begin = end) {
    end = end_of_piece(objects, begin);
    Trees piece(objects.begin() + static_cast<std::ptrdiff_t>(begin),
                objects.begin() + static_cast<std::ptrdiff_t>(end));
    auto named = "conversion webhook for " + piece[0].text_at({"apiVersion"}) + ", Kind=" + kind + " ";
    auto converted = co_await convert_piece(conversion, piece, api_version);
    if (!converted) co_return invalid_error(named + converted.error().text);
    for (auto& one : *converted) done.push_back(std::move(one));
  }
  co_return done;
}

Task<Conversions::Trees> Conversions::convert_piece(const Conversion& conversion, const Trees& objects,
                                                    const std::string& api_version) {
  auto version = review_version(conversion.review_versions);
  if (version.empty()) co_return invalid_error("failed: no supported conversion review versions");
  auto uid = world_.random.uuid();
  const std::function<std::string()> body = [&uid, &version, &objects, &api_version] {
    auto request = Tree::object({{"uid", uid}, {"desiredAPIVersion", api_version}, {"objects", Tree::array(objects)}});
    return Tree::object(
               {{"kind", "ConversionReview"}, {"apiVersion", "apiextensions.k8s.io/" + version}, {"request", request}})
        .text();
  };
  auto reply = co_await caller_.post(webhook_address(conversion.client_config), body, kConversionTime);
  if (!reply) co_return invalid_error("failed: " + reply.error().text);
  KEELSON_CO_LET(auto response, response_of(*reply, uid, version));
  const Tree* converted = (response)->find("convertedObjects");
  const auto count = converted != nullptr ? converted->items().size() : 0;
  if (count != objects.size()) {
    co_return invalid_error("returned " + std::to_string(count) + " objects, expected " +
                            std::to_string(objects.size()));
  }
  Trees checked;
  for (std::size_t i = 0; i < count; ++i) {
    KEELSON_CO_LET(auto one, checked_conversion(objects[i], converted->items()[i], api_version));
    checked.push_back(std::move(one));
  }
  co_return checked;
}

}  // namespace keelson::sandbox
