#include "keelson/detail/lifecycle/health.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace keelson::lifecycle {

namespace {

struct Target {
  std::string_view path;
  bool verbose = false;
  std::set<std::string, std::less<>> excluded;
};

Target parse_target(std::string_view target) {
  Target parsed;
  auto question = target.find('?');
  parsed.path = target.substr(0, question);
  while (parsed.path.size() > 1 && parsed.path.back() == '/') parsed.path.remove_suffix(1);
  auto query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    auto parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    auto equals = parameter.find('=');
    auto name = parameter.substr(0, equals);
    if (name == "verbose") parsed.verbose = true;
    if (name == "exclude" && equals != std::string_view::npos) parsed.excluded.emplace(parameter.substr(equals + 1));
  }
  return parsed;
}

net::Response answer_one(const Check& check) {
  auto result = check.run();
  if (result) return net::text_response(200, "ok");
  return net::text_response(500, "internal server error: " + result.error().message() + "\n");
}

// The reply lists all checks by name, then the excluded names that match no check, then the result.
net::Response answer_sum(const std::vector<Check>& checks, Target target) {
  std::vector<const Check*> sorted;
  for (const auto& check : checks) {
    if (check.in_sum) sorted.push_back(&check);
  }
  std::ranges::sort(sorted, [](const Check* a, const Check* b) { return a->name < b->name; });
  std::string report;
  bool failed = false;
  for (const auto* check : sorted) {
    if (target.excluded.erase(check->name) != 0) {
      report += "[+]" + check->name + " excluded: ok\n";
    } else if (check->run()) {
      report += "[+]" + check->name + " ok\n";
    } else {
      failed = true;
      report += "[-]" + check->name + " failed: reason withheld\n";
    }
  }
  if (!target.excluded.empty()) {
    report += "warn: some health checks cannot be excluded: no matches for ";
    std::string names;
    for (const auto& name : target.excluded) names += (names.empty() ? "\"" : ",\"") + name + "\"";
    report += names + "\n";
  }
  if (failed) return net::text_response(500, report + "healthz check failed\n");
  if (!target.verbose) return net::text_response(200, "ok");
  return net::text_response(200, report + "healthz check passed\n");
}

net::Response answer(const std::vector<Check>& checks, std::string_view name, Target target) {
  if (name.empty()) return answer_sum(checks, std::move(target));
  auto check = std::ranges::find_if(checks, [&](const Check& c) { return c.name == name; });
  return check == checks.end() ? net::not_found_response() : answer_one(*check);
}

}  // namespace

net::Response answer_health(const HealthChecks& checks, const net::Request& request) {
  auto target = parse_target(request.target);
  for (const auto& [prefix, list] :
       {std::pair<std::string_view, const std::vector<Check>*>{"/healthz", &checks.healthz},
        {"/readyz", &checks.readyz}}) {
    if (!target.path.starts_with(prefix)) continue;
    auto rest = target.path.substr(prefix.size());
    if (rest.empty()) return answer(*list, "", std::move(target));
    if (rest.front() == '/') return answer(*list, rest.substr(1), std::move(target));
  }
  return net::not_found_response();
}

}  // namespace keelson::lifecycle
