# shellcheck shell=bash disable=SC2154
# Sourced by scripts that work in a bare Debian system in a folder, after app/setup.sh. The caller sets
#   release   bookworm (Debian 12) or trixie (Debian 13)
#   system    the absolute path of the folder
#   packages  optional: packages that the new system gets, beside the smallest set
# Needs root, on a Debian system. A trap of the caller calls end_child.

child=

# apart COMMAND...: runs it in namespaces of its own for mounts and processes, and waits.
apart() {
  local code=0
  unshare --mount --pid --fork --kill-child "$@" &
  child=$!
  wait "$child" || code=$?
  child=
  return "$code"
}

# Mounts and processes belong to the namespaces of the child and end with it.
end_child() {
  if [ -n "$child" ]; then kill -KILL "$child" 2>/dev/null; wait "$child" 2>/dev/null; fi
}

# in_system [VARIABLE=VALUE...] COMMAND...: runs it in /kdscope of the system, with a new user's environment. If
# $shared_tree is set, that folder is /kdscope.
in_system() {
  # shellcheck disable=SC2016  # the inner shells expand these
  apart sh -c '
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /sys "$0/sys" &&
      { [ -z "$1" ] || mount --rbind "$1" "$0/kdscope"; } && shift &&
      exec chroot "$0" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 "$@"' "$system" \
    "${shared_tree:-}" env -C /kdscope "$@"
}

# The sources of this machine's Debian packages, one per line: address, suite, component.
sources() {
  # shellcheck disable=SC2016  # apt expands these
  apt-get indextargets --format '$(ORIGIN)|$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    sed -n 's/^Debian|//p' | sort -u
}

# Makes the system from the package sources of this machine, unless it is there.
make_system() {
  [ ! -e "$system/bare-system-done" ] || return 0
  local here mirror proxy=
  # shellcheck source=/dev/null
  here=$(. /etc/os-release && echo "$VERSION_CODENAME")
  mirror=$(sources | sed -n "s/ $here main$//p" | head -n 1)
  if [ -z "$mirror" ]; then
    echo "apt has no list of the packages of $here main; run apt-get update, then start again"
    return 1
  fi
  eval "$(apt-config shell proxy Acquire::http::Proxy)"
  apart env ${proxy:+http_proxy="$proxy"} \
    debootstrap --variant=minbase --include=ca-certificates "$release" "$system" "$mirror" || return
  # A system that lasts for a test need not survive a power cut, and nobody is there to choose between this machine's
  # settings of apt and those that a package brings.
  printf 'force-unsafe-io\nforce-confold\n' >"$system/etc/dpkg/dpkg.cfg.d/bare" || return
  # The copy of apt's settings leaves the sources out, which name another release.
  cp -a /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg.d "$system/etc/apt/" || return
  sources | sed -n "s/^\([^ ]*\) $here\([^ ]*\) main$/deb \1 $release\2 main/p" >"$system/etc/apt/sources.list"
  cp -L /etc/resolv.conf /etc/hosts "$system/etc/" || return
  mkdir -p "$system/kdscope" && touch "$system/bare-system-done"
}
