#!/bin/sh
# Installs Settee on one small server with Compose, and prints the link to the setup page:
#   sh ops/install.sh                                   asks for the host name
#   sh ops/install.sh --host chat.example.org --yes     asks nothing
# --contact you@example.org: your address for the certificate authority and push services.
# --small: without NATS, S3 and a worker (ops/compose.small.yaml), for a server with 2 GB of memory.
# --no-caddy: behind your own proxy on this server (docs/install.md#your-own-proxy).
# COMPOSE='docker compose': the program to use. Without it, the script looks for docker and podman-compose.
# Run it again after a failure, a change of ops/.env or an update: it keeps the secrets and the settings.
set -eu
cd "$(dirname "$0")/.."

MEMORY_MB=3500
SMALL_MEMORY_MB=1700
DISK_MB=10000
HEALTHY_SECONDS=180

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

host='' contact='' ask=yes small='' caddy=yes
while [ $# -gt 0 ]; do
  case $1 in
  --host | --contact)
    [ $# -gt 1 ] || fail "$1 needs a value."
    if [ "$1" = --host ]; then host=$2; else contact=$2; fi
    shift
    ;;
  --yes) ask=no ;;
  --small) small=yes ;;
  --no-caddy) caddy=no ;;
  *) fail "Unknown option $1. Use --host NAME, --contact EMAIL, --small, --no-caddy and --yes." ;;
  esac
  shift
done

# What the first run chose.
if [ -e ops/.env ]; then
  ours=yes kept_small=''
  if grep -q '^SETTEE_CADDY=0$' ops/.env; then ours=no; fi
  if grep -q '^SETTEE_SMALL=yes$' ops/.env; then kept_small=yes; fi
  [ "$caddy" = yes ] || [ "$ours" = no ] ||
    fail 'This installation has its own Caddy. To change that, edit ops/.env: docs/install.md#your-own-proxy.'
  [ -z "$small" ] || [ -n "$kept_small" ] ||
    fail 'This is not a small installation. To change that, move its data with a backup.'
  caddy=$ours small=$kept_small
fi
if [ -n "$small" ]; then file=ops/compose.small.yaml MEMORY_MB=$SMALL_MEMORY_MB; else file=ops/compose.yaml; fi

problems=0
problem() {
  echo "  - $1" >&2
  problems=$((problems + 1))
}

if [ -z "${COMPOSE:-}" ]; then
  if docker compose version >/dev/null 2>&1; then
    COMPOSE='docker compose'
  elif podman-compose version >/dev/null 2>&1; then
    COMPOSE=podman-compose
  fi
fi
compose() {
  # Not quoted: `docker compose` are two words.
  # shellcheck disable=SC2086
  $COMPOSE -f "$file" "$@"
}

# A line of /proc/net/tcp: the local address in hexadecimal, and 0A for a socket that listens.
listens() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    awk -v port=":$(printf %04X "$1")$" '$2 ~ port && $4 == "0A" { found = 1 } END { exit !found }'
}

[ "$(id -u)" = 0 ] || fail 'Run this as root, for example with sudo.'
echo 'Checking this server'
grep -Eq '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release 2>/dev/null ||
  problem 'This is neither Debian nor Ubuntu. Install by hand: docs/install-compose.md#by-hand.'
command -v openssl >/dev/null || problem 'openssl is missing: apt install openssl.'
if [ -z "${COMPOSE:-}" ]; then
  problem 'Docker with Compose is missing: https://docs.docker.com/engine/install/.'
elif ! containers=$(compose ps --quiet 2>/dev/null); then
  problem "\"$COMPOSE\" does not answer. Is Docker running?"
# Otherwise, Settee itself uses the ports.
elif [ -z "$containers" ]; then
  if [ "$caddy" = yes ]; then ports='80 443'; elif [ -n "$small" ]; then ports=8080; else ports='8080 8333'; fi
  for port in $ports; do
    ! listens "$port" || problem "Another program uses port $port."
  done
