# One image for several services (docker-compose.yml): host, render worker, Celery worker, beat, migrations.

FROM node:22-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY contracts contracts
COPY components components
COPY ssr ssr
COPY static static
RUN node ssr/build/build.mjs

FROM python:3.11-slim-bookworm AS packages
WORKDIR /app
COPY requirements.lock requirements-otel.lock ./
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
# "on": with what OTEL_EXPORTER_OTLP_ENDPOINT needs.
ARG TRACES=off
RUN if [ "$TRACES" = on ]; then \
        .venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements-otel.lock; \
    fi

FROM python:3.11-slim-bookworm
WORKDIR /app
RUN useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin coursefront \
    && install -d -o coursefront -g coursefront -m 0700 /var/lib/coursefront /var/lib/coursefront-files /var/lib/coursefront-analytics
# The render worker is one bundled file and needs only the node binary.
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=packages /app/.venv .venv
COPY contracts contracts
COPY config config
COPY adapters adapters
COPY domain domain
COPY artwork artwork
COPY seo_audit seo_audit
COPY host host
COPY workers workers
COPY templates templates
COPY static static
COPY --from=build /src/static/dist static/dist
COPY --from=build /src/ssr/dist ssr/dist
# The typefaces of social cards and invoices, which the host renders.
COPY --from=build /src/node_modules/@expo-google-fonts/inter node_modules/@expo-google-fonts/inter
COPY --from=build /src/node_modules/@expo-google-fonts/noto-sans-jp/400Regular node_modules/@expo-google-fonts/noto-sans-jp/400Regular
COPY --from=build /src/node_modules/@expo-google-fonts/noto-sans-jp/700Bold node_modules/@expo-google-fonts/noto-sans-jp/700Bold
# Compiled now, because the running container cannot write.
RUN .venv/bin/python -m compileall -q contracts config domain adapters artwork seo_audit host workers

ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    NODE_ENV=production \
    APP_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    VAR_DIR=/var/lib/coursefront
USER coursefront
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/healthz', timeout=2)"]
CMD ["python", "-m", "host", "web"]
