#include "test/cluster/harness/scraper.hpp"

#include <sstream>

namespace keelson::testing {

Scraper::Scraper() {
  kubectl({"create", "serviceaccount", "scraper", "-n", space_.name()});
  auto printed = kubectl({"create", "token", "scraper", "-n", space_.name()});
  token_ = printed.substr(0, printed.find('\n'));
}

Scraper::~Scraper() {
  (void)try_kubectl({"delete", "clusterrolebinding", "scraper-" + space_.name(), "--ignore-not-found"});
}

void Scraper::bind(const std::string& cluster_role) const {
  kubectl({"create", "clusterrolebinding", "scraper-" + space_.name(), "--clusterrole=" + cluster_role,
           "--serviceaccount=" + space_.name() + ":scraper"});
}

Scraped ask(const std::string& url, const std::string& token) {
  std::vector<std::string> command{"curl", "--silent", "--insecure", "--write-out", "\n%{http_code} %{http_version}"};
  if (!token.empty()) command.insert(command.end(), {"--header", "Authorization: Bearer " + token});
  command.push_back(url);
  auto output = run(command);
  const auto end_of_body = output.text.rfind('\n');
  Scraped scraped;
  std::istringstream(output.text.substr(end_of_body + 1)) >> scraped.code >> scraped.http_version;
  scraped.body = output.text.substr(0, end_of_body);
  return scraped;
}

}  // namespace keelson::testing
