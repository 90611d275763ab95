# SPDX-License-Identifier: GPL-3.0-or-later
#
# The form of files. Input, tab-separated: last byte of a file in hexadecimal, file. -v max_lines, max_columns.
# To be run with LC_ALL=C: a character is counted by its first byte.

BEGIN { FS = "\t" }

{
  file = $2
  code = file ~ /^(dev|\.ci\/run)$/ || file ~ /\.(c|h|cu|cuh|inc|glsl|vert|frag|comp|css|ui|sh|awk|py)$/
  # Two blanks at the end are a line break in Markdown; msgmerge writes .po files its own way.
  blanks = file !~ /\.(md|po)$/
  wide = file ~ /\.ui$/
  lines = 0
  licence = 0
  while ((getline line < file) > 0) {
    lines++
    if (index (line, "\r"))
      complain(file ":" lines, "carriage return")
    if (blanks && line ~ /[ \t]$/)
      complain(file ":" lines, "blanks at the end")
    if (!code)
      continue
    if (index (line, "\t"))
      complain(file ":" lines, "tab")
    if (lines <= 3 && index (line, "SPDX-License-Identifier: GPL-3.0-or-later"))
      licence = 1
    if (!wide && length (line) > max_columns) {
      gsub (/[\200-\277]/, "", line)
      if (length (line) > max_columns)
        complain(file ":" lines, "more than " max_columns " columns")
    }
  }
  close (file)
  if ($1 != "0a")
    complain(file, "no line feed at the end")
  if (code && !licence)
    complain(file, "no SPDX-License-Identifier: GPL-3.0-or-later in the first three lines")
  if (code && lines > max_lines)
    complain(file, lines " lines; more than " max_lines " is a reason to split")
}

END { exit bad }

function complain(place, what)
{
  print place ": " what
  bad = 1
}
