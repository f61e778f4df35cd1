#!/bin/sh
# Creates every secret of the Compose files, once: sh ops/make-secrets.sh [FOLDER]
# Keeps existing secrets. Needs openssl 1.1.1 or newer. Back up the folder: without `secret`, authenticator apps and recovery codes stop
# working.
set -eu
folder=${1:-"$(dirname "$0")/secrets"}
# Caddy runs without privileges, so it can read its file only if everyone can.
chmod a+r "$(dirname "$0")"/Caddyfile*
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

# A certificate authority for the connections to PostgreSQL, NATS and S3, and their certificates. They are valid for ten
# years. To replace them, delete *.crt and *.key, run this again, and restart everything.
key() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "$@" 2>/dev/null
}
if [ ! -s ca.crt ]; then
  key -x509 -days 3650 -subj /CN=Settee -keyout ca.key -out ca.crt
  chmod 600 ca.key
  echo "made ca.crt"
fi
for name in postgres nats s3; do
  [ -s "$name.crt" ] && continue
  key -subj "/CN=$name" -keyout "$name.key" -out "$name.csr"
  printf 'subjectAltName=DNS:%s\n' "$name" >"$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$name.ext" \
    -out "$name.crt" 2>/dev/null
  rm "$name.csr" "$name.ext"
  chmod 644 "$name.key"
  echo "made $name.crt"
done

random | once postgres_password
random | once application_password
random | once nats_password
openssl rand -base64 48 | tr -d '\n' | once secret
openssl rand -hex 10 | once s3_access_key_id
random | once s3_secret_access_key
openssl rand -hex 10 | once s3_setup_access_key_id
random | once s3_setup_secret_access_key
# 32 bytes in base64url, as `settee push key` prints them.
openssl rand -base64 32 | tr '+/' '-_' | tr -d '=\n' | once vapid_private_key

# The first role owns the tables. The second one is for gateways and workers; `settee migrate` creates it.
printf 'postgres://settee:%s@postgres:5432/settee?sslmode=verify-full\n' "$(of postgres_password)" | once database_owner_url
printf 'postgres://settee_app:%s@postgres:5432/settee?sslmode=verify-full\n' "$(of application_password)" | once database_url
printf 'tls://settee:%s@nats:4222\n' "$(of nats_password)" | once nats_url
once nats.conf <<END
listen: 0.0.0.0:4222
# For the health check, only inside the container.
http: 127.0.0.1:8222
# The paths are relative to the folder with the secrets. A client that begins with TLS never sends its password without.
tls { cert_file: "nats.crt", key_file: "nats.key", handshake_first: auto }
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
