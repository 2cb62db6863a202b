# docker build -t referee . && docker run -d --name referee --env-file .env -v referee:/data referee
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    DATABASE_PATH=/data/referee.sqlite3

WORKDIR /app

COPY requirements.txt ./
RUN pip install --no-cache-dir --disable-pip-version-check -r requirements.txt \
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
CMD ["python", "-m", "bot"]
