# SPDX-License-Identifier: Apache-2.0
#
# binding.py - libpagecodec.so through ctypes, as far as arrow_codec.py needs it
#
# Structs and numbers are those of include/pagecodec.h.

import ctypes
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int32, c_size_t, c_void_p

STATUSES = ["OK", "INVALID_ARGUMENT", "NOT_BUILT", "UNKNOWN_CODEC", "OUT_OF_MEMORY", "TOO_LARGE",
            "DST_TOO_SMALL", "TRUNCATED", "CORRUPT", "CHECKSUM_MISMATCH", "SIZE_MISMATCH",
            "TRAILING_DATA"]
DAMAGE = {"TOO_LARGE", *STATUSES[STATUSES.index("TRUNCATED"):]}


class Error(ctypes.Structure):
    _fields_ = [("status", c_int), ("codec", c_int32), ("expected_size", c_size_t),
                ("actual_size", c_size_t), ("message", c_char * 192)]


class Span(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def copy(self):
        return ctypes.string_at(self.data, self.size)


class CompressorOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("has_level", c_int), ("level", c_int),
                ("window_log", c_int), ("checksum", c_int), ("page_crc", c_int),
                ("reserved", c_int), ("engine", c_char_p)]


class DecompressorOptions(ctypes.Structure):
    _fields_ = [("struct_size", c_size_t), ("engine", c_char_p)]


class CodecInfo(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("codec", c_int32), ("is_available", c_int),
                ("has_levels", c_int), ("min_level", c_int), ("max_level", c_int),
                ("default_level", c_int), ("min_window_log", c_int), ("max_window_log", c_int),
                ("has_checksum", c_int), ("max_input_size", c_size_t),
                ("compress_engines", POINTER(c_char_p)),
                ("decompress_engines", POINTER(c_char_p))]


class Failure(Exception):
    def __init__(self, error):
        super().__init__(error.message.decode())
        self.status = STATUSES[error.status]
        self.actual_size = error.actual_size


def listed(engines):
    names = []
    while engines and engines[len(names)] is not None:
        names.append(engines[len(names)].decode())
    return names


class Library:
    """The shared library and one factory; what it hands out lives as long."""

    def __init__(self, path):
        self.so = ctypes.CDLL(path)
        self.so.pagecodec_find_codec_by_name.restype = POINTER(CodecInfo)
        # ctypes takes a plain number for an int, and cuts it
        self.so.pagecodec_compress.argtypes = [
            c_void_p, POINTER(Span), c_size_t, c_void_p, c_size_t, POINTER(Span), POINTER(Error)]
        self.so.pagecodec_decompress.argtypes = [
            c_void_p, c_char_p, c_size_t, c_size_t, c_void_p, c_size_t, POINTER(Span),
            POINTER(Error)]
        self.factory = c_void_p()
        self.call("factory_create", None, byref(self.factory))

    def call(self, name, *arguments):
        error = Error()
        if getattr(self.so, "pagecodec_" + name)(*arguments, byref(error)) != 0:
            raise Failure(error)

    def info(self, name):
        return self.so.pagecodec_find_codec_by_name(name.encode()).contents

    def compressor(self, info, engine, level):
        options = CompressorOptions(struct_size=ctypes.sizeof(CompressorOptions),
                                    has_level=level is not None, level=level or 0,
                                    engine=engine.encode())
        compressor = c_void_p()
        self.call("compressor_get", self.factory, info.codec, byref(options), byref(compressor))

        def compress(page):
            part = Span(ctypes.cast(c_char_p(page), c_void_p), len(page))
            out = Span()
            self.call("compress", compressor, byref(part), 1, None, 0, byref(out))
            return out.copy()
        return compress

    def decompressor(self, info, engine):
        options = DecompressorOptions(struct_size=ctypes.sizeof(DecompressorOptions),
                                      engine=engine.encode())
        decompressor = c_void_p()
        self.call("decompressor_get", self.factory, info.codec, byref(options),
                  byref(decompressor))

        def decompress(body, size):
            out = Span()
            self.call("decompress", decompressor, body, len(body), size, None, 0, byref(out))
            return out.copy()
        return decompress
