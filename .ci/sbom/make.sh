#!/usr/bin/env bash
# Writes the bill of materials of the image as CycloneDX: .ci/sbom/make.sh OUT.json
# It installs the packages of the image into a folder of its own: in a full checkout neither this tool nor `npm sbom` can exclude the
# packages that the image does not contain. The list also names typescript and @types, which deploy/what-runs.mjs removes.
set -euo pipefail
out=$(realpath -m "${1:?usage: .ci/sbom/make.sh OUT.json}")
cd "$(dirname "$0")/../.."
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
cp package.json package-lock.json .npmrc "$tree"
for manifest in libs/*/package.json services/*/package.json tools/*/package.json deploy/local/package.json test/package.json; do
  mkdir -p "$tree/$(dirname "$manifest")"
  cp "$manifest" "$tree/$manifest"
done
# Read from the Dockerfile, so that only one file lists the workspaces of the image.
workspaces=$(sed -n 's/^ENV RUN_WORKSPACES="\([^"]*\)".*/\1/p' deploy/Dockerfile)
[ -n "$workspaces" ]
npm ci --prefix .ci/sbom --ignore-scripts --no-audit > /dev/null
cd "$tree"
# shellcheck disable=SC2086 # word splitting intended
npm ci --ignore-scripts --no-audit --omit=dev --omit=optional $workspaces > /dev/null
# shellcheck disable=SC2086
"$OLDPWD/.ci/sbom/node_modules/.bin/cyclonedx-npm" --omit dev --omit optional $workspaces \
  --mc-type application --output-reproducible --validate --output-file "$out"
