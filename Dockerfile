# Powderkeg: one image for web processes and workers.
FROM node:24-slim AS client
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
# Not `npm ci`: see web/scripts/build.py. The locked versions are taken all the same.
RUN npm install --no-save --no-audit --no-fund
WORKDIR /src
COPY web web
COPY docs/rules docs/rules
COPY src src
RUN npm --prefix web run build

FROM python:3.13-slim AS build
WORKDIR /src
# The locked versions of the server and of the compiled bots (the extras `server` and `fast`).
COPY requirements-play.lock ./
RUN pip install --no-cache-dir --prefix=/install --no-deps --require-hashes -r requirements-play.lock
COPY pyproject.toml hatch_build.py README.md LICENSE NOTICE ./
COPY docs/rules docs/rules
COPY src src
COPY --from=client /src/src/powderkeg/web src/powderkeg/web
RUN pip install --no-cache-dir --prefix=/install --no-deps .

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 powderkeg \
 && mkdir /data \
 && chown powderkeg /data
COPY --from=build /install /usr/local
USER 10001
WORKDIR /home/powderkeg
ENV POWDERKEG_DATA=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["powderkeg", "serve", "--host", "0.0.0.0"]
