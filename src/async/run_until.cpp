#include "keelson/detail/async/run_until.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

namespace keelson::async {

void run_until(boost::asio::io_context& loop, const std::function<bool()>& is_done) {
  const auto keeps_running = boost::asio::make_work_guard(loop);
  loop.restart();
  while (!is_done()) loop.run_one();
}

}  // namespace keelson::async
