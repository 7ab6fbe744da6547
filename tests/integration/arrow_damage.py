# SPDX-License-Identifier: Apache-2.0
#
# arrow_damage.py - do Arrow C++ and this library refuse the same damaged pages?
#
# Where they differ a row of ROWS must say why, and the page itself must prove it.

import collections
import ctypes
import random
import struct
import zlib

import pyarrow

from binding import DAMAGE, Failure

# What both said of a page: bytes, or the exception that refuses it.
Case = collections.namedtuple("Case", "codec ours arrow body size our_bytes failure their_bytes")


def verdict(decompress, body, size):
    try:
        return decompress(body, size), None
    except (Failure, OSError, pyarrow.ArrowException) as error:
        return None, error


def prefix_of(codec):
    return 8 if codec.startswith("ARROW_") else 0


def redeclared(body, size, prefix):
    return struct.pack("<q", size)[:prefix] + body[prefix:]


def failure_of(case, body, size):
    return verdict(case.ours, redeclared(body, size, prefix_of(case.codec)), size)[1]


def is_start(case, body, size):
    """With the size that the stream itself has both say the same, and Arrow's page starts so."""
    failure = failure_of(case, body, size)
    if failure and failure.status == "SIZE_MISMATCH":
        size = failure.actual_size
    own = redeclared(body, size, prefix_of(case.codec))
    ours = verdict(case.ours, own, size)[0]
    # neither takes an LZ4 block that ends in a match, whose page ends with it
    return size <= case.size and ours == verdict(case.arrow, own, size)[0] and \
        ours in (None, case.their_bytes[:size])


def last_below(first, end, is_above):
    """By halving; end is above, first is not."""
    while end - first > 1:
        middle = (first + end) // 2
        first, end = (first, middle) if is_above(middle) else (middle, end)
    return first


def is_short(case):
    """The stream ends before the declared size, and Arrow's page starts with all of it."""
    if case.their_bytes is None or case.failure.status not in ("SIZE_MISMATCH", "TOO_LARGE"):
        return False

    def is_too_large(size):
        failure = failure_of(case, case.body, size)
        return failure is not None and failure.status == "TOO_LARGE"
    size = case.size
    if is_too_large(size):
        size = last_below(0, size, is_too_large)
    return is_start(case, case.body, size)


def is_nothing(case):
    return case.our_bytes == b"" and case.body == bytes(prefix_of(case.codec))


def is_unread(case):
    return case.failure and case.their_bytes is not None and (case.size == 0 or not case.body)


def is_padded(case):
    """Sound to both without the NULs at its end, or some of them."""
    return case.our_bytes is not None and any(
        case.body[-count:] == bytes(count) and case.our_bytes ==
        verdict(case.arrow, case.body[:-count], case.size)[0] for count in range(1, 17))


def is_followed(case):
    """What lies in front of the trailing bytes is sound to us."""
    if case.failure is None or case.failure.status != "TRAILING_DATA":
        return False

    def is_whole(size):
        failure = failure_of(case, case.body[:size], case.size)
        return failure is None or failure.status != "TRUNCATED"
    size = last_below(0, len(case.body), is_whole) + 1
    return is_start(case, case.body[:size], case.size)


def is_second_frame(case):
    """Each of two frames, the second of 0 bytes, is sound to Arrow alone."""
    at = case.body.find(case.body[8:12], 12)
    return case.our_bytes is not None and at > 0 and \
        verdict(case.arrow, case.body[:at], case.size)[0] == case.our_bytes and \
        verdict(case.arrow, bytes(8) + case.body[at:], 0)[0] == b""


def is_odd_deflate(case):
    """zlib, as Python has it, refuses what libdeflate makes of it; the CRC fits."""
    if case.our_bytes is None:
        return False
    try:
        zlib.decompress(case.body, 31)
    except zlib.error as error:
        return zlib.crc32(case.our_bytes) == int.from_bytes(case.body[-8:-4], "little") and \
            "incorrect" not in str(error)
    return False


def is_of_old_zstd(case):
    version = ctypes.CDLL("libzstd.so.1").ZSTD_versionNumber()
    return case.our_bytes is not None and case.their_bytes is None and version < 10507


