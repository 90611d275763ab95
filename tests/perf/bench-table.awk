# SPDX-License-Identifier: GPL-3.0-or-later
# A table of what `eigenscope-batch bench --json` printed (one member a line, as json-glib writes it).

BEGIN { printf "%-20s %12s %10s   %s\n", "", "median ms", "peak MB", "against" }

{ line = $0 }

line ~ /"peer"[ \t]*:[ \t]*\{/ { inside = "peer"; next }
line ~ /"stages"[ \t]*:[ \t]*\[/ { inside = "stages"; next }
inside == "stages" { if (line ~ /^[ \t]*\]/) inside = ""; next }
inside == "peer" && line ~ /^[ \t]*\}/ { inside = ""; next }

match (line, /"[a-z0-9_]+"[ \t]*:/) {
  key = substr (line, RSTART + 1, RLENGTH)
  sub (/".*/, "", key)
  value = substr (line, RSTART + RLENGTH)
  sub (/^[ \t]*"?/, "", value)
  sub (/"?,?[ \t]*$/, "", value)
  if (inside == "peer") { peer[key] = value; next }
  if (key == "processor" || key == "detail") { machine = machine (machine == "" ? "" : ", ") value; next }
  if (key == "name") { flush_row(); name = value; next }
  row[key] = value
}

END {
  flush_row()
  if (machine != "") print machine
}

function flush_row(   against, key)
{
  if (name == "") return
  if ("median_ms" in row) {
    against = ""
    if ("ratio" in row)
      against = sprintf ("%s: %.0f ms, %.0f MB, ratio %.2f",
                         peer["name"], peer["ms"], peer["peak_mb"], row["ratio"])
    printf "%-20s %12.1f %10.0f   %s\n", name, row["median_ms"], row["peak_mb"], against
  }
  else
    for (key in row)
      if (key ~ /_ms$/)
        printf "%-20s %12.1f\n", name " " substr (key, 1, length (key) - 3), row[key]
  name = ""
  delete_all()
}

function delete_all(   key)
{
  for (key in row) delete row[key]
  for (key in peer) delete peer[key]
}
