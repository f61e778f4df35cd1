#!/bin/sh
# Chromium without the popup of its address bar. Nobody sees one here, but each window loads two pages for it, which
# cost more than most of ours. Also without spare processes: each page would start one that nothing uses. A second list
# of features would replace Playwright's: this adds to it.
for arg do
  shift
  case $arg in
    --disable-features=*) arg=$arg,WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess ;;
  esac
  set -- "$@" "$arg"
done
# Debian's: the one browser this project's machines can install.
exec "${CHROMIUM:-/usr/bin/chromium}" "$@"
