#!/usr/bin/env bash
# Pushes every packaged chart of FOLDER as an OCI artifact and prints one line for each, REPOSITORY@DIGEST, to be signed:
#   .ci/release/push-charts.sh FOLDER oci://REGISTRY/PATH [OPTION OF helm push…]
set -euo pipefail
usage='usage: .ci/release/push-charts.sh FOLDER oci://REGISTRY/PATH [OPTION…]'
folder=${1:?$usage} target=${2:?$usage}
shift 2
for chart in "$folder"/*.tgz; do
  # helm prints name and digest to standard error, like its messages.
  said=$(helm push "$chart" "$target" "$@" 2>&1) || { echo "$said" >&2; exit 1; }
  echo "$said" >&2
  awk '$1 == "Pushed:" { name = $2; sub(/:[^:\/]*$/, "", name) } $1 == "Digest:" { digest = $2 }
    END { if (name == "" || digest == "") exit 1; print name "@" digest }' <<< "$said"
done
