# docker build -t referee . && docker run -d --name referee --restart unless-stopped --env-file .env -v referee:/data referee
# The digest is that of the tag's index over all processors; a newer one: docker buildx imagetools inspect python:3.11-slim
FROM python:3.11.14-slim-bookworm@sha256:65a93d69fa75478d554f4ad27c85c1e69fa184956261b4301ebaf6dbb0a3543d

ENV PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/data \
    DATABASE_PATH=/data/referee.sqlite3

WORKDIR /app

COPY requirements.lock ./
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock \
    && useradd --system --user-group --uid 10001 --home-dir /app --shell /usr/sbin/nologin referee \
    && mkdir /data \
    && chown referee:referee /data

COPY rules ./rules
COPY data ./data
COPY bot ./bot
COPY cogs ./cogs
RUN python -m compileall -q rules data bot cogs

USER referee
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=20s --start-period=60s --retries=3 CMD ["python", "-m", "bot", "health"]
# Without a token it ends with code 2: nobody could see a local table in here.
CMD ["python", "-m", "bot", "--no-local-table"]
