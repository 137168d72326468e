#include "src/sandbox/http/chaos_front.hpp"

namespace keelson::sandbox {

RejectionOr<Answer> answer_chaos(Endpoints& endpoints, const UserInfo& user, const net::Request& request) {
  if (!user.is_in(kMasters)) {
    return forbidden(user.name, access_of(request.method, kChaosPath), "only members of system:masters may use it");
  }
  if (request.method == "PUT") {
    auto options = read_chaos(request.body);
    if (!options) return bad_request(options.error().text);
    endpoints.set_chaos(*options);
  } else if (request.method != "GET") {
    return method_not_allowed();
  }
  auto state = chaos_tree(endpoints.chaos.options());
  const auto& injected = endpoints.chaos.injected();
  auto count = [](std::uint64_t number) { return Tree::raw(std::to_string(number)); };
  state["injected"] = Tree::object({{"409", count(injected.conflicts)},
                                    {"429", count(injected.too_many_requests)},
                                    {"500", count(injected.internal_errors)},
                                    {"drop-watches", count(endpoints.world.watches.ended_lives())}});
  return Answer{200, state.text() + "\n"};
}

}  // namespace keelson::sandbox
