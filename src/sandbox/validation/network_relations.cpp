#include "src/sandbox/validation/relations.hpp"

#include <set>

#include "keelson/detail/base/go_text.hpp"
#include "src/sandbox/custom/schema_tree.hpp"
#include "src/sandbox/validation/text_formats.hpp"

namespace keelson::sandbox {

namespace {

void check_port(RuleCheck& check, const Spot& at, const Words&) {
  if (at.value->is_null()) return;
  if (at.value->is_string()) {
    for (const auto& why : format_errors("port_name", at.value->scalar())) check.invalid(at, why);
    return;
  }
  const auto number = number_in(*at.value);
  if (number < 1 || number > 65535) check.invalid(at, "must be between 1 and 65535, inclusive");
}

void check_cidr_exceptions(RuleCheck& check, const Spot& at, const Words&) {
  const auto& outer = value_at(*at.value, "cidr").scalar();
  if (!format_errors("cidr", outer).empty()) return;
  const auto except = at.field("except");
  for (std::size_t i = 0; i < except.value->items().size(); ++i) {
    const auto spot = except.item(i);
    const auto errors = format_errors("cidr", spot.value->scalar());
    for (const auto& why : errors) check.invalid(spot, why);
    if (errors.empty() && !contains_network(outer, spot.value->scalar())) {
      check.invalid(spot, "must be a strict subset of `cidr`");
    }
  }
}

// `at` is the spec of a Service. An ExternalName has no address, and a former headless one may get one.
void check_cluster_ip_update(RuleCheck& check, const Spot& at, const Words&) {
  const auto type_of = [](const Tree& spec) { return spec.text_at({"type"}); };
  if (type_of(*at.before) == "ExternalName" || type_of(*at.value) == "ExternalName") return;
  const auto had = at.before->text_at({"clusterIP"});
  const auto has = at.value->text_at({"clusterIP"});
  if (had.empty() || had == has) return;
  const auto spot = at.field("clusterIPs");
  check.add({FieldReason::kInvalid, index_path(spot.path(), 0), shown_value(Tree::array({Tree(has)})),
             "may not change once set"});
}

void check_external_name(RuleCheck& check, const Spot& at, const Words&) {
  auto text = at.value->scalar();
  if (text.ends_with('.')) text.pop_back();
  for (const auto& why : format_errors("dns_subdomain", text)) check.invalid(at, Tree(text), why);
}

void check_affinity_timeout(RuleCheck& check, const Spot& at, const Words&) {
  const auto seconds = number_in(*at.value);
  if (at.value->is_null() || (seconds > 0 && seconds <= 86400)) return;
  check.invalid(at, "must be greater than 0 and less than 86400");
}

// `at` is the list of a Service's ports.
void check_repeated_ports(RuleCheck& check, const Spot& at, const char* field, bool is_node_port) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < at.value->items().size(); ++i) {
    const auto spot = at.item(i);
    const auto number = spot.value->integer_at({field});
    if (number == 0) continue;
    auto protocol = spot.value->text_at({"protocol"});
    if (protocol.empty()) protocol = "TCP";
    if (seen.insert(protocol + std::to_string(number)).second) continue;
    if (is_node_port) {
      check.add({FieldReason::kDuplicate, spot.field(field).path(), std::to_string(number)});
    } else {
      check.add({FieldReason::kDuplicate, spot.path(),
                 R"({"Name":"","Protocol":)" + base::quote_go(protocol) + R"(,"AppProtocol":null,"Port":)" +
                     std::to_string(number) + R"(,"TargetPort":0,"NodePort":0})"});
    }
  }
}

void check_end_port(RuleCheck& check, const Spot& at, const Words&) {
  const auto port = at.field("port");
  const auto end = at.field("endPort");
  const auto number = number_in(*end.value);
  if (port.value->is_null()) return check.invalid(end, "may not be specified when `port` is not specified");
  if (port.value->is_string()) return check.invalid(end, "may not be specified when `port` is non-numeric");
  if (number < number_in(*port.value)) check.invalid(end, *port.value, "must be greater than or equal to `port`");
  if (number < 1 || number > 65535) check.invalid(end, "must be between 1 and 65535, inclusive");
}

