/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * The one way JSON comes in and goes out; nothing else calls json-glib's parser or generator (a lint sees to it).
 *
 * What is read is looked through first, without recursion: RFC 8259 to the letter, UTF-8, at most 64 levels of
 * brackets, 10 million values and 256 MiB; numbers that a double or a gint64 holds, no U+0000 and no half of a
 * surrogate pair in a text, no name twice in an object. (json-glib alone calls itself for every bracket, takes 1e400
 * for infinity and 2^64 for -1, and the last of two members for both.)
 */

/* The tree of a text of `length` bytes with a NUL behind them. Transfer full. NULL and one sentence that names `name`
 * and the line: ES_DATA_ERROR_FORMAT, or ES_DATA_ERROR_SIZE where it is too much. */
JsonNode *es_json_parse   (const char *text, gsize length, const char *name, GError **error);
/* The same of a file, which must be a regular one. */
JsonNode *es_json_load    (GFile *file, GCancellable *cancellable, GError **error);

/*
 * The tree as indented JSON text with a line end at its end. Unlike json_generator_to_data () it is valid for every
 * number and text: json-glib writes 1e-10 as "1e-10.0"; what is not finite becomes null, what is not UTF-8 U+FFFD, and
 * controls (es_text_is_control ()) are written as \u009b. Transfer full.
 */
char     *es_json_to_text (JsonNode *root);

G_END_DECLS
