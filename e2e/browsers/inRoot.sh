#!/bin/sh
# Runs the program SETTEE_BROWSER of the root directory SETTEE_BROWSER_ROOT. It sees the folder for temporary files and
# the network of this machine, and ends with its parent.
tmp=${TMPDIR:-/tmp}
exec bwrap --ro-bind "$SETTEE_BROWSER_ROOT" / --dev /dev --proc /proc --tmpfs /run --tmpfs /root --bind "$tmp" "$tmp" \
  --unshare-pid --die-with-parent --setenv HOME /root --setenv TMPDIR "$tmp" --setenv PATH /usr/bin:/bin \
  --setenv LANG en_GB.UTF-8 "$SETTEE_BROWSER" "$@"
