module keelson/test/bench/attack

go 1.24
