# SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
"""The gdb command 'pathprof-last', which prints the paths that each thread executed last. Load it with 'source FILE'.

The command reads the frames of functions compiled with termination=exact from the memory of a stopped process or a
core file. 'pathdump path FILE FUNCTION ID' shows the blocks and lines of a path."""

import gdb

CHUNK_SIZE = 1 << 16
FRAME_SIZE = 32
NO_CALL, COUNTED, END, BEFORE_FORK = 0, (1 << 64) - 1, (1 << 64) - 2, 1 << 63
SUM_IN_REGISTER = 1


def signed(word):
    return (word + (1 << 63)) % (1 << 64) - (1 << 63)


def words(address, count):
    """Returns 64-bit words from the memory of the program."""
    order = "big" if "big endian" in gdb.execute("show endian", to_string=True) else "little"
    data = bytes(gdb.selected_inferior().read_memory(address, 8 * count))
    return [int.from_bytes(data[i:i + 8], order) for i in range(0, len(data), 8)]


def text(address):
    data = b""
    while b"\0" not in data:
        data += bytes(gdb.selected_inferior().read_memory(address + len(data), 1))
    return data[:-1].decode(errors="replace")


def path_number(to_own, info, register, call):
    """Returns the ID of the path truncated at the call in a frame, or None if the frame is invalid."""
    _, num_paths, num_calls, shift, _, sums, base = words(info, 7)
    call &= ~BEFORE_FORK
    if call > num_calls:
        return None
    entry = signed(words(sums + 8 * (call - 1), 1)[0])
    # With update=thread, the register points into the thread's copy of the counters, if it has a copy.
    for distance in [to_own, 0] if base else [0]:
        number = entry >> 1
        if entry & SUM_IN_REGISTER:
            number += signed((register - base - distance) % (1 << 64)) >> shift
        if 0 <= number < num_paths:
            return num_paths + number * num_calls + call - 1
    return None


def name_of(info):
    return text(words(info, 5)[4])


def describe(to_own, frame):
    """Describes a frame (struct pathprof_frame in profile/format/abi.h) in words."""
    register, info, call, _ = frame
    if not info:
        return "?"
    number = None if call in (NO_CALL, COUNTED) else path_number(to_own, info, register, call)
    if number is not None:
        return f"{name_of(info)} in path {number}"
    return f"{name_of(info)} {'after a' if call == COUNTED else 'in a new'} path"


def places(chunk, top, full):
    """Returns the frames of a thread's open activations, from the bottom, and the slots above them. The first slot of a
    chunk contains its header; end markers are omitted. `top` is the slot for the next frame; it is in no chunk if memory
    for the chunk above `full` was exhausted."""
    frames, number_below = [], None
    while chunk:
        numbers = words(chunk, CHUNK_SIZE // 8)
        here = [numbers[at:at + 4] for at in range(4, len(numbers), 4)]
        here = [frame for frame in here if frame[2] != END]
        if chunk == top - top % CHUNK_SIZE:
            number_below = len(frames) + min((top - chunk) // FRAME_SIZE - 1, len(here))
        elif chunk == full and number_below is None:
            number_below = len(frames) + len(here)
        frames += here
        chunk = numbers[1]
    number_below = number_below or 0
    return frames[:number_below], frames[number_below:]


def print_thread(identifier, to_own, chunk, top, full):
    print(f"thread {identifier}")
    taken, above = places(chunk, top, full)
    if above and above[0][1]:
        print(f"  last {name_of(above[0][1])}")
    for number, frame in enumerate(reversed(taken)):
        print(f"  #{number} {describe(to_own, frame)}")


def lists():
    """Returns the address of each module's list of threads."""
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
    """Print the current paths of each thread and the activation that returned last."""

    def __init__(self):
        super().__init__("pathprof-last", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        any_thread = False
        for start in lists():
            thread = words(start, 1)[0]
            while thread:
                following, in_use, identifier, to_own, frames, top, full = words(thread, 7)
                if in_use and frames:
                    any_thread = True
                    print_thread(identifier, to_own, frames, words(top, 1)[0] if top else 0, full)
                thread = following
        if not any_thread:
            print("no thread has a frame; compile with -fplugin-arg-pathprof-termination=exact and do not strip the program")


PathprofLast()
