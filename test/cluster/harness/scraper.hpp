// Who asks for metrics: a service account with a token, and what came of asking.
#pragma once

#include <string>

#include "test/cluster/harness/cluster.hpp"

namespace keelson::test {

// A service account that may do nothing but what it is bound to. Each has decisions of its own in the caches of those
// who ask the API server about it.
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
  int code = 0;  // 0: nobody answered
  std::string http_version;
  std::string body;
};

// With this bearer token, or with none. Whatever certificate the server has will do.
[[nodiscard]] Scraped ask(const std::string& url, const std::string& token);

}  // namespace keelson::test
