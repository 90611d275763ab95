#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Collects the strings of the files named on standard input, in the project's root. usage: make-template.sh
# OUTPUT

set -euo pipefail
# What meson's preset 'glib' gives to xgettext.
exec xgettext --from-code=UTF-8 --add-comments --package-name=eigenscope --output="$1" \
  --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 --keyword=g_dcgettext:2 \
  --keyword=g_dngettext:2,3 --keyword=g_dpgettext2:2c,3 --flag=N_:1:pass-c-format --flag=C_:2:pass-c-format \
  --flag=NC_:2:pass-c-format --flag=g_dngettext:2:pass-c-format --flag=g_strdup_printf:1:c-format \
  --flag=g_string_printf:2:c-format --flag=g_string_append_printf:2:c-format --flag=g_error_new:3:c-format \
  --flag=g_set_error:4:c-format --flag=g_print:1:c-format --flag=g_printerr:1:c-format \
  --flag=g_snprintf:3:c-format --flag=es_batch_usage:1:c-format --files-from=-
