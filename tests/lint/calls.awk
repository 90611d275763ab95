# SPDX-License-Identifier: GPL-3.0-or-later
# Finds calls that print, abort or exit in a library, calls of json-glib's parser and generator anywhere but in the one
# file that reads and writes JSON, and widgets' tasks that may end on their thread.

FNR == 1 { comment = 0 }

{
  line = $0
  text = ""
  while (line != "") {
    if (comment) {
      at = index (line, "*/")
      if (at == 0)
        break
      line = substr (line, at + 2)
      comment = 0
    }
    else if (match (line, /\/\*|\/\/|"([^"\\]|\\.)*"/)) {
      text = text substr (line, 1, RSTART - 1)
      token = substr (line, RSTART, 2)
      if (token == "//") { line = ""; break }
      if (token == "/*") comment = 1
      line = substr (line, RSTART + RLENGTH)
    }
    else {
      text = text line
      line = ""
    }
  }
  text = " " text
  if (FILENAME !~ /^app\// &&
      (text ~ /[^A-Za-z0-9_](printf|puts|putchar|perror|abort|exit|_exit|g_print|g_printerr|g_error) ?\(/ ||
       text ~ /[^A-Za-z0-9_]v?fprintf ?\( ?std(out|err)/ || text ~ /[^A-Za-z0-9_]fputs? ?\(.*std(out|err)/))
    print FILENAME ":" FNR ": a library neither prints nor leaves: " $0
  if (FILENAME != "compute/base/es-json.c" &&
      text ~ /[^A-Za-z0-9_]json_(parser|generator|from_string|to_string)[a-z_]* ?\(/)
    print FILENAME ":" FNR ": JSON is read and written by base/es-json.h alone: " $0
  if (FILENAME ~ /^ui\// && text ~ /[^A-Za-z0-9_]g_task_run_in_thread ?\(/)
    print FILENAME ":" FNR ": es_task_run_in_thread () does not end what it holds on its thread: " $0
}
