// Reports the pauses of a kind's objects: the condition Paused, and a log line at each transition.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/controller/pass_state.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::controller {

class PauseReporter {
 public:
  enum class Conditions { kNone, kOfStatus };
  // kNone: objects of the kind have no conditions, so only the log reports.
  PauseReporter(async::Clock& clock, kube::Resource resource, Conditions conditions);

  // Each returns false if the object is gone.
  [[nodiscard]] Task<bool> report(kube::Client& client, kube::Object object, Pause pause, Logger log);
  [[nodiscard]] Task<bool> report(kube::Client& client, kube::Object object, std::vector<PausedChild> children,
                                  Logger log);
  [[nodiscard]] Task<bool> end(kube::Client& client, kube::Object object);

  // The object is not paused itself.
  void note_resumed(const kube::Key& key, const Logger& log);
  [[nodiscard]] bool has_logged_children(const kube::Key& key) const { return children_.contains(key); }
  void forget(const kube::Key& key);

 private:
  [[nodiscard]] Task<bool> set(kube::Client& client, kube::Object object, std::string_view reason, std::string message);

  async::Clock& clock_;
  kube::Resource resource_;
  Conditions conditions_;
  // The last logged message of paused objects, and of objects with paused children.
  std::map<kube::Key, std::string> paused_;
  std::map<kube::Key, std::string> children_;
};

}  // namespace keelson::controller
