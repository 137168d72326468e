// The built-in controllers in one binary.
#include "keelson/program/run.hpp"
#include "src/controllers/bluegreen/bluegreen.hpp"
#include "src/controllers/cronjob/cronjob.hpp"
#include "src/controllers/guestbook/guestbook.hpp"
#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/memcached/memcached.hpp"

int main(int argc, char** argv) {
  using namespace keelson::controllers;
  return keelson::run(argc, argv, {memcached(), cronjob(), bluegreen(), hikawa(), guestbook()});
}
