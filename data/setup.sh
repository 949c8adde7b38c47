# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# Sourced by src/run and tests/run: what a machine needs before Tau can be built on it.
# Expects $root, the folder of the checkout.

: "${root:?}"

# The packages of the named sections of debian-packages.txt, one a line.
list_packages ()
{
  awk -v wanted=" $* " '
    /^\[/     { section = substr ($1, 2, length ($1) - 2); next }
    /^[a-z0-9]/ { if (index (wanted, " " section " ")) print $1 }
  ' "$root/data/debian-packages.txt"
}

# Those that are not installed.
list_missing_packages ()
{
  local package

  for package in $(list_packages "$@"); do
    # shellcheck disable=SC2016
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      echo "$package"
    fi
  done
}

# Installs what the named sections lack, saying so first. Asks the package servers nothing, and
# needs no rights, when nothing is missing.
install_packages ()
{
  local missing as_root=()

  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "There is no apt-get here, so nothing is installed; the build needs what these Debian packages hold:" >&2
    echo "  $(list_packages "$@" | xargs)" >&2
    return 0
  fi

  missing=$(list_missing_packages "$@" | xargs)
  if [ -z "$missing" ]; then
    return 0
  fi

  echo "These Debian packages are missing and will be installed:"
  echo "  $missing"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "That needs root and there is no sudo. As root, run: apt-get install $missing" >&2
      return 1
    fi
    as_root=(sudo)
  fi

  if ! "${as_root[@]}" apt-get update -q; then
    echo "The package servers could not be reached. Is the network there?" >&2
    return 1
  fi
  # shellcheck disable=SC2086
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends $missing; then
    echo "These packages could not be installed; is the network there? $missing" >&2
    return 1
  fi
}

# build_in FOLDER [MESON OPTION…]: configures FOLDER once and compiles what has changed.
build_in ()
{
  local build=$1
  shift

  if [ ! -f "$build/build.ninja" ]; then
    meson setup "$build" "$root" "$@" >"$root/_build/setup.log" 2>&1 || {
      cat "$root/_build/setup.log" >&2
      return 1
    }
  fi
  ninja --quiet -C "$build"
}
