#include "src/sandbox/simulation/manager_client.hpp"

#include <algorithm>

#include "keelson/detail/controller/definition_parts.hpp"
#include "src/sandbox/simulation/write_mistake.hpp"

namespace keelson::sandbox {

namespace {

bool has_object(kube::Verb verb) {
  return verb == kube::Verb::kCreate || verb == kube::Verb::kUpdate || verb == kube::Verb::kPatch;
}

bool names_field_validation(const kube::ApiRequest& request) {
  return std::ranges::any_of(request.query, [](const auto& parameter) { return parameter.first == "fieldValidation"; });
}

}  // namespace

Task<kube::ApiReply> ManagerClient::send(kube::ApiRequest request) {
  const bool is_strict = unknown_fields_ == UnknownFields::kRejected;
  if (is_strict && has_object(request.verb) && !names_field_validation(request)) {
    request.query.emplace_back("fieldValidation", "Strict");
  }
  const auto asked = request;
  auto reply = co_await server_.send(std::move(request));
  if (!reply) examine(asked, reply.error());
  co_return reply;
}

Task<std::unique_ptr<net::Stream>> ManagerClient::stream(kube::ApiRequest request) {
  const auto asked = request;
  auto opened = co_await server_.stream(std::move(request));
  if (!opened) examine(asked, opened.error());
  co_return opened;
}

void ManagerClient::hear_warning(const RequestInfo& request, const std::string& warning) {
  if (!is_about_unknown_field(warning)) return;
  kube::ApiRequest asked;
  asked.verb = request.verb;
  asked.resource = request.resource;
  asked.key = request.key;
  asked.subresource = request.subresource;
  problems_.add(described(asked) + ": " + with_nearest_fields(warning, kind_of(request.resource)));
}

void ManagerClient::examine(const kube::ApiRequest& request, const Error& error) {
  if (auto rule = missing_rule(request, error, definitions_)) {
    return problems_.add(described(request) + ": " + error.server_text + ": " + *rule);
  }
  auto words = has_object(request.verb) ? words_about_fields(error) : std::nullopt;
  if (!words) return;
  problems_.add(described(request) + ": " + with_nearest_fields(std::move(*words), kind_of(request.resource)));
}

const ServedKind* ManagerClient::kind_of(const kube::Resource& resource) {
  if (!kinds_) {
    kinds_ = std::make_unique<Kinds>();
    for (const auto& definition : definitions_) {
      for (const auto& kind : definition.parts().kinds) kinds_->add(custom_kind(kind));
    }
  }
  return kinds_->find(resource);
}

}  // namespace keelson::sandbox
