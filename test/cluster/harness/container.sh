#!/usr/bin/env bash
# container.sh ROOT HOSTNAME USER PROGRAM ENTRYPOINT [NAME=VALUE...] -- COMMAND...
#
# Runs a program as a container runtime would run an image that holds nothing else: ROOT is its whole file system and
# read-only, PROGRAM is ENTRYPOINT in it, the environment is what is given, the user has no privileges and gets none.
# To be started in namespaces of its own: unshare --mount --propagation unchanged --uts --pid --fork container.sh …
set -euo pipefail

root=$1 hostname=$2 user=$3 program=$4 entrypoint=$5
shift 5
environment=()
while [[ $1 != -- ]]; do environment+=("$1") && shift; done
shift

hostname "$hostname"
mkdir -p "$root/proc" "$root${entrypoint%/*}"
touch "$root$entrypoint"

# A mount is seen elsewhere if the one that it hangs on is shared. "/" cannot be made private in a chroot, where it is
# no mount point; /proc is one everywhere, and /proc/driver a folder that every kernel has.
container=/proc/driver
mount --make-private /proc
mount --bind --make-private "$root" "$container"
mount --bind --make-private /proc "$container/proc"
mount --bind --make-private "$program" "$container$entrypoint"
mount -o remount,bind,ro "$container"
cd /
exec env -i "${environment[@]}" "$(command -v setpriv)" --no-new-privs \
  "$(command -v chroot)" "--userspec=$user:$user" --groups= "$container" "$@"
