#!/bin/sh
# Firefox of the browser root, as the program that Playwright starts.
exec "$(dirname "$0")/inRoot.sh" "$SETTEE_BROWSER_ROOT" /usr/bin/firefox "$@"