ROWS = [
    # codecs, proof, who takes it and why
    (["SNAPPY", "GZIP", "BROTLI", "LZ4_RAW", "ARROW_LZ4_FRAME"], is_short,
     "Arrow takes it: fewer bytes than declared; Codec returns how many came, which pyarrow "
     "drops, and the rest of the page was never written"),
    (["SNAPPY", "BROTLI", "LZ4_RAW", "ARROW_LZ4_FRAME"], is_nothing,
     "this library takes it: no stream at all for the empty page, as of all-null V2 pages"),
    (["GZIP"], is_unread,
     "Arrow takes it: its gzip reads nothing where the page is declared empty, and makes "
     "nothing of 0 bytes, whatever is declared"),
    (["GZIP"], is_padded,
     "this library takes it: NULs after the last member, which gzip's own program takes too"),
    (["GZIP"], is_odd_deflate,
     "this library takes it: libdeflate gives deflate codes a meaning that have none"),
    (["BROTLI"], is_followed,
     "Arrow takes it: bytes after the stream, of which the one-call decoder says nothing"),
    (["ARROW_LZ4_FRAME"], is_second_frame,
     "this library takes it: a second frame, of 0 bytes"),
    (["ZSTD", "ARROW_ZSTD"], is_of_old_zstd,
     "this library takes it: libzstd before 1.5.6 does not refuse reserved bits, and bits that "
     "are left over or missing, in a block's sequences, nor before 1.5.7 all in Huffman weights"),
]
# Met by luck, and only with some version of a library.
RARE = {is_odd_deflate, is_of_old_zstd}


def damaged(chance, body, size, prefix):
    """A copy with one kind of damage, and the declared size; the prefix stays true."""
    kind = chance.choice(["flip", "flip", "flip", "cut", "overwrite", "append", "size"])
    at = chance.randrange(prefix, len(body)) if len(body) > prefix else None
    copy = bytearray(body)
    if kind == "append" or at is None:
        copy += chance.choice([bytes(chance.randrange(1, 9)), body[prefix:],
                               chance.randbytes(chance.randrange(1, 9))])
    elif kind == "flip":
        copy[at] ^= 1 << chance.randrange(8)
    elif kind == "cut":
        del copy[at:]
    elif kind == "overwrite":
        count = min(chance.randrange(1, 9), len(body) - at)
        copy[at:at + count] = chance.randbytes(count)
    else:
        size += chance.choice([-1, 1, -size, size, chance.randrange(-size, 70000)])
        size = max(size, 0)
    return redeclared(bytes(copy), size, prefix), size


class Tally:
    """One codec of Arrow's and one engine of ours, and what they said."""

    def __init__(self, codec, ours, arrow):
        self.codec, self.ours, self.arrow = codec, ours, arrow
        self.prefix = prefix_of(codec)
        self.chance = random.Random(codec)
        self.refused = self.taken = 0
        self.differences = collections.Counter()
        self.faults = []

    def damage(self, body, size, rounds):
        # pyarrow.Codec knows frames; what is stored, or nothing at all, has none
        if self.prefix and body[:8] != struct.pack("<q", size):
            return
        for _ in range(rounds):
            self.compare(*damaged(self.chance, body, size, self.prefix))

    def compare(self, body, size):
        our_bytes, failure = verdict(self.ours, body, size)
        their_bytes, error = verdict(self.arrow, body, size)
        if failure and failure.status not in DAMAGE:
            self.faults.append(f"{failure.status}: {failure}")
        if failure and error:
            self.refused += 1
        elif not failure and not error and our_bytes == their_bytes:
            self.taken += 1
        else:
            self.explain(Case(self.codec, self.ours, self.arrow, body, size, our_bytes, failure,
                              their_bytes), error)

    def explain(self, case, error):
        for codecs, proof, reason in ROWS:
            if self.codec in codecs and proof(case):
                self.differences[proof, reason] += 1
                return
        self.faults.append(f"{len(case.body)} bytes, {case.size} declared: we say "
                           f"{case.failure or 'OK'}, Arrow {error or 'OK'}: {case.body[:40].hex()}")

    def finish(self, is_full):
        """The faults: differences without a row and, of a full run, rows without a difference."""
        met = {proof for proof, _ in self.differences}
        if not is_full:
            return self.faults
        return self.faults + [f"never met: {reason}" for codecs, proof, reason in ROWS
                              if self.codec in codecs and proof not in met | RARE]

    def text(self):
        return f"{self.refused + self.taken} damaged pages, {self.refused} refused; " \
               f"{sum(self.differences.values())} differ"

    def print_differences(self):
        for (_, reason), count in self.differences.items():
            print(f"# {count}: {reason}")
