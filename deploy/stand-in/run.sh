#!/usr/bin/env bash
# Runs Node in an unpacked image as a restricted pod does: user 65532, nothing above it, the root read-only, an empty /tmp. [H18]
#   deploy/stand-in/run.sh ROOTFS ARGUMENT…
# Becomes that process, so that a signal to this one reaches it. Needs root.
set -euo pipefail
if [ "${IN_OWN_MOUNTS:-}" != yes ]; then exec env IN_OWN_MOUNTS=yes unshare --mount "$0" "$@"; fi
unset IN_OWN_MOUNTS
rootfs=$1
shift
mount --bind "$rootfs" "$rootfs"
mount --rbind /dev "$rootfs/dev"
mount -t proc proc "$rootfs/proc"
mount -t tmpfs -o mode=1777 tmpfs "$rootfs/tmp"
mount -o remount,bind,ro "$rootfs"
exec unshare --root="$rootfs" --wd=/app --setgid=65532 --setuid=65532 -- /nodejs/bin/node "$@"
