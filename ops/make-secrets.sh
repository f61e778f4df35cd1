#!/bin/sh
# Makes every secret of ops/compose.yaml, once: sh ops/make-secrets.sh [FOLDER]
# What is there already is kept. Needs openssl. Back the folder up: without `secret`, second factors are void.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
# Caddy may read only what everybody may: it has no right to overrule a strict umask.
chmod a+r "$(dirname "$0")/Caddyfile"
mkdir -p "$folder"
# Nobody else on this server may enter it. The files inside are readable, because the containers that they are mounted
# into have users of their own.
chmod 700 "$folder"
cd "$folder"
umask 022

once() {
  if [ -s "$1" ]; then
    cat >/dev/null
  else
    cat >"$1.new"
    mv "$1.new" "$1"
    echo "made $1"
  fi
}
random() {
  openssl rand -hex 24
}
# A line without its end, as a value must be.
of() {
  tr -d '\n' <"$1"
}

random | once postgres_password
random | once nats_password
openssl rand -base64 48 | tr -d '\n' | once secret
openssl rand -hex 10 | once s3_access_key_id
random | once s3_secret_access_key
openssl rand -hex 10 | once s3_setup_access_key_id
random | once s3_setup_secret_access_key
# 32 bytes in base64url, as `settee push key` prints them.
openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n' | once vapid_private_key

printf 'postgres://settee:%s@postgres:5432/settee\n' "$(of postgres_password)" | once database_url
printf 'nats://settee:%s@nats:4222\n' "$(of nats_password)" | once nats_url
once nats.conf <<END
listen: 0.0.0.0:4222
# For the health check, inside the container only.
http: 127.0.0.1:8222
authorization { user: settee, password: "$(of nats_password)" }
# A dead client is noticed within seconds, not the minutes of the default.
ping_interval: "2s"
ping_max: 2
END
once s3.json <<END
{
  "identities": [
    {
      "name": "setup",
      "credentials": [
        { "accessKey": "$(of s3_setup_access_key_id)", "secretKey": "$(of s3_setup_secret_access_key)" }
      ],
      "actions": ["Admin"]
    },
    {
      "name": "settee",
      "credentials": [
        { "accessKey": "$(of s3_access_key_id)", "secretKey": "$(of s3_secret_access_key)" }
      ],
      "actions": ["Read:settee-media", "Write:settee-media", "List:settee-media", "Tagging:settee-media"]
    }
  ]
}
END
for table in jwt.signing jwt.signing.read jwt.filer_signing jwt.filer_signing.read; do
  printf '[%s]\nkey = "%s"\n' "$table" "$(random)"
done | once security.toml
