#include "src/kinds/built_in.hpp"

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/guestbook/guestbook.hpp"
#include "src/kinds/hikawa/hikawa.hpp"
#include "src/kinds/memcached/memcached.hpp"

namespace keelson::kinds {

std::vector<controller::Definition> built_in() {
  return {
      memcached(), cronjob(), bluegreen(), hikawa(), guestbook(),
  };
}

}  // namespace keelson::kinds
