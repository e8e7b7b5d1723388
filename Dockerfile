# Rondo in a container: `docker build -t rondo .` in a checkout, then
#
#   docker run --rm -v "$PWD:/work" rondo check claims/ --junit claims.xml
#
# The first stage builds the Debian package, the second one installs it. To run programs of one's own a container needs a
# compiler and SimGrid's headers, which the package recommends: `--build-arg APT_OPTIONS=` installs them too.
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates dpkg-dev file git
COPY . /rondo
WORKDIR /rondo
RUN ./rondo list >/dev/null
RUN cpack --config build/release/CPackConfig.cmake

FROM debian:12-slim
ARG APT_OPTIONS=--no-install-recommends
COPY --from=build /rondo/build/release/rondo_*.deb /tmp/
RUN apt-get update && apt-get install -y $APT_OPTIONS /tmp/rondo_*.deb && rm -rf /tmp/rondo_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["rondo"]
