#!/usr/bin/env bash
# Packages every chart of a release, from a copy of charts/:
#   .ci/release/package-charts.sh VERSION REPOSITORY@DIGEST SOURCE-URL OUT
# Adds what a checkout does not know: the repository of the published image as the default of image.repository, the addresses of the
# project, and the annotations of Artifact Hub about both. Version and appVersion are VERSION. Requires helm, and no package of npm.
set -euo pipefail
usage='usage: .ci/release/package-charts.sh VERSION REPOSITORY@DIGEST SOURCE-URL OUT'
version=${1:?$usage} image=${2:?$usage} source=${3:?$usage} out=$(realpath -m "${4:?$usage}")
repository=${image%@*} digest=${image#*@}
[[ $digest == sha256:* ]] || { echo "$usage" >&2; exit 2; }
cd "$(dirname "$0")/../.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R charts/. "$copy"

cat > "$copy/annotations" <<END
  artifacthub.io/images: |
    - name: paraph
      image: $repository:$version@$digest
      platforms: [linux/amd64, linux/arm64]
  artifacthub.io/links: |
    - name: Documentation
      url: $source/blob/v$version/docs/README.md
    - name: Report a vulnerability
      url: $source/blob/v$version/SECURITY.md
END
for chart in "$copy"/*/; do
  grep -q '^annotations:$' "$chart/Chart.yaml" || echo 'annotations:' >> "$chart/Chart.yaml"
  sed -i "/^annotations:$/r $copy/annotations" "$chart/Chart.yaml"
  cat >> "$chart/Chart.yaml" <<END
home: $source
sources: ['$source']
icon: $source/raw/v$version/libs/web/src/icon.svg
maintainers: [{ name: The maintainers of Paraph, url: '$source' }]
END
  sed -i "0,/^  repository: ''$/s||  repository: $repository|" "$chart/values.yaml"
done
# After all are changed, because one chart contains another, by a link.
for chart in "$copy"/*/; do
  helm package "$chart" --version "$version" --app-version "$version" --destination "$out"
done
