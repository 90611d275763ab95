#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server on the loopback that has what tests want to read from elsewhere: files of a folder, whole and in ranges.

usage: range-server.py FOLDER LOG

Prints its port, and writes a line for each request into LOG: method, path, status, bytes that were sent. It ends with
its standard input. Below some names of folders it does not do what is asked:
    /midway/   ends the connection after half of what it has promised, where that is more than 8 KiB
    /hangs/    promises, and then says nothing any more
    /whole/    knows no ranges
    /refuses/  answers 403 to everything
    /busy/     answers 503 where a file is called 0.1.0, or ends with .msk
"""
import http.server
import os
import re
import sys
import threading
import time
import urllib.parse

folder, log_path = os.path.realpath(sys.argv[1]), sys.argv[2]
lock = threading.Lock()
LARGE = 8192


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    disable_nagle_algorithm = True
    wbufsize = -1

    def note(self, status, sent):
        with lock, open(log_path, 'a', encoding='utf-8') as log:
            log.write(f'{self.command} {self.path} {status} {sent}\n')

    def refuse(self, status):
        self.note(status, 0)
        self.send_response(status)
        self.send_header('Content-Length', '0')
        self.end_headers()

    def find_range(self, size):
        """first and end of what is asked for; None: all of it; False: outside."""
        asked = re.fullmatch(r'bytes=(\d+)-(\d*)', self.headers.get('Range', ''))
        if asked is None or self.path.startswith('/whole/'):
            return None
        first, end = int(asked[1]), min(int(asked[2]) + 1 if asked[2] else size, size)
        return (first, end) if first < end else False

    def answer(self):
        path = os.path.realpath(os.path.join(folder, urllib.parse.unquote(self.path.split('?')[0]).lstrip('/')))
        if self.path.startswith('/refuses/'):
            return self.refuse(403)
        if self.path.startswith('/busy/') and self.path.endswith(('/0.1.0', '.msk')):
            return self.refuse(503)
        if not path.startswith(folder + '/') or not os.path.isfile(path):
            return self.refuse(404)
        size = os.path.getsize(path)
        part = self.find_range(size)
        if part is False:
            return self.refuse(416)
        first, end = part or (0, size)
        self.send_response(206 if part else 200)
        self.send_header('Content-Length', str(end - first))
        self.send_header('Last-Modified', self.date_time_string(os.path.getmtime(path)))
        if not self.path.startswith('/whole/'):
            self.send_header('Accept-Ranges', 'bytes')
        if part:
            self.send_header('Content-Range', f'bytes {first}-{end - 1}/{size}')
        self.end_headers()
        if self.command == 'HEAD':
            return self.note(200, 0)
        if end - first > LARGE and self.path.startswith('/midway/'):
            end = first + (end - first) // 2
            self.close_connection = True
        with open(path, 'rb') as stream:
            stream.seek(first)
            data = stream.read(end - first)
        if len(data) > LARGE and self.path.startswith('/hangs/'):
            self.note(206 if part else 200, 0)
            self.wfile.flush()
            time.sleep(60)
            self.close_connection = True
            return None
        self.note(206 if part else 200, len(data))
        self.wfile.write(data)
        return None

    do_GET = do_HEAD = answer

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Who asked is gone."""


server = Server(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
