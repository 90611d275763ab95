#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws docs/screenshots/manifold.png: a scene in true colours, its PCA and UMAP by spectral angle, each in three
components, side by side; prints how good both are.

usage: draw-manifold.py EIGENSCOPE-BATCH CUBE [OUTPUT]
"""
import json, os, struct, subprocess, sys, tempfile, zlib

ZOOM, GAP = 2, 8


def read_png(path):
    """Rows of RGBA of what eigenscope-batch writes: 8 bits, not interlaced."""
    data, at, packed = open(path, 'rb').read(), 8, b''
    while at < len(data):
        n, kind = struct.unpack('>I4s', data[at:at + 8])
        if kind == b'IHDR':
            width, height = struct.unpack('>II', data[at + 8:at + 16])
        if kind == b'IDAT':
            packed += data[at + 8:at + 8 + n]
        at += 12 + n
    raw, rows, before, length = zlib.decompress(packed), [], bytes(4 * width), 4 * width
    for y in range(height):
        how, row = raw[y * (length + 1)], bytearray(raw[y * (length + 1) + 1:(y + 1) * (length + 1)])
        for i in range(length):
            a, b, c = row[i - 4] if i >= 4 else 0, before[i], before[i - 4] if i >= 4 else 0
            near = min((abs(a + b - c - v), k, v) for k, v in enumerate((a, b, c)))[2]
            row[i] = row[i] + (0, a, b, (a + b) // 2, near)[how] & 255
        before = bytes(row)
        rows.append(before)
    return rows


def write_png(path, rows):
    def chunk(kind, data):
        return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))

    size = struct.pack('>II', len(rows[0]) // 4, len(rows))
    with open(path, 'wb') as out:
        out.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', size + b'\x08\x06\0\0\0')
                  + chunk(b'IDAT', zlib.compress(b''.join(b'\0' + row for row in rows), 9)) + chunk(b'IEND', b''))


def enlarge(rows):
    return [b''.join(row[i:i + 4] * ZOOM for i in range(0, len(row), 4)) for row in rows for _ in range(ZOOM)]


def main(batch, cube, output=os.path.join(os.path.dirname(__file__), 'manifold.png')):
    with tempfile.TemporaryDirectory() as work:
        def run(*arguments):
            subprocess.run([batch, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        run('run', 'pca', cube, '-o', work + '/pca', 'components=3')
        run('run', 'umap', cube, '-o', work + '/manifold', 'scaling=angle')
        run('composite', cube, '-o', work + '/0.png', 'rgb=true-colour')
        run('composite', work + '/pca', '-o', work + '/1.png', 'rgb=1,2,3')
        run('composite', work + '/manifold', '-o', work + '/2.png', 'rgb=1,2,3')
        pictures = [enlarge(read_png('%s/%d.png' % (work, i))) for i in range(3)]
        write_png(output, [(bytes(4 * GAP)).join(rows) for rows in zip(*pictures)])
        for name, quality in json.load(open(work + '/manifold/result.json'))['values']['quality'].items():
            if isinstance(quality, dict):
                print(name, ', '.join('%s %.4f' % (what, value) for what, value in quality.items()
                                      if isinstance(value, float)))


if __name__ == '__main__':
    main(*sys.argv[1:])
