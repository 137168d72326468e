// What all passes of one controller share: its kind, consistent reads, and which statuses are held back. For the
// framework.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/controller/reconciler.hpp"
#include "keelson/kube/describe.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/kube/resource.hpp"

namespace keelson::controller {

class ConsistentRead;
class StatusWriter;

class PassState {
 public:
  // The context must outlive it. `status_description` is null for a kind whose status the controller does not write.
  PassState(Context& passes_context, kube::Resource kind, const kube::Description* status_description,
            bool shares_status);
  PassState(const PassState&) = delete;
  PassState& operator=(const PassState&) = delete;
  ~PassState();

  Context& context;
  const kube::Resource resource;  // the controller's kind
  cache::Informer& informer;      // of that kind

  [[nodiscard]] ConsistentRead& consistent_read() { return *consistent_read_; }

  // Writes a status that differs from the stored one. The outcome says when to reconcile again because it was held
  // back; empty: the object is gone.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<Outcome>>> write_status(kube::Object object,
                                                                                    std::string status,
                                                                                    bool is_immediate);
  // No status is held back for the object (any more).
  void forget_status(const kube::Key& key);

  // The change of the object starts the next pass.
  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> add_finalizer(kube::Object object, std::string name);
  [[nodiscard]] boost::asio::awaitable<Result<Outcome>> remove_finalizer(kube::Object object, std::string name);

 private:
  const kube::Description* status_description_;
  bool shares_status_;
  std::unique_ptr<ConsistentRead> consistent_read_;
  std::unique_ptr<StatusWriter> status_writer_;
};

}  // namespace keelson::controller
