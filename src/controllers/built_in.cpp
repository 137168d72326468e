#include "src/controllers/built_in.hpp"

#include "src/controllers/bluegreen/bluegreen.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/guestbook/guestbook.hpp"
#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/memcached/memcached.hpp"

namespace keelson::controllers {

std::vector<controller::Definition> built_in() {
  return {
      memcached(), cronjob(), bluegreen(), hikawa(), guestbook(),
  };
}

}  // namespace keelson::controllers
