#!/usr/bin/env bash
# Writes the bill of materials of the image as CycloneDX, from the packages that its build installs: .ci/sbom/make.sh OUT.json
# From that tree and no other: in a full checkout neither this tool nor `npm sbom` tells what the image leaves out.
# It names typescript and @types, too, which are installed as peers and which deploy/what-runs.mjs drops.
set -euo pipefail
out=$(realpath -m "${1:?Say where to: .ci/sbom/make.sh OUT.json}")
cd "$(dirname "$0")/../.."
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp package.json package-lock.json .npmrc "$tree"
for manifest in libs/*/package.json services/*/package.json deploy/local/package.json test/package.json; do
  mkdir -p "$tree/$(dirname "$manifest")"
  cp "$manifest" "$tree/$manifest"
done
# The same words as in the Dockerfile, so that one place says which workspaces run.
workspaces=$(sed -n 's/^ENV RUN_WORKSPACES="\([^"]*\)".*/\1/p' deploy/Dockerfile)
[ -n "$workspaces" ]
npm ci --prefix .ci/sbom --ignore-scripts --no-audit > /dev/null
cd "$tree"
# shellcheck disable=SC2086 # several words
npm ci --ignore-scripts --no-audit --omit=dev --omit=optional $workspaces > /dev/null
# shellcheck disable=SC2086
"$OLDPWD/.ci/sbom/node_modules/.bin/cyclonedx-npm" --omit dev --omit optional $workspaces \
  --mc-type application --output-reproducible --validate --output-file "$out"
