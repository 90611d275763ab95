/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Text of files, file names and command lines as terminals and labels may show it: valid UTF-8 in which nothing moves
 * a cursor, ends a line or turns the direction of what follows. Controls (C0, DEL, C1), line and paragraph separators,
 * marks of direction and bytes that are no UTF-8 become “\x1b” or “\u202e”; all other characters stay. Names of data
 * sets, notes, warnings and es_error_file_name () are made by it already. Transfer full; NULL for NULL.
 */
char    *es_text_show        (const char *text);
/* The same of text of our own that may have several lines: line ends and tabulators stay. */
char    *es_text_show_lines  (const char *text);
/* Whether a character is one of those. */
gboolean es_text_is_control  (gunichar character);

G_END_DECLS
