#include "keelson/webhook/kind_webhooks.hpp"

#include <algorithm>

#include "keelson/base/text.hpp"

namespace keelson::webhook {

namespace {

std::string path_of(std::string_view verb, const kube::Resource& resource) {
  auto group = resource.group;
  std::replace(group.begin(), group.end(), '.', '-');
  return "/" + std::string(verb) + "-" + group + "-" + resource.version + "-" + base::to_lower(resource.kind);
}

std::string name_of(std::string_view letter, const kube::Resource& resource) {
  return std::string(letter) + base::to_lower(resource.kind) + "-" + resource.version + ".kb.io";
}

}  // namespace

std::string mutating_path(const kube::Resource& resource) { return path_of("mutate", resource); }
std::string validating_path(const kube::Resource& resource) { return path_of("validate", resource); }
std::string mutating_name(const kube::Resource& resource) { return name_of("m", resource); }
std::string validating_name(const kube::Resource& resource) { return name_of("v", resource); }

namespace detail {

std::vector<kube::FieldError> without_known(std::vector<kube::FieldError> errors,
                                            const std::vector<kube::FieldError>& known) {
  std::erase_if(errors, [&](const kube::FieldError& error) {
    return std::find(known.begin(), known.end(), error) != known.end();
  });
  return errors;
}

}  // namespace detail

}  // namespace keelson::webhook
