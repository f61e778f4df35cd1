#!/bin/sh
# inRoot.sh ROOT PROGRAM...: runs a program of another root directory. It sees the folder for temporary files and the
# network of this machine, and ends with its parent.
root=$1
shift
tmp=${TMPDIR:-/tmp}
exec bwrap --ro-bind "$root" / --dev /dev --proc /proc --tmpfs /run --tmpfs /root --bind "$tmp" "$tmp" \
  --unshare-pid --die-with-parent --setenv HOME /root --setenv TMPDIR "$tmp" --setenv PATH /usr/bin:/bin \
  --setenv LANG en_GB.UTF-8 "$@"
