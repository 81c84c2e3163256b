#!/usr/bin/env bash
# Builds deploy/Dockerfile without a container registry, on stand-ins for its two base images, and writes the image to a tar file:
#   deploy/stand-in/build.sh OUT.tar [NAME:TAG]          (default: localhost/paraph:dev)
# For the cluster tests and for changes to the Dockerfile. It verifies the Dockerfile and the content of /app, but not the real base
# images. Never run the image in production.
#   PLATFORM=linux/arm64 deploy/stand-in/build.sh OUT.tar    builds for another platform, as a release does: without an emulator
# The base of another platform is empty, so that image does not run; the build shows that no step runs on its platform.
#
# Requires root, buildah, debootstrap, a Debian mirror, the npm registry, and this checkout after `npm ci` (the build uses its Node 24).
# The first run creates the base images in ${XDG_CACHE_HOME:-~/.cache}/paraph-stand-in in about a minute. A build takes about 90 s.
set -euo pipefail
out=${1:?usage: deploy/stand-in/build.sh OUT.tar [NAME:TAG]}
tag=${2:-localhost/paraph:dev}
cd "$(dirname "$0")/../.."
root=$PWD
cache=${XDG_CACHE_HOME:-$HOME/.cache}/paraph-stand-in
suite=trixie
# Default: the mirror from which this machine installs packages.
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)}
node=$root/node_modules/node/bin/node
npm_version=$(sed -n 's/.*"packageManager": "npm@\(.*\)".*/\1/p' package.json)

log() { echo "stand-in: $*" >&2; }
[ "$(id -u)" = 0 ] || { log 'must run as root, because it unpacks root file systems'; exit 1; }
for program in buildah debootstrap; do
  command -v $program > /dev/null || { log "$program is missing; on Debian run: apt-get install $program"; exit 1; }
done
"$node" --version > /dev/null || { log 'the checkout has no Node; run npm ci first'; exit 1; }
case $out in /*) ;; *) out=$OLDPWD/$out ;; esac

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
cat > "$cache/policy.json" <<< '{"default":[{"type":"insecureAcceptAnything"}]}'
run_buildah() {
  local command=$1
  shift
  case $command in
    build | push | from | commit) set -- --signature-policy "$cache/policy.json" "$@" ;;
  esac
  BUILDAH_ISOLATION=chroot buildah --root "$cache/storage" --runroot "$cache/run" --storage-driver overlay "$command" "$@"
}

# A minimal Debian with Node and npm, like node:24-trixie-slim.
build_base=$cache/build-$suite-$("$node" --version)-$npm_version
if [ ! -f "$build_base/.made" ]; then
  log "creating the build base image ($build_base)"
  rm -rf "$build_base"
  debootstrap --variant=minbase --include=ca-certificates $suite "$build_base" "$mirror" > "$cache/debootstrap.log" 2>&1 \
    || { tail -n 5 "$cache/debootstrap.log" >&2; exit 1; }
  install -m 755 "$node" "$build_base/usr/local/bin/node"
  npm install --silent --no-save --prefix "$build_base/usr/local/lib" "npm@$npm_version"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$build_base/usr/local/bin/npm"
  mkdir -p "$build_base/usr/local/lib/node_modules/npm/etc" "$build_base/usr/local/etc"
  # Trust the authorities of this machine, for networks with a TLS-intercepting proxy.
  echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$build_base/usr/local/etc/npmrc"
  touch "$build_base/.made"
fi

# Like distroless: the C and C++ libraries, CA certificates, time zones, one user, Node in /nodejs. No shell, no package manager.
run_base=$cache/run-$suite-$("$node" --version)
if [ ! -f "$run_base.made" ]; then
  log "creating the runtime base image ($run_base)"
  rm -rf "$run_base"
  mkdir -p "$run_base"/{etc/ssl/certs,home/nonroot,nodejs/bin,tmp,var,proc,dev,sys,usr/lib,usr/lib64,usr/share}
  chmod 1777 "$run_base/tmp"
  ln -s usr/lib "$run_base/lib"
  ln -s usr/lib64 "$run_base/lib64"
  libraries=$(uname -m)-linux-gnu
  mkdir -p "$run_base/usr/lib/$libraries"
  for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2 libnss_dns.so.2 libnss_files.so.2 \
    libgcc_s.so.1 libstdc++.so.6; do
    cp -L "$build_base/usr/lib/$libraries/$library" "$run_base/usr/lib/$libraries/"
  done
  cp -aL "$build_base"/lib64/ld-* "$run_base/usr/lib64/"
  cp -a "$build_base/usr/share/zoneinfo" "$run_base/usr/share/" 2> /dev/null || true
  cp "$build_base/etc/ssl/certs/ca-certificates.crt" "$run_base/etc/ssl/certs/"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' > "$run_base/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' > "$run_base/etc/group"
  echo 'hosts: files dns' > "$run_base/etc/nsswitch.conf"
  chown 65532:65532 "$run_base/home/nonroot"
  install -m 755 "$node" "$run_base/nodejs/bin/node"
  touch "$run_base.made"
fi

import_base() { # ROOTFS NAME
  run_buildah inspect --type image "$2" > /dev/null 2>&1 && return
  log "importing $2"
  tar -C "$1" --exclude=./.made --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -cf "$cache/base.tar" .
  local container
  container=$(run_buildah from scratch)
  run_buildah add -q "$container" "$cache/base.tar" / > /dev/null
  run_buildah commit -q --rm "$container" "$2" > /dev/null
  rm "$cache/base.tar"
}
build_name=localhost/stand-in-$(basename "$build_base" | tr 'A-Z' 'a-z'):1
run_name=localhost/stand-in-$(basename "$run_base" | tr 'A-Z' 'a-z'):1
import_base "$build_base" "$build_name"
import_base "$run_base" "$run_name"

case $(uname -m) in x86_64) native=amd64 ;; *) native=arm64 ;; esac
platform=${PLATFORM:-linux/$native}
# Nothing runs in the second stage, so another platform needs no base.
if [ "$platform" != "linux/$native" ]; then run_name=scratch; fi

log "building $tag for $platform"
run_buildah build --platform "$platform" --quiet --pull-never --network host --timestamp 0 --volume /etc/ssl/certs:/etc/ssl/certs:ro \
  --build-arg BUILDPLATFORM="linux/$native" --build-arg BUILD_IMAGE="$build_name" --build-arg RUN_IMAGE="$run_name" \
  --file deploy/Dockerfile --tag "$tag" . > "$cache/build.log" 2>&1 || { tail -n 40 "$cache/build.log" >&2; exit 1; }
rm -f "$out"
run_buildah push --quiet "$tag" "docker-archive:$out:$tag"
# Delete the image that had this tag before.
run_buildah rmi --prune > /dev/null
log "wrote $tag to $out ($(du -m "$out" | cut -f1) MB)"
