#include "src/kube/api_request.hpp"

#include <algorithm>

#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::kube {

namespace {

const char* word_for(const ApiRequest& request) {
  if (request.verb == Verb::kPatch && request.patch_type == PatchType::kApply) return "apply";
  return request.verb == Verb::kDeleteCollection ? "delete collection of" : verb_name(request.verb);
}

const char* content_type_of(const ApiRequest& request) {
  if (request.verb != Verb::kPatch) return "application/json";
  switch (request.patch_type) {
    case PatchType::kMerge:
      return "application/merge-patch+json";
    case PatchType::kJson:
      return "application/json-patch+json";
    case PatchType::kApply:
      return "application/apply-patch+yaml";
  }
  return "";
}

// The same as client-go's metadata client, without protobuf. The reply of a watch consists of single objects.
const char* accept_of(const ApiRequest& request) {
  if (request.content == Content::kWhole) return "application/json";
  if (request.verb == Verb::kList) {
    return "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  }
  return "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
}

std::string query_of(const ApiRequest& request) {
  auto query = request.query;
  auto is_watch = [](const auto& parameter) { return parameter.first == "watch"; };
  if (request.verb == Verb::kWatch && std::ranges::none_of(query, is_watch)) {
    query.emplace(query.begin(), "watch", "true");
  }
  return base::encode_query(query);
}

}  // namespace

const char* verb_name(Verb verb) {
  switch (verb) {
    case Verb::kGet:
      return "get";
    case Verb::kList:
      return "list";
    case Verb::kWatch:
      return "watch";
    case Verb::kCreate:
      return "create";
    case Verb::kUpdate:
      return "update";
    case Verb::kPatch:
      return "patch";
    case Verb::kDelete:
      return "delete";
    case Verb::kDeleteCollection:
      return "deletecollection";
  }
  return "";
}

std::string target_of(const ApiRequest& request) {
  auto target = request.raw_path.empty() ? request.resource.qualified_plural() : request.raw_path;
  if (!request.subresource.empty()) target += "/" + request.subresource;
  return target;
}

std::string describe(const ApiRequest& request) {
  auto out = std::string(word_for(request)) + " " + target_of(request);
  if (!request.raw_path.empty()) return out;
  if (!request.key.name.empty()) {
    out += " " + request.key.text();
  } else if (!request.key.ns.empty()) {
    out += " in " + request.key.ns;
  }
  return out;
}

const char* method_of(Verb verb) {
  switch (verb) {
    case Verb::kGet:
    case Verb::kList:
    case Verb::kWatch:
      return "GET";
    case Verb::kCreate:
      return "POST";
    case Verb::kUpdate:
      return "PUT";
    case Verb::kPatch:
      return "PATCH";
    case Verb::kDelete:
    case Verb::kDeleteCollection:
      return "DELETE";
  }
  return "";
}

net::Request to_http(const ApiRequest& request, std::string_view path_prefix) {
  net::Request http;
  http.method = method_of(request.verb);
  http.target = std::string(path_prefix);
  http.target += request.raw_path.empty() ? request.resource.path(request.key.ns, request.key.name, request.subresource)
                                          : request.raw_path;
  auto query = query_of(request);
  if (!query.empty()) http.target += "?" + query;
  http.headers = request.headers;
  if (net::header(http.headers, "Accept").empty()) http.headers.emplace_back("Accept", accept_of(request));
  if (!request.body.empty()) http.headers.emplace_back("Content-Type", content_type_of(request));
  http.body = request.body;
  return http;
}

bool is_read(Verb verb) { return verb == Verb::kGet || verb == Verb::kList || verb == Verb::kWatch; }

bool is_idempotent(const ApiRequest& request) {
  if (request.verb == Verb::kCreate) return false;
  return request.verb != Verb::kPatch || request.patch_type != PatchType::kJson;
}

std::string with_resource_version(json::View object, std::string_view version) {
  json::Writer writer;
  writer.begin_object();
  for (const auto& [name, value] : object.members()) {
    if (name != "metadata") writer.field(name, value);
  }
  writer.key("metadata").begin_object();
  for (const auto& [name, value] : object.find("metadata").members()) {
    if (name != "resourceVersion") writer.field(name, value);
  }
  writer.field("resourceVersion", version).end_object().end_object();
  return std::move(writer).take();
}

}  // namespace keelson::kube
