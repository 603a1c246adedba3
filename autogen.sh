#!/bin/sh
# Makes 'configure' from configure.ac; run by the top Makefile.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
autoreconf --install --force --warnings=no-portability
