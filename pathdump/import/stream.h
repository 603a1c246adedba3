// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the streams that pathrt_write() of the freestanding runtime and the debugfs file pathprof/raw of a Linux kernel
// write.
#ifndef PATHPROF_PATHDUMP_IMPORT_STREAM_H
#define PATHPROF_PATHDUMP_IMPORT_STREAM_H

#include <functional>
#include <string>
#include <string_view>

#include "pathdump/import/freestanding_program.h"

namespace pathprof {

// The streams in a file.
struct Streams {
  size_t num_runs = 0;   // number of streams of the linked program
  size_t num_resets = 0; // number of streams before which the counters were cleared while functions were active
};

// Calls `visit` for each unit of each stream in the file, with the index of the unit and its counters. Data before,
// between and after the streams is ignored, because a serial port can also transfer other output. A stream that was
// interrupted by another stream, and the stream of a kernel module that is not an image of the program, are skipped
// with a warning. Throws Failure if a stream is damaged or incomplete, or was written by another program or build.
Streams read_streams(const FreestandingProgram &program, const std::string &name, std::string_view contents,
                     const std::function<void(size_t unit, const unsigned char *counters)> &visit);

} // namespace pathprof

#endif
