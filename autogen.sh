#!/bin/sh
# Generates 'configure' from configure.ac. The top-level Makefile runs this script.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
autoreconf --install --force --warnings=no-portability
