# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints "passed failed skipped": the test cases of meson's testlog.junit.xml, and for every program that its
# testlog.json calls failed, though none of its cases is (it died between them, or leaked), one failed case more.
# usage: awk -f count-tests.awk RS='<' testlog.junit.xml RS='\n' testlog.json

# XML: RS is "<", so that a record is a tag and the text behind it.
/^testsuite / { close_case(); suite = attribute("name") }
/^testcase[ \/>]/ { close_case(); open = 1; bad = 0; skip = 0; name = attribute("name") }
/^skipped/ { skip = 1 }
/^(failure|error)[ \/>]/ { bad = 1 }

# JSON: one program a line.
/^\{"name": / {
  close_case()
  program = $0
  sub (/^\{"name": "/, "", program)
  sub (/".*/, "", program)
  if ($0 ~ /"result": "(FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)"/ && !(program in blamed))
    failed++
}

END {
  close_case()
  print passed + 0, failed + 0, skipped + 0
}

function attribute(key,   text)
{
  if (!match ($0, " " key "=\"[^\"]*\""))
    return ""
  text = substr ($0, RSTART, RLENGTH - 1)
  sub (/^[^"]*"/, "", text)
  return text
}

function close_case(   program)
{
  if (!open)
    return
  open = 0
  if (bad) {
    failed++
    # Suites of TAP programs are called PROJECT.PROGRAM; a program without cases is itself one.
    blamed[name] = 1
    program = suite
    sub (/^[^.]*\./, "", program)
    blamed[program] = 1
  }
  else if (skip)
    skipped++
  else
    passed++
}
