# One image for the gateway, the worker and the command line:
#   docker run settee                               the gateway
#   docker run settee server/src/jobs/worker.ts     a worker
#   docker run settee server/src/cli.ts help        the command line
# Settings are environment variables: see .env.example. Renovate adds the digests of the two base images.
# `npm run nightly -- --only containers` builds it and runs the result.

FROM docker.io/library/node:24-bookworm-slim AS pages
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY protocol/package.json protocol/
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY bench/package.json bench/
RUN npm ci
COPY bin/build.ts bin/
COPY protocol/src protocol/src
COPY web web
# Source maps are for development. The build copies some files with their permissions.
RUN npm run build && find web/dist -name '*.map' -delete && chmod -R a+rX web/dist

FROM docker.io/library/node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY protocol/package.json protocol/
COPY server/package.json server/
# Only an optional peer dependency wants TypeScript. npm installs it because development has it.
# Then remove what never runs: types and sources in TypeScript, source maps, tests and documentation. Licences stay.
RUN npm ci --omit=dev --workspace server --workspace protocol \
    && rm -rf node_modules/typescript node_modules/@typescript node_modules/@types node_modules/.bin \
    && find node_modules -depth -type d \( -name test -o -name tests -o -name docs -o -name benchmarks -o -name examples \
        -o -path '*/@opentelemetry/*/build/esm' -o -path '*/@opentelemetry/*/build/esnext' \) -exec rm -r {} + \
    && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \
        -o -name '*.cc' -o -name '*.h' -o -name '*.yml' -o -path '*/semantic-conventions/dist/*experimental_*' \) \
        ! -iname 'licen[cs]e*' ! -iname 'notice*' -delete
# A volume gets the owner of the folder that it is mounted on.
RUN mkdir media backups

# Only its owner can read a clone made with a umask of 027 or 077, and the image runs as another user.
FROM docker.io/library/node:24-bookworm-slim AS sources
WORKDIR /app
COPY package.json LICENSE ./
COPY protocol/package.json protocol/
COPY protocol/src protocol/src
COPY server/package.json server/
COPY server/migrations server/migrations
COPY server/sql server/sql
COPY server/src server/src
RUN chmod -R a+rX .

# Node.js without its symbols for debuggers, which are 18 MB. Stack traces and native packages do not need them.
FROM docker.io/library/node:24-bookworm-slim AS node
# hadolint ignore=DL3008
RUN command -v strip > /dev/null \
    || (apt-get update && apt-get install --yes --no-install-recommends binutils && rm -rf /var/lib/apt/lists/*)
RUN mkdir -p /nodejs/bin && strip -o /nodejs/bin/node /usr/local/bin/node \
    && if [ -e /usr/local/LICENSE ]; then cp /usr/local/LICENSE /nodejs/; fi

# No shell and no package manager. The user is 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
LABEL org.opencontainers.image.title="Settee" \
      org.opencontainers.image.description="Self-hosted one-to-one live chat" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=node /nodejs /nodejs
COPY --from=packages /app/node_modules node_modules
COPY --from=sources /app ./
COPY --from=pages /app/web/dist web/dist
COPY --from=packages --chown=65532:65532 /app/media /media
COPY --from=packages --chown=65532:65532 /app/backups /backups
# Images are stored in /media only without S3. The process writes nothing else.
# HOME: an unknown user has none, but a package needs it.
# PRIVATE_PORT is a number, not a secret.
# hadolint ignore=DL3064
ENV NODE_ENV=production \
    HOME=/app \
    HOST=0.0.0.0 \
    PORT=8080 \
    PRIVATE_PORT=9090 \
    MEDIA_ROOT=/media
USER 65532:65532
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PRIVATE_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node"]
CMD ["server/src/main.ts"]
