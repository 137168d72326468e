// The ConfigMap `websites` of each namespace: a line for every Website in it, which nobody owns.
#pragma once

#include <boost/asio/awaitable.hpp>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"

namespace website {

class Directory {
 public:
  explicit Directory(keelson::controller::Context& context) : context_(context) {}

  boost::asio::awaitable<keelson::Result<void>> enter(keelson::kube::Key website);
  boost::asio::awaitable<keelson::Result<void>> leave(keelson::kube::Key website);

 private:
  [[nodiscard]] bool has(const keelson::kube::Key& website) const;

  keelson::controller::Context& context_;
};

}  // namespace website
