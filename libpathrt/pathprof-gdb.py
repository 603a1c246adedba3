# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
"""A gdb command that prints what each thread runs and ran last: 'pathprof-last', after 'source' of this file.

It reads the frames of functions that were compiled with termination=exact from the memory of a stopped
process or of a core file.  'pathdump path FILE FUNCTION NUMBER' shows the blocks and lines of a path."""

import gdb

CHUNK_SIZE = 1 << 16
FRAME_SIZE = 32
BEGUN, COUNTED, BEFORE_FORK = 0, (1 << 64) - 1, 1 << 63


def words(address, count):
    """64-bit words of the program's memory."""
    data = bytes(gdb.selected_inferior().read_memory(address, 8 * count))
    return [int.from_bytes(data[i:i + 8], "little") for i in range(0, len(data), 8)]


def text(address):
    data = b""
    while b"\0" not in data:
        data += bytes(gdb.selected_inferior().read_memory(address + len(data), 1))
    return data[:-1].decode(errors="replace")


def describe(frame):
    """A frame (struct pathprof_frame in profile/format/abi.h) in words, or None for a place never used."""
    info, base, register, call = words(frame, 4)
    if not info:
        return None
    _, num_paths, num_calls, shift, name, behind = words(info, 6)
    if call != COUNTED:
        call &= ~BEFORE_FORK
    if call in (BEGUN, COUNTED) or call > num_calls:
        return f"{text(name)} {'after a' if call == COUNTED else 'in a new'} path"
    offset = (register - base + (1 << 63)) % (1 << 64) - (1 << 63)
    number = (offset >> shift) + words(behind + 8 * (call - 1), 1)[0]
    return f"{text(name)} in path {num_paths + number % (1 << 64) * num_calls + call - 1}"


def open_frames(top):
    """Innermost first; a chunk begins with a header in the place of a frame."""
    while True:
        top -= FRAME_SIZE
        if top % CHUNK_SIZE == 0:
            older = words(top, 1)[0]
            if not older:
                return
            top = older + CHUNK_SIZE
            continue
        yield top


def print_thread(identifier, top):
    print(f"thread {identifier}")
    if top % CHUNK_SIZE and (last := describe(top)):
        print(f"  last {last}")
    for number, frame in enumerate(open_frames(top)):
        print(f"  #{number} {describe(frame)}")


def lists():
    """Where each module's list of threads begins."""
    found = set()
    for objfile in gdb.objfiles():
        try:
            found.add(int(gdb.parse_and_eval(f"(unsigned long) &'{objfile.filename}'::pathrt_all_threads")))
        except gdb.error:
            pass
    try:
        found.add(int(gdb.parse_and_eval("(unsigned long) &pathrt_all_threads")))
    except gdb.error:
        pass
    return sorted(found)


class PathprofLast(gdb.Command):
    """Print the paths that each thread is in and the one that it left last."""

    def __init__(self):
        super().__init__("pathprof-last", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        any_thread = False
        for start in lists():
            thread = words(start, 1)[0]
            while thread:
                following, in_use, identifier, _, top = words(thread, 5)
                if in_use & 0xFF and top:
                    any_thread = True
                    print_thread(identifier, top)
                thread = following
        if not any_thread:
            print("No thread has a frame: compile with -fplugin-arg-pathprof-termination=exact, do not strip.")


PathprofLast()
