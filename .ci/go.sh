# For scripts that install programs from Go modules into a cache; they source this file.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/paraph-kube
# The Go version that the sources require.
go_required=1.26.0
export GOBIN=$cache/bin CGO_ENABLED=0 GOFLAGS='-p=2 -buildvcs=false'
mkdir -p "$GOBIN"

has() { [ -x "$GOBIN/$1" ]; }
at_least() { [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# Puts a recent Go first on the PATH. From 1.21 on, Go downloads the required toolchain itself; with an older Go this function downloads
# the toolchain as a module.
find_go() {
  command -v go > /dev/null || { apt-get update -qq && apt-get install -y -qq --no-install-recommends golang-go > /dev/null; }
  local version toolchain
  version=$(go env GOVERSION)
  at_least 1.21 "${version#go}" && { export GOTOOLCHAIN=auto; return; }
  toolchain=golang.org/toolchain@v0.0.1-go$go_required.$(go env GOOS)-$(go env GOARCH)
  go mod download "$toolchain"
  toolchain=$(go env GOMODCACHE)/$toolchain
  chmod -R u+w "$toolchain"
  chmod -R +x "$toolchain/bin" "$toolchain/pkg/tool"
  export PATH=$toolchain/bin:$PATH
}

install_from_source() { # program, module path with version, flags of the linker
  has "$1" || go install -ldflags "-s -w ${3:-}" "$2"
}
