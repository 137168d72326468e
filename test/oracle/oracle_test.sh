#!/usr/bin/env bash
# Compares our schedules with robfig/cron v3: oracle_test.sh TEST_ORACLE MANAGER ZONEINFO FOLDER
#
#   KEELSON_SEED   repeats the questions of an earlier run
#   KEELSON_COUNT  the number of questions (default: 10000)
set -euo pipefail

test_oracle=$1 manager=$2 zoneinfo=$3 folder=$4
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
seed="${KEELSON_SEED:-$SRANDOM}"
count="${KEELSON_COUNT:-10000}"

fail() {
  printf 'oracle: %s (KEELSON_SEED=%s)\n' "$*" "$seed" >&2
  exit 1
}

mkdir -p "$folder"
command -v go >/dev/null || fail "no 'go' on PATH, and the oracle is written in it; run scripts/setup"
(cd "$here" && CGO_ENABLED=0 GOWORK=off go build -mod=readonly -trimpath -buildvcs=false -o "$folder/oracle" .) ||
  fail "go could not build test/oracle (see above); it needs the Go module proxy"

printf 'oracle: %s questions, KEELSON_SEED=%s\n' "$count" "$seed"
"$test_oracle" ask "$seed" "$count" >"$folder/questions"
ZONEINFO="$zoneinfo" "$folder/oracle" <"$folder/questions" >"$folder/answers" || fail "the oracle ended with $?"
"$test_oracle" check "$folder/questions" "$folder/answers" || fail "we do not agree with v3"

# The command `schedule` with some of the questions that fire. Until 1972 some offsets had seconds, which RFC 3339 cannot
# express.
asked=0
while read -r encoded instant _ && read -r kind _ answer <&3; do
  [[ $kind == times && $answer ]] && ((instant > 100000000)) || continue
  expression="$(printf '%b' "$(sed 's/../\\x&/g' <<<"$encoded")")"
  said="$("$manager" schedule "$expression" --from "$(date -u -d "@$instant" +%Y-%m-%dT%H:%M:%SZ)" \
    --count "$(wc -w <<<"$answer")")" || fail "manager schedule '$expression' exits with $?"
  said="$(date -u -f - +%s <<<"$said" | xargs)"
  [[ $said == "$(xargs <<<"$answer")" ]] || fail "manager schedule '$expression' from $instant: v3 $answer, ours $said"
  ((++asked < 100)) || break
done <"$folder/questions" 3<"$folder/answers"
printf 'oracle: manager schedule agrees on %s of them\n' "$asked"
