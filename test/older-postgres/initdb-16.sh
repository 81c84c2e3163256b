#!/bin/sh
# initdb of Postgres 16, with the arguments of deploy/local/src/postgres.ts: the locale provider `builtin` came with 17.
for argument; do
  shift
  case $argument in
    --locale=*) set -- "$@" --locale=C.UTF-8 ;;
    --locale-provider=* | --builtin-locale=*) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "$(dirname "$0")/node_modules/postgres-16/native/bin/initdb" "$@"
