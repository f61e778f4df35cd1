#!/bin/sh
# Chromium without the popup of its address bar. Nobody sees one here, but each window loads two pages for it, which
# cost more than most of ours. A second list of features would take the place of Playwright's: this adds to it.
for arg do
  shift
  case $arg in
    --disable-features=*) arg=$arg,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;;
  esac
  set -- "$@" "$arg"
done
# Debian's: the one browser this project's machines can install.
exec "${CHROMIUM:-/usr/bin/chromium}" "$@"
