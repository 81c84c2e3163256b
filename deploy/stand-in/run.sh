#!/usr/bin/env bash
# Runs Node in an unpacked image under the restrictions of a pod: user 65532, no access outside the image, a read-only root, an empty /tmp. [H18]
#   deploy/stand-in/run.sh ROOTFS ARGUMENT…
# Replaces itself by the Node process, so that signals reach Node. Requires root.
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
