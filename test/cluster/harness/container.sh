#!/usr/bin/env bash
# container.sh ROOT HOSTNAME USER PROGRAM ENTRYPOINT [NAME=VALUE...] -- COMMAND...
#
# Runs a program as a container runtime would run an image that holds nothing else: ROOT is its whole file system and
# read-only, PROGRAM is ENTRYPOINT in it, the environment is what is given, the user has no privileges and gets none.
# To be started in namespaces of its own: unshare --mount --uts --pid --fork container.sh …
set -euo pipefail

root=$1 hostname=$2 user=$3 program=$4 entrypoint=$5
shift 5
environment=()
while [[ $1 != -- ]]; do environment+=("$1") && shift; done
shift

hostname "$hostname"
mount --bind "$root" "$root"
mkdir -p "$root/proc" "$root${entrypoint%/*}"
mount --rbind /proc "$root/proc"
touch "$root$entrypoint"
mount --bind "$program" "$root$entrypoint"
mount -o remount,bind,ro "$root"
cd /
exec env -i "${environment[@]}" "$(command -v setpriv)" --no-new-privs \
  "$(command -v chroot)" "--userspec=$user:$user" --groups= "$root" "$@"
