#include "website/website_defaulter.hpp"

#include "keelson/operator.hpp"

namespace website {
using namespace keelson;

namespace {

boost::asio::awaitable<webhook::Decision> mutate(Website& object, const webhook::Request&) {
  set_defaults(object);
  co_return webhook::Decision::allow();
}

}  // namespace

void set_defaults(Website& object) {
  if (!object.spec.replicas) object.spec.replicas = 1;
}

void add_defaulter(controller::Definition& definition) {
  // webhook::mutating also takes options, such as selectors: keelson/webhook/admission.hpp.
  definition.webhook(webhook::mutating<Website>(mutate));
}

}  // namespace website
