#include "src/sandbox/authorization/access.hpp"

#include <vector>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/sandbox/requests/texts.hpp"

namespace keelson::sandbox {

namespace {

// metadata.name=NAME in the fieldSelector: the request is only about that object. Of several fieldSelectors the first
// counts, as for the verb that is authorized here.
std::string selected_name(const kube::ApiRequest& request) {
  constexpr std::string_view kName = "metadata.name=";
  for (const auto& [parameter, value] : request.query) {
    if (parameter != "fieldSelector") continue;
    for (auto term : parts_of(value, ',')) {
      if (!term.starts_with(kName)) continue;
      term.remove_prefix(kName.size());
      if (term.starts_with('=')) term.remove_prefix(1);
      return std::string(term);
    }
    break;
  }
  return "";
}

std::string verb_of_method(const std::string& method, bool has_name) {
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return has_name ? "delete" : "deletecollection";
  return method == "GET" || method == "HEAD" ? (has_name ? "get" : "list") : "";
}

// kube-apiserver escapes text that looks like HTML.
std::string without_html(std::string_view text) {
  std::string safe;
  for (char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

Access access_of(const kube::ApiRequest& request) {
  Access access;
  if (!request.raw_path.empty()) {
    access.verb = "get";
    access.path = request.raw_path.substr(0, request.raw_path.find('?'));
    return access;
  }
  access.verb = kube::verb_name(request.verb);
  access.group = request.resource.group;
  access.resource = request.resource.plural;
  access.subresource = request.subresource;
  access.ns = request.key.ns;
  access.name = request.key.name;
  // A namespace belongs to itself: a Role in it may allow to read it.
  const bool is_namespace = access.group.empty() && access.resource == "namespaces";
  if (is_namespace) access.ns = request.key.name;
  const bool selects = request.verb == kube::Verb::kList || request.verb == kube::Verb::kWatch;
  if (selects && access.name.empty()) access.name = selected_name(request);
  return access;
}

Access access_of(const std::string& method, const std::string& path) {
  const auto segments = parts_of(path, '/');
  const bool is_core = segments.size() >= 3 && segments[0] == "api";
  const bool is_group = segments.size() >= 4 && segments[0] == "apis";
  Access access;
  if (!is_core && !is_group) {
    access.verb = base::to_lower(method);
    access.path = path;
    return access;
  }
  if (is_group) access.group = segments[1];
  std::vector<std::string_view> rest(segments.begin() + (is_group ? 3 : 2), segments.end());
  if (rest[0] == "namespaces" && rest.size() > 1) {
    access.ns = rest[1];
    const bool is_inside = rest.size() > 2 && rest[2] != "status" && rest[2] != "finalize";
    if (is_inside) rest.erase(rest.begin(), rest.begin() + 2);
  }
  access.resource = rest[0];
  if (rest.size() > 1) access.name = rest[1];
  if (rest.size() > 2) access.subresource = rest[2];
  access.verb = verb_of_method(method, !access.name.empty());
  return access;
}

Rejection forbidden(const std::string& user, const Access& access, const std::string& reason) {
  auto text = "User " + base::quote_go(user) + " cannot " + access.verb;
  if (!access.path.empty()) {
    text += " path " + base::quote_go(access.path);
  } else {
    auto what = access.resource + (access.subresource.empty() ? "" : "/" + access.subresource);
    text += " resource " + base::quote_go(what) + " in API group " + base::quote_go(access.group);
    text += access.ns.empty() ? " at the cluster scope" : " in the namespace " + base::quote_go(access.ns);
  }
  text = without_html(text);
  if (!reason.empty()) text += ": " + reason;
  kube::Resource resource(access.group, "", "", access.resource);
  return forbidden_object(resource, access.name, text);
}

Rejection forbidden_object(const kube::Resource& resource, const std::string& name, const std::string& why) {
  auto subject = resource.plural.empty() ? "" : resource.qualified_plural() + " ";
  if (!subject.empty() && !name.empty()) subject += base::quote_go(name) + " ";
  auto rejected = rejection(403, "Forbidden", subject + (subject.empty() ? "forbidden: " : "is forbidden: ") + why);
  rejected.status["details"] = details_of(resource, resource.plural, name);
  return rejected;
}

}  // namespace keelson::sandbox
