#include <set>

#include "keelson/detail/base/text.hpp"
#include "src/sandbox/tables/table_columns.hpp"

namespace keelson::sandbox {

namespace {

std::string load_balancer_text(const Tree& object) {
  std::set<std::string> addresses;
  for (const auto& ingress : object.items_at({"status", "loadBalancer", "ingress"})) {
    auto address = text_or(ingress.find("ip"), ingress.text_at({"hostname"}));
    if (!address.empty()) addresses.insert(address);
  }
  return base::join({addresses.begin(), addresses.end()}, ",");
}

std::string cluster_ip(const Tree& service) {
  const auto& addresses = service.items_at({"spec", "clusterIPs"});
  return addresses.empty() ? "<none>" : addresses[0].scalar();
}

std::string external_ip(const Tree& service) {
  auto type = service.text_at({"spec", "type"});
  auto external = base::join(service.texts_at({"spec", "externalIPs"}), ",");
  if (type == "ExternalName") return service.text_at({"spec", "externalName"});
  if (type != "LoadBalancer") return external.empty() ? "<none>" : external;
  auto balanced = load_balancer_text(service);
  if (balanced.empty() && external.empty()) return "<pending>";
  if (balanced.empty() || external.empty()) return balanced + external;
  return balanced + "," + external;
}

std::string service_ports(const Tree& service) {
  std::vector<std::string> ports;
  for (const auto& port : service.items_at({"spec", "ports"})) {
    auto text = std::to_string(port.integer_at({"port"}));
    auto node_port = port.integer_at({"nodePort"});
    if (node_port > 0) text += ":" + std::to_string(node_port);
    ports.push_back(text + "/" + port.text_at({"protocol"}));
  }
  return ports.empty() ? "<none>" : base::join(ports, ",");
}

std::string ingress_hosts(const Tree& ingress) {
  const auto& rules = ingress.items_at({"spec", "rules"});
  std::vector<std::string> hosts;
  bool has_more = false;
  for (const auto& rule : rules) {
    has_more = has_more || hosts.size() == 3;
    auto host = rule.text_at({"host"});
    if (!has_more && !host.empty()) hosts.push_back(host);
  }
  if (hosts.empty()) return "*";
  return base::join(hosts, ",") + (has_more ? " + " + std::to_string(rules.size() - 3) + " more..." : "");
}

std::string ingress_ports(const Tree& ingress) { return ingress.items_at({"spec", "tls"}).empty() ? "80" : "80, 443"; }

std::string class_parameters(const Tree& object) {
  const Tree* parameters = object.at({"spec", "parameters"});
  if (parameters == nullptr) return "<none>";
  auto group = parameters->text_at({"apiGroup"});
  return parameters->text_at({"kind"}) + (group.empty() ? "" : "." + group) + "/" + parameters->text_at({"name"});
}

std::vector<std::string> addresses_of(const Tree& subset) {
  const auto& ports = subset.items_at({"ports"});
  std::vector<std::string> found;
  for (const auto& address : subset.items_at({"addresses"})) {
    auto ip = address.text_at({"ip"});
    if (ports.empty()) found.push_back(ip);
    for (const auto& port : ports) found.push_back(ip + ":" + std::to_string(port.integer_at({"port"})));
  }
  return found;
}

std::string endpoint_addresses(const Tree& endpoints) {
  std::vector<std::string> all;
  for (const auto& subset : endpoints.items_at({"subsets"})) {
    for (auto& address : addresses_of(subset)) all.push_back(std::move(address));
  }
  return endpoints.items_at({"subsets"}).empty() ? "<none>" : some_of(all, 3);
}

std::string slice_ports(const Tree& slice) {
  std::vector<std::string> ports;
  for (const auto& port : slice.items_at({"ports"})) {
    ports.push_back(text_or(port.find("port"), text_or(port.find("name"), "*")));
  }
  return ports.empty() ? "<unset>" : some_of(ports, 3);
}

std::string slice_addresses(const Tree& slice) {
  std::vector<std::string> all;
  for (const auto& endpoint : slice.items_at({"endpoints"})) {
    for (const auto& address : endpoint.items_at({"addresses"})) all.push_back(address.scalar());
  }
  return all.empty() ? "<unset>" : some_of(all, 3);
}

}  // namespace

const KindColumns& network_columns() {
  static const KindColumns kColumns{
      {"EndpointSlice",
       {name_column(), text_column("AddressType", "addressType"), computed_column("Ports", slice_ports),
        computed_column("Endpoints", slice_addresses), age_column()}},
      {"Endpoints", {name_column(), computed_column("Endpoints", endpoint_addresses), age_column()}},
      {"Ingress",
       {name_column(), text_column("Class", "spec.ingressClassName", "<none>"), computed_column("Hosts", ingress_hosts),
        computed_column("Address", load_balancer_text), computed_column("Ports", ingress_ports), age_column()}},
      {"IngressClass",
       {name_column(), text_column("Controller", "spec.controller"), computed_column("Parameters", class_parameters),
        age_column()}},
      {"NetworkPolicy",
       {name_column(), selector_column("Pod-Selector", "spec.podSelector", selector_text), age_column()}},
      {"Service",
       {name_column(), text_column("Type", "spec.type"), computed_column("Cluster-IP", cluster_ip),
        computed_column("External-IP", external_ip), computed_column("Port(s)", service_ports), age_column(),
        selector_column("Selector", "spec.selector", labels_text, 1)}}};
  return kColumns;
}

}  // namespace keelson::sandbox
