#!/bin/sh
# Creates every secret of ops/compose.yaml, once: sh ops/make-secrets.sh [FOLDER]
# Keeps existing secrets. Needs openssl. Back up the folder: without `secret`, authenticator apps and recovery codes stop
# working.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
# Caddy runs without privileges, so it can read the file only if everyone can.
chmod a+r "$(dirname "$0")/Caddyfile"
mkdir -p "$folder"
# Only the owner can enter the folder. The files inside are readable, because the containers run as other users.
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
# The first line without its newline.
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
# For the health check, only inside the container.
http: 127.0.0.1:8222
authorization { user: settee, password: "$(of nats_password)" }
# Detect a dead client within seconds instead of minutes.
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
