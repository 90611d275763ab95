#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The cube FOLDER/cube.img (BSQ, int16, with its header) in the other forms that are read from elsewhere, in FOLDER:
an archive cube.zip with both files, a store of Zarr, cube.zarr, whose array /cube is packed, and plain.img, whose
header tells no more than that array does.

usage: remote-inputs.py FOLDER
"""
import json
import pathlib
import re
import sys
import zipfile
import zlib

CHUNK_ROWS = 64

folder = pathlib.Path(sys.argv[1])
header = (folder / 'cube.hdr').read_text()
samples = (folder / 'cube.img').read_bytes()
width, height, bands = (int(re.search(rf'^{field} *= *(\d+)', header, re.M)[1])
                        for field in ('samples', 'lines', 'bands'))

with zipfile.ZipFile(folder / 'cube.zip', 'w', zipfile.ZIP_DEFLATED) as archive:
    for name in ('cube.img', 'cube.hdr'):
        archive.write(folder / name, name)

(folder / 'plain.img').write_bytes(samples)
(folder / 'plain.hdr').write_text(f'ENVI\nsamples = {width}\nlines = {height}\nbands = {bands}\nheader offset = 0\n'
                                  'data type = 2\ninterleave = bsq\nbyte order = 0\n')

store = folder / 'cube.zarr'
(store / 'cube').mkdir(parents=True, exist_ok=True)
(store / '.zgroup').write_text('{"zarr_format": 2}')
array = {'zarr_format': 2, 'shape': [bands, height, width], 'chunks': [bands, CHUNK_ROWS, width], 'dtype': '<i2',
         'compressor': {'id': 'zlib', 'level': 1}, 'fill_value': None, 'order': 'C', 'filters': None}
(store / 'cube' / '.zarray').write_text(json.dumps(array))
(store / 'cube' / '.zattrs').write_text(json.dumps({'_ARRAY_DIMENSIONS': ['band', 'y', 'x']}))
row_bytes = 2 * width
for number, first in enumerate(range(0, height, CHUNK_ROWS)):
    chunk = bytearray()
    for band in range(bands):
        begin = (band * height + first) * row_bytes
        rows = samples[begin:begin + min(CHUNK_ROWS, height - first) * row_bytes]
        chunk += rows.ljust(CHUNK_ROWS * row_bytes, b'\0')
    (store / 'cube' / f'0.{number}.0').write_bytes(zlib.compress(bytes(chunk)))
