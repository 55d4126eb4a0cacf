# Powderkeg: one image for web processes and workers.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml hatch_build.py README.md LICENSE NOTICE ./
COPY src src
COPY docs/rules docs/rules
RUN pip install --no-cache-dir --prefix=/install ".[server]"

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 powderkeg && mkdir /data && chown powderkeg /data
COPY --from=build /install /usr/local
USER powderkeg
ENV POWDERKEG_DATA=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s \
  CMD python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"
CMD ["powderkeg", "serve", "--host", "0.0.0.0"]
