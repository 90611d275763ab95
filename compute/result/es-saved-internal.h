/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A result.json: read, refused, and asked for members that may be missing or of another type. */

/* The parsed file, whose root is an object; name: for messages. NULL: it is none, or cannot be read. Transfer full. */
JsonNode   *es_saved_parse       (GFile *file, const char *name, GCancellable *cancellable, GError **error);
/* ES_DATA_ERROR_FORMAT; FALSE. found: what is wrong with it. */
gboolean    es_saved_refuse      (const char *name, GError **error, const char *found);

/* object NULL: every member is missing. Borrowed. */
const char *es_saved_get_string  (JsonObject *object, const char *name);                  /* nullable */
const char *es_saved_get_text    (JsonObject *object, const char *name, const char *otherwise);
double      es_saved_get_number  (JsonObject *object, const char *name, double missing);
/* An array of exactly n > 0 numbers; FALSE: it is anything else. */
gboolean    es_saved_get_numbers (JsonObject *object, const char *name, guint n, double *numbers);
gboolean    es_saved_get_flag    (JsonObject *object, const char *name);
JsonObject *es_saved_get_object  (JsonObject *object, const char *name);                  /* nullable */
/* Its length; 0 and NULL where there is none. */
guint       es_saved_get_array   (JsonObject *object, const char *name, JsonArray **array);
/* The i-th element where it is an object, else NULL. */
JsonObject *es_saved_get_element (JsonArray *array, guint i);

G_END_DECLS
