#include "src/kube/server_probe.hpp"

namespace keelson::kube {

// While this object exists, other callers wait. It is also destroyed if its caller is canceled; then another caller
// sends the probe.
class ServerProbe::Asking {
 public:
  explicit Asking(ServerProbe& probe) : probe_(probe) { probe_.is_asking_ = true; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() {
    probe_.is_asking_ = false;
    probe_.asked_.notify_all();
  }

 private:
  ServerProbe& probe_;
};

boost::asio::awaitable<bool> ServerProbe::answers() {
  auto began = clock_.now();
  while (is_asking_) co_await asked_.wait();
  if (answered_at_ && *answered_at_ > began - kSilence) co_return true;
  if (unanswered_at_ && *unanswered_at_ >= began) co_return false;
  Asking asking(*this);
  auto came = co_await ask_();
  (came ? answered_at_ : unanswered_at_) = clock_.now();
  co_return came;
}

}  // namespace keelson::kube
