# SPDX-License-Identifier: Apache-2.0
#
# arrow_codec.py - do Arrow C++'s codecs and this library take each other's pages?
#
# arrow_codec.py LIBRARY: Arrow's are called through pyarrow.Codec, ours through ctypes,
# in one process; sound pages here, damaged ones in arrow_damage.py.
# Prints TAP, and a summary.

import array
import collections
import os
import random
import struct
import sys

import pyarrow

import arrow_damage
from binding import Failure, Library, listed

SHORT = os.environ.get("TESTS_SHORT") == "1"
# Ours, and what pyarrow calls it.
CODECS = {"SNAPPY": "snappy", "GZIP": "gzip", "BROTLI": "brotli", "ZSTD": "zstd",
          "LZ4_RAW": "lz4_raw", "ARROW_LZ4_FRAME": "lz4", "ARROW_ZSTD": "zstd"}
SIZES = [0, 1, 2, 7, 100, 1000, 4095, 4096, 65535, 65536, 65537, 1 << 20, 5 << 20]


class Tap:
    def __init__(self):
        self.counts = collections.Counter()

    def report(self, faults, name):
        self.counts["FAIL" if faults else "PASS"] += 1
        print(f"{'not ok' if faults else 'ok'} {sum(self.counts.values())} - {name}")
        for fault in faults[:10]:
            print(f"# {fault}")
        sys.stdout.flush()

    def skip(self, name, reason):
        self.counts["SKIP"] += 1
        print(f"ok {sum(self.counts.values())} - {name} # SKIP {reason}")

    def end(self):
        print(f"1..{sum(self.counts.values())}\nTestsuite summary for arrow_codec")
        for result in "PASS", "SKIP", "FAIL":
            print(f"# {result}: {self.counts[result]}")
        print("# ERROR: 0")
        return self.counts["FAIL"] != 0


class Arrow:
    """A codec of Arrow's, which knows no prefix of an Arrow buffer."""

    def __init__(self, name, level=None):
        self.has_prefix = name.startswith("ARROW_")
        self.codec = pyarrow.Codec(CODECS[name], compression_level=level)

    def compress(self, page):
        prefix = struct.pack("<q", len(page)) if self.has_prefix else b""
        return prefix + self.codec.compress(page, asbytes=True)

    def decompress(self, body, size):
        if self.has_prefix:
            if not body or body[:8] == b"\xff" * 8:
                return body[8:]
            body = body[8:]
        return self.codec.decompress(body, size, asbytes=True)


def make_page(kind, size, seed):
    chance = random.Random(f"{kind} {size} {seed}")
    if kind == "zeros":
        return bytes(size)
    if kind == "random":
        return chance.randbytes(size)
    if kind == "text":
        words = [b"page", b"column", b"level", b"dictionary", b"value", b"codec", b"of", b"a"]
        return b" ".join(chance.choices(words, k=size // 2 + 1))[:size]
    value, values = 0, array.array("q")
    for step in chance.choices(range(9), k=size // 8 + 1):
        value += step
        values.append(value)
    return values.tobytes()[:size]


KINDS = ["zeros", "text", "steps", "random"]


def pages_for(pages, level):
    """All; where the level is chosen only text above 64 KiB, as greatest levels take seconds."""
    for (kind, size), page in pages.items():
        if size <= 65537 or (not SHORT and (level is None or kind == "text")):
            yield f"{kind}, {size} bytes", page


def levels_of(name):
    try:
        return [pyarrow.Codec.minimum_compression_level(CODECS[name]), None,
                pyarrow.Codec.maximum_compression_level(CODECS[name])]
    except pyarrow.ArrowInvalid:
        return [None]


def exchange(compress, decompressors, pages):
    """Faults, and how many pages went there."""
    faults, count = [], 0
    for what, page in pages:
        try:
            body = compress(page)
            for name, decompress in decompressors.items():
                count += 1
                if decompress(body, len(page)) != page:
                    faults.append(f"{what}: {name} makes other bytes")
        except (Failure, OSError, pyarrow.ArrowException) as error:
            faults.append(f"{what}: {error}")
    return faults, count


def level_text(level):
    return "default level" if level is None else f"level {level}"


def test_sound(tap, library, name, pages):
    info = library.info(name)
    theirs = {"Arrow": Arrow(name).decompress}
    for engine in listed(info.compress_engines):
        # the range is the default engine's
        most = 9 if engine == "zlib" else info.max_level
        for level in [info.min_level, None, most] if info.has_levels else [None]:
            faults, count = exchange(library.compressor(info, engine, level), theirs,
                                     pages_for(pages, level))
            tap.report(faults, f"{name}: Arrow decompresses {count} pages of {engine}, "
                               f"{level_text(level)}")
    ours = {engine: library.decompressor(info, engine)
            for engine in listed(info.decompress_engines)}
    for level in levels_of(name):
        faults, count = exchange(Arrow(name, level).compress, ours, pages_for(pages, level))
        tap.report(faults, f"{name}: {' and '.join(ours)}: {count} pages of Arrow, "
                           f"{level_text(level)}")


def test_damaged(tap, library, name):
    """Pages of either, damaged, go to both: a line for each of our engines."""
    info = library.info(name)
    arrow = Arrow(name)
    writers = [arrow.compress, *(library.compressor(info, engine, None)
                                 for engine in listed(info.compress_engines))]
    pages = [make_page(kind, size, 1) for kind in KINDS for size in (0, 1, 40, 300, 3000, 20000)]
    for engine in listed(info.decompress_engines):
        ours = library.decompressor(info, engine)
        tally = arrow_damage.Tally(name, ours, arrow.decompress)
        for page in pages:
            for compress in writers:
                tally.damage(compress(page), len(page), rounds=20 if SHORT else 200)
        tap.report(tally.finish(not SHORT), f"{name}: {engine} and Arrow agree on {tally.text()}")
        tally.print_differences()


def main(path):
    tap = Tap()
    library = Library(path)
    pages = {(kind, size): make_page(kind, size, 0) for kind in KINDS for size in SIZES}
    for name in CODECS:
        if not library.info(name).is_available:
            tap.skip(name, "not in this build")
            continue
        test_sound(tap, library, name, pages)
        test_damaged(tap, library, name)
    return tap.end()


sys.exit(main(sys.argv[1]))
