# Two stages: the first builds the virtual environment and the page's assets, the second only serves.
# The base is a build argument, so that a mirror or a newer Debian can take its place.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 python3-venv ca-certificates \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /opt/allclose
COPY . .
# The same line as in the README; Node comes with the build where the image has none.
RUN python3 -m venv .venv \
 && .venv/bin/pip install --no-cache-dir -c requirements.lock -e .[postgresql] \
 && rm -rf static/node_modules

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 libseccomp2 ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --create-home --home-dir /var/lib/allclose --shell /usr/sbin/nologin allclose
COPY --from=build /opt/allclose /opt/allclose
# A container's default restrictions leave no namespaces and no cgroups of its own: tier C.
# The README says which flags raise it to A; the tier is probed at every start, never assumed.
ENV ALLCLOSE_HOST=0.0.0.0 \
    ALLCLOSE_PORT=8000 \
    ALLCLOSE_DATA=/var/lib/allclose \
    ALLCLOSE_MIN_TIER=C
USER allclose
WORKDIR /var/lib/allclose
VOLUME /var/lib/allclose
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["/opt/allclose/.venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/livez', timeout=2)"]
ENTRYPOINT ["/opt/allclose/.venv/bin/allclose"]
CMD ["serve"]
