#include "keelson/controller/catch_up.hpp"

#include <charconv>

#include "keelson/controller/owner_reference.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// A page is read in one go: fifty Jobs with large templates do not hold the loop, nor exceed what a reply may have.
constexpr std::int64_t kPage = 50;

}  // namespace

bool CatchUp::may_lag(const kube::Resource& resource, const kube::Resource& children) const {
  return !has_passed(context_.informer(resource)) || !has_passed(context_.informer(children));
}

asio::awaitable<Result<bool>> CatchUp::bring_up_to_date(kube::Resource resource, kube::Object object,
                                                        kube::Resource children) {
  auto& own = context_.informer(resource);
  auto& others = context_.informer(children);
  if (!may_lag(resource, children)) {
    asked_.clear();
    co_return false;
  }
  auto question = std::string(object.uid()) + " " + children.kind;
  if (asked_.contains(question)) co_return false;
  auto asked = co_await ask_for_object(own, object);
  if (asked) asked = co_await ask_for_children(others, std::move(object));
  if (!asked) co_return std::move(asked.error()).within("looking again before a decision");
  asked_.insert(std::move(question));
  co_return true;
}

asio::awaitable<Result<bool>> CatchUp::bring_up_to_date(kube::Resource resource, kube::Object object) {
  auto& own = context_.informer(resource);
  auto question = std::string(object.uid()) + " " + resource.kind;
  if (has_passed(own)) {
    asked_.erase(question);
    co_return false;
  }
  if (asked_.contains(question)) co_return false;
  auto asked = co_await ask_for_object(own, std::move(object));
  if (!asked) co_return std::move(asked.error()).within("looking again before a change");
  asked_.insert(std::move(question));
  co_return true;
}

asio::awaitable<Result<void>> CatchUp::ask_for_object(cache::Informer& informer, kube::Object object) {
  kube::ListOptions options;
  options.ns = object.ns();
  options.fields = "metadata.name=" + std::string(object.name());
  auto found = co_await kube::list(context_.client, informer.resource(), std::move(options));
  if (!found) co_return std::move(found.error());
  saw(informer, found->resource_version);
  const bool is_gone = found->items.empty() || found->items.front().uid() != object.uid();
  if (is_gone) informer.observe_delete(object.key(), object.uid());
  for (const auto& item : found->items) informer.observe_write(item);
  co_return Result<void>();
}

asio::awaitable<Result<void>> CatchUp::ask_for_children(cache::Informer& informer, kube::Object object) {
  std::map<std::string, kube::Key, std::less<>> missing;  // known before the question, and not in the answer
  for (const auto& child : informer.owned_by(object)) {
    missing.emplace(child.uid(), child.key());
  }
  kube::ListOptions options;
  options.ns = object.ns();
  options.limit = kPage;
  do {
    auto page = co_await kube::list(context_.client, informer.resource(), options);
    if (!page) co_return std::move(page.error());
    saw(informer, page->resource_version);
    for (const auto& child : page->items) {
      // One that is known and has another controller by now is not gone.
      const bool is_known = missing.erase(std::string(child.uid())) > 0;
      if (is_known || is_controlled_by(child, object)) informer.observe_write(child);
    }
    options.continue_token = std::move(page->continue_token);
  } while (!options.continue_token.empty());
  for (const auto& [uid, key] : missing) informer.observe_delete(key, uid);
  co_return Result<void>();
}

bool CatchUp::has_passed(const cache::Informer& informer) const {
  auto first = first_seen_.find(&informer);
  return first != first_seen_.end() && informer.observed_version() >= first->second;
}

void CatchUp::saw(const cache::Informer& informer, const std::string& version) {
  std::uint64_t number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  first_seen_.try_emplace(&informer, number);
}

}  // namespace keelson::controller
