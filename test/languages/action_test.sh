#!/usr/bin/env bash
# The step of deploy/sandbox/setup-keelson-sandbox, with the variables of a runner. usage: action_test.sh KEELSON-SANDBOX
set -euo pipefail

readonly binary=$1 action="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../deploy/sandbox/setup-keelson-sandbox" && pwd)"
runner="$(mktemp -d)"
trap 'rm -rf "$runner"' EXIT
export RUNNER_TEMP="$runner/temp" GITHUB_PATH="$runner/path" GITHUB_OUTPUT="$runner/output" GITHUB_ACTION_PATH="$action"
mkdir "$RUNNER_TEMP"
readonly command="$(sed -n "s/^ *run: '\(.*\)'$/\1/p" "$action/action.yml")"

# step URL SHA256: runs the step's command, as the runner does.
step() {
  : >"$GITHUB_PATH"
  : >"$GITHUB_OUTPUT"
  SANDBOX_URL="$1" SANDBOX_SHA256="$2" bash --noprofile --norc -eo pipefail -c "$command" >"$runner/log" 2>&1
}

fail() {
  echo "action_test: $1" >&2
  cat "$runner/log" >&2
  exit 1
}

# rejects MESSAGE URL SHA256: the step fails with the message, and later steps do not find a binary.
rejects() {
  ! step "$2" "$3" || fail "$2 is accepted"
  grep -qF -- "$1" "$runner/log" || fail "the error of '$2' does not contain: $1"
  [[ ! -s $GITHUB_PATH && ! -e $RUNNER_TEMP/setup-keelson-sandbox/keelson-sandbox ]] || fail "$2 is rejected, but a later step finds a binary"
}

checksum="$(sha256sum "$binary")"
checksum="${checksum%% *}"
step "file://$binary" "" || fail "the binary is not accepted"
step "file://$binary" "${checksum^^}" || fail "the binary with its checksum is not accepted"
grep -qx "path=$RUNNER_TEMP/setup-keelson-sandbox/keelson-sandbox" "$GITHUB_OUTPUT" || fail "the output path is missing"
PATH="$(cat "$GITHUB_PATH"):$PATH" keelson-sandbox run -- true || fail "a later step cannot run keelson-sandbox"

rejects "SHA-256 checksum $checksum" "file://$binary" 0000
rejects "input url is missing" "" ""
rejects "must begin with https://" "http://127.0.0.1:1/keelson-sandbox" ""
rejects "cannot be downloaded" "file:///missing/keelson-sandbox" ""
printf 'touch %q\n' "$runner/executed" >"$runner/text"
rejects "is not a Linux binary" "file://$runner/text" ""
[[ ! -e $runner/executed ]] || fail "a download that is a text is executed"

# Every input reaches the script.
for name in url sha256; do
  grep -qF "SANDBOX_${name^^}: \${{ inputs.$name }}" "$action/action.yml" || fail "the input $name is not given to the script"
done