void check_ingress_path(RuleCheck& check, const Spot& at, const Words&) {
  const auto& path = at.value->scalar();
  for (const char* part : {"//", "/./", "/../", "%2f", "%2F"}) {
    if (path.find(part) != std::string::npos) check.invalid(at, std::string("must not contain '") + part + "'");
  }
  for (const char* tail : {"/..", "/."}) {
    if (path.ends_with(tail)) check.invalid(at, std::string("cannot end with '") + tail + "'");
  }
}

void check_ingress_class(RuleCheck& check, const Spot& at, const Words&) {
  constexpr const char* kAnnotation = "kubernetes.io/ingress.class";
  const Tree* annotation = at.value->at({"metadata", "annotations", kAnnotation});
  const Tree* name = at.value->at({"spec", "ingressClassName"});
  if (annotation == nullptr || name == nullptr || *annotation == *name) return;
  check.add({FieldReason::kInvalid, std::string("annotations.") + kAnnotation, shown_value(*annotation),
             "must match `ingressClassName` when both are specified"});
}

void check_two_families(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  const auto is_v6 = [](const Tree& item) { return item.scalar().find(':') != std::string::npos; };
  if (items.size() != 2 || is_v6(items[0]) != is_v6(items[1])) return;
  check.invalid(at, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64");
}

// The networks of a ServiceCIDR: one may get a second one of the other family.
void check_service_networks(RuleCheck& check, const Spot& at, const Words& words) {
  const auto& had = at.before->items();
  const auto& has = at.value->items();
  const bool grows = had.size() == 1 && has.size() == 2;
  if (had.size() != has.size() && !grows) return check.invalid(at, *at.value, "field is immutable");
  for (std::size_t i = 0; i < had.size(); ++i) {
    if (!(had[i] == has[i])) check.invalid(at.item(i), "field is immutable");
  }
  if (!grows) return;
  for (std::size_t i = 0; i < has.size(); ++i) {
    for (const auto& why : format_errors("canonical_cidr", has[i].scalar())) check.invalid(at.item(i), why);
  }
  check_two_families(check, at, words);
}

// `at` is an address of an EndpointSlice; a wrong family is an error of the list.
void check_family(RuleCheck& check, const Spot& at, std::string_view format) {
  for (const auto& why : format_errors(format, at.value->scalar())) check.invalid(*at.outer, *at.value, why);
}

void check_known_endpoint_ip(RuleCheck& check, const Spot& at, const Words&) {
  const auto& text = at.value->scalar();
  if (!format_errors("ip", text).empty()) return;
  for (const auto& why : format_errors("endpoint_ip", text)) check.invalid(at, why);
}

void check_first_address(RuleCheck& check, const Spot& at, const Words&) {
  const auto& items = at.value->items();
  if (items.empty() || items[0] == value_at(*at.outer->value, "clusterIP")) return;
  check.invalid(at, "first value must match `clusterIP`");
}

}  // namespace

const Relations& network_relations() {
  static const Relations kRelations{
      {"cluster_ip_update", check_cluster_ip_update},
      {"external_name", check_external_name},
      {"affinity_timeout", check_affinity_timeout},
      {"distinct_ports",
       [](RuleCheck& c, const Spot& at, const Words&) { check_repeated_ports(c, at, "port", false); }},
      {"distinct_node_ports",
       [](RuleCheck& c, const Spot& at, const Words&) { check_repeated_ports(c, at, "nodePort", true); }},
      {"end_port", check_end_port},
      {"ingress_path", check_ingress_path},
      {"ingress_class", check_ingress_class},
      {"service_networks", check_service_networks},
      {"v4_address", [](RuleCheck& c, const Spot& at, const Words&) { check_family(c, at, "v4"); }},
      {"v6_address", [](RuleCheck& c, const Spot& at, const Words&) { check_family(c, at, "v6"); }},
      {"known_endpoint_ip", check_known_endpoint_ip},
      {"two_families", check_two_families},
      {"first_address", check_first_address},
      {"cidr_exceptions", check_cidr_exceptions},
      {"port", check_port},
  };
  return kRelations;
}

}  // namespace keelson::sandbox