fi
memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
[ "$memory" -ge "$MEMORY_MB" ] || problem "This server has $memory MB of memory. Settee needs $MEMORY_MB MB."
disk=$(df -Pk /var/lib | awk 'END { print int($4 / 1024) }')
[ "$disk" -ge "$DISK_MB" ] || problem "/var/lib has $disk MB free. Settee needs $DISK_MB MB."
[ "$problems" = 0 ] || fail 'Solve these problems and run this again. Nothing was changed.'

if [ -e ops/.env ]; then
  kept=$(sed -n 's/^SETTEE_DOMAIN=//p' ops/.env)
  kept=${kept:-localhost}
  [ "${host:-$kept}" = "$kept" ] || fail "ops/.env says $kept, not $host. To change the host name, edit ops/.env."
  host=$kept
  echo "Kept ops/.env, with the host name $host"
else
  if [ -z "$host" ]; then
    [ "$ask" = yes ] || fail '--yes needs --host NAME.'
    printf 'Host name of the pages (chat.example.org, or localhost to try it): '
    read -r host
  fi
  if [ "$ask" = yes ] && [ -z "$contact" ] && [ "$host" != localhost ]; then
    printf 'Your e-mail address, for the certificate authority and push services (may be empty): '
    read -r contact
  fi
  case $host in
  localhost) ;;
  '' | *[!a-z0-9.-]* | .* | -* | *. | *..*) fail "\"$host\" is not a host name in lower case." ;;
  *.*[a-z]*) ;;
  *) fail "\"$host\" is not the full name of a host, such as chat.example.org." ;;
  esac
  case $contact in
  *[!A-Za-z0-9.@_+-]*) fail "\"$contact\" is not an e-mail address." ;;
  '' | ?*@?*) ;;
  *) fail "\"$contact\" is not an e-mail address." ;;
  esac
  {
    printf 'SETTEE_DOMAIN=%s\nSETTEE_CONTACT=%s\n' "$host" "$contact"
    [ -z "$small" ] || echo SETTEE_SMALL=yes
    # The proxy runs on this machine, so nobody else needs these ports.
    [ "$caddy" = yes ] ||
      printf 'SETTEE_CADDY=0\nSETTEE_GATEWAY_PORT=127.0.0.1:8080\nSETTEE_MEDIA_PORT=127.0.0.1:8333\n'
  } >ops/.env
  echo 'Wrote ops/.env'
fi
names=$host
[ -n "$small" ] || names="$host media.$host"
for name in $names; do
  [ "$host" = localhost ] || getent hosts "$name" >/dev/null ||
    echo "Note: $name has no address in DNS yet. Browsers cannot open it before it has."
done

made=$(sh ops/make-secrets.sh)
if [ -n "$made" ]; then echo 'Made the secrets in ops/secrets. Back up this folder.'; else echo 'Kept the secrets in ops/secrets'; fi

echo 'Starting Settee. The first time, this takes some minutes.'
# A published image needs no build.
if grep -q '^SETTEE_IMAGE=' ops/.env; then build=''; else build=--build; fi
# shellcheck disable=SC2086
compose up --detach $build || fail "\"$COMPOSE -f $file up\" failed."

ready="fetch('http://127.0.0.1:' + process.env.PRIVATE_PORT + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
healthy() {
  compose exec -T app /nodejs/bin/node -e "$ready" &&
    { [ -n "$small" ] || compose exec -T worker /nodejs/bin/node -e "$ready"; } &&
    { [ "$caddy" = no ] || compose exec -T caddy wget --quiet --spider http://127.0.0.1:2019/config/; }
}
end=$(($(date +%s) + HEALTHY_SECONDS))
until healthy >/dev/null 2>&1; do
  [ "$(date +%s)" -lt "$end" ] ||
    fail "Settee is not healthy after $HEALTHY_SECONDS seconds. The log says why: $COMPOSE -f $file logs"
  sleep 2
done
echo 'Settee runs and is healthy.'
[ "$caddy" = yes ] || echo 'Now configure your proxy: docs/install.md#your-own-proxy.'
compose --profile cli run --rm -T cli setup code
