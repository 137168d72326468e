#!/usr/bin/env bash
# container.sh ROOT HOSTNAME USER PROGRAM ENTRYPOINT [NAME=VALUE...] -- COMMAND...
#
# Runs a program as a container runtime runs an image that contains nothing else: ROOT is its whole, read-only file
# system, PROGRAM is ENTRYPOINT in it, the environment has only the given variables, and the user has no privileges and
# cannot get any. Start it in its own namespaces:
# unshare --mount --propagation unchanged --uts --pid --fork container.sh …
set -euo pipefail

root=$1 hostname=$2 user=$3 program=$4 entrypoint=$5
shift 5
environment=()
while [[ $1 != -- ]]; do environment+=("$1") && shift; done
shift

hostname "$hostname"
mkdir -p "$root/proc" "$root${entrypoint%/*}"
touch "$root$entrypoint"

# A mount is visible elsewhere if its parent mount is shared. In a chroot "/" is not a mount point and cannot be made
# private; /proc is a mount point everywhere, and /proc/driver is a folder that every kernel has.
container=/proc/driver
mount --make-private /proc
mount --bind --make-private "$root" "$container"
mount --bind --make-private /proc "$container/proc"
mount --bind --make-private "$program" "$container$entrypoint"
mount -o remount,bind,ro "$container"
cd /
exec env -i "${environment[@]}" "$(command -v setpriv)" --no-new-privs \
  "$(command -v chroot)" "--userspec=$user:$user" --groups= "$container" "$@"
