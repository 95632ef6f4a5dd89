#!/bin/sh
# Installs an artefact with the tools of this system, runs it, and removes it. Only for disposable machines:
#     try-on-system.sh VERSION FILE
set -eu
version=$1
# npm and apt read a relative path as a name.
file=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
folder=$(mktemp -d)
export SKYCTL_CONFIG_DIR="$folder" SKYCTL_STATE_DIR="$folder"

fail() {
  echo "$file: $*" >&2
  exit 1
}

# Checks the output of "$@" for both questions, which is the same for all artefacts.
check() {
  actual=$("$@" --version)
  [ "$actual" = "$version" ] || fail "version $actual instead of $version"
  "$@" --context sandbox volumes list --json | grep -q '"id": 3001' || fail "no volume 3001 in the sandbox"
}

# Checks completions and man pages in their places on the system.
check_files() {
  for path in /usr/share/man/man1/skyctl-volumes.1.gz /usr/share/bash-completion/completions/skyctl "$@"; do
    [ -e "$path" ] || fail "$path is missing"
  done
}

check_gone() {
  ! command -v skyctl || fail "it is still there after its removal"
}

# A failure before "&&" would not end the script: each step has a line of its own.
case $file in
  *.deb)
    apt-get update -qq
    apt-get install -y -qq "$file"
    check skyctl
    check_files /usr/share/zsh/vendor-completions/_skyctl
    apt-get purge -y -qq skyctl
    check_gone
    ;;
  *.rpm)
    # Images of Fedora omit documentation, including man pages.
    dnf install -y --setopt=tsflags= "$file"
    check skyctl
    check_files /usr/share/zsh/site-functions/_skyctl
    dnf remove -y skyctl
    check_gone
    ;;
  *.tar.gz)
    case $file in *-musl.tar.gz) apk add --no-cache libstdc++ ;; esac
    tar -xzf "$file" -C "$folder"
    check "$folder/skyctl"
    ;;
  *.tgz)
    npm install --global --offline --ignore-scripts --prefix "$folder/prefix" "$file"
    check "$folder/prefix/bin/skyctl"
    ;;
  *-image.tar)
    skopeo copy "oci-archive:$file" "docker-daemon:skyctl-trial:$version"
    check docker run --rm --read-only --tmpfs /tmp --env SKYCTL_STATE_DIR=/tmp/state --env SKYCTL_CONFIG_DIR=/tmp/config \
      "skyctl-trial:$version"
    ;;
  *.rb)
    # Homebrew installs only from taps. The tarball is not published yet, so it comes from the folder of the formula.
    brew tap-new --no-git skyctl/trial
    sed "s|^  url .*/|  url \"file://$(dirname "$file")/|" "$file" >"$(brew --repository skyctl/trial)/Formula/skyctl.rb"
    brew install --formula skyctl/trial/skyctl
    brew test skyctl/trial/skyctl
    check skyctl
    brew uninstall skyctl
    check_gone
    ;;
  *.json)
    command -v scoop >/dev/null || powershell -Command 'irm get.scoop.sh | iex'
    PATH="$HOME/scoop/shims:$PATH"
    sed "s|\"url\": \".*/|\"url\": \"file:///$(cygpath -m "$(dirname "$file")")/|" "$file" >"$folder/skyctl.json"
    scoop install "$(cygpath -w "$folder/skyctl.json")"
    check skyctl
    scoop uninstall skyctl
    check_gone
    ;;
  *) fail "nobody knows how to try it" ;;
esac
rm -rf "$folder"
