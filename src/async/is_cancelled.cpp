#include "keelson/detail/async/is_cancelled.hpp"

#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

namespace keelson::async {

bool is_cancelled(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const boost::system::system_error& error) {
    return error.code() == boost::asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

}  // namespace keelson::async
