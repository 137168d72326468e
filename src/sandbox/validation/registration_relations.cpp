#include "src/sandbox/validation/relations.hpp"

#include <algorithm>
#include <cmath>

#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/tls/client_authority.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

// `at` is the name of an APIService.
void check_api_service_name(RuleCheck& check, const Spot& at, const Words&) {
  const auto errors = format_errors("path_segment", at.value->scalar());
  for (const auto& why : errors) check.invalid(at, why);
  const auto& spec = value_at(check.after(), "spec");
  const auto required = spec.text_at({"version"}) + "." + spec.text_at({"group"});
  if (!errors.empty() || at.value->scalar() == required) return;
  check.invalid(at, "must be `spec.version+\".\"+spec.group`: " + base::quote_go(required));
}

// The CA of an APIService without a Service.
void check_local_bundle(RuleCheck& check, const Spot& at, const Words&) {
  const auto bytes = base::base64_decode(at.value->scalar());
  check.invalid(at, Tree(std::to_string(bytes ? bytes->size() : 0) + " bytes"),
                "local APIServices may not have a caBundle");
}

void check_certificate_request(RuleCheck& check, const Spot& at, const Words&) {
  const auto text = base::base64_decode(at.value->scalar());
  const auto read = tls::read_certificate_request(text ? *text : "");
  if (!read) check.invalid(at, at.value->is_null() ? Tree() : *at.value, read.error().text);
}

// The first reason why a request flow cannot have the path; empty if it can.
std::string flow_path_error(const std::string& path) {
  if (path.empty()) return "must not be empty";
  if (path == "/") return "";
  if (!path.starts_with('/')) return "must start with slash";
  if (path.find(' ') != std::string::npos) return "must not contain white-space";
  if (path.find("//") != std::string::npos) return "must not contain double slash";
  const auto wildcards = std::ranges::count(path, '*');
  return wildcards > 1 || (wildcards == 1 && !path.ends_with("/*")) ? "wildcard can only do suffix matching" : "";
}

// Whether one of the texts is "*", which may have no company: `others` are the kind of texts.
bool has_wildcard(RuleCheck& check, const Spot& at, const char* others) {
  const auto& items = at.value->items();
  if (!contains(items, Tree("*"))) return false;
  if (items.size() > 1) check.invalid(at, std::string("if '*' is present, must not specify other ") + others);
  return true;
}

void check_flow_paths(RuleCheck& check, const Spot& at, const Words&) {
  if (has_wildcard(check, at, "non-resource URLs")) return;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto item = at.item(i);
    const auto why = flow_path_error(item.value->scalar());
    if (!why.empty()) check.invalid(item, why);
  }
}

void check_flow_namespaces(RuleCheck& check, const Spot& at, const Words&) {
  if (has_wildcard(check, at, "namespaces")) return;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto item = at.item(i);
    for (const auto& why : format_errors("dns_label", item.value->scalar())) {
      check.invalid(item, "each member of this list must be '*' or a DNS-1123 label; " + why);
    }
  }
}

// The size of the hand, if a hash suffices to deal it from the queues.
void check_entropy_bits(RuleCheck& check, const Spot& at, const Words&) {
  constexpr int kMostHashBits = 60;
  const auto hand = number_in(*at.value);
  const auto deck = number_in(value_at(*at.outer->value, "queues"));
  if (std::ceil(std::log2(static_cast<double>(deck)) * static_cast<double>(hand)) <= kMostHashBits) return;
  check.invalid(at, "required entropy bits of deckSize " + std::to_string(deck) + " and handSize " +
                        std::to_string(hand) + " should not be greater than 60");
}

}  // namespace

const Relations& registration_relations() {
  static const Relations kRelations{
      {"api_service_name", check_api_service_name},       {"local_bundle", check_local_bundle},
      {"certificate_request", check_certificate_request}, {"flow_paths", check_flow_paths},
      {"flow_namespaces", check_flow_namespaces},         {"entropy_bits", check_entropy_bits},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
