# SPDX-License-Identifier: GPL-3.0-or-later
# Finds translated strings that contain a macro of GLib's for a format directive.

{ text = text " " $0 }

END {
  string = "\"([^\"\\\\]|\\\\.)*\""
  cut = "(^|[^A-Za-z0-9_])(_|N_|C_|NC_|ngettext|g_dngettext) ?\\([ ]*(" string "[ ,]*)+G_[A-Z0-9]+_FORMAT"
  while (match (text, cut)) {
    found = substr (text, RSTART, RLENGTH)
    name = found
    sub (/.*[^A-Z0-9_]/, "", name)
    print "gettext cuts the string at " name ": " found
    text = substr (text, RSTART + RLENGTH)
  }
}
