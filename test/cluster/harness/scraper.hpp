// A client of the metrics: a service account with a token, and the replies.
#pragma once

#include <string>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::testing {

// A service account with only the permissions that the test binds. Each has its own decisions in the caches of the
// servers that review its requests.
class Scraper {
 public:
  Scraper();
  Scraper(const Scraper&) = delete;
  Scraper& operator=(const Scraper&) = delete;
  ~Scraper();

  void bind(const std::string& cluster_role) const;
  [[nodiscard]] const std::string& token() const { return token_; }

 private:
  Namespace space_;
  std::string token_;
};

struct Scraped {
  int code = 0;  // 0: no reply
  std::string http_version;
  std::string body;
};

// Sends this bearer token, or none. Any certificate of the server is accepted.
[[nodiscard]] Scraped ask(const std::string& url, const std::string& token);

}  // namespace keelson::testing
