/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Members of a JSON file, none of which may be of another kind than expected: what is wrong is one sentence that names
 * the file, the field, what was found and what was expected. Once something was, everything else is FALSE or NULL. */
typedef struct
{
  const char *file;            /* as messages call it */
  GString    *path;            /* "tables[2].rows[0]": where members are asked of */
  GError    **error;
  gboolean    failed;
} EsPublishedReader;

/* found nullable: nothing is there; field nullable: the path itself. Always FALSE. */
gboolean    _es_published_refuse       (EsPublishedReader *self, const char *field, JsonNode *found,
                                        const char *expected);
/* Of the same, where what was found is told in words. */
gboolean    _es_published_refuse_said  (EsPublishedReader *self, const char *field, const char *found,
                                        const char *expected);
/* Goes down to an element; _leave () takes the length that the path had. */
gsize       _es_published_enter        (EsPublishedReader *self, const char *member, guint i);
void        _es_published_leave        (EsPublishedReader *self, gsize length);
/* known: all members that an object may have, separated by blanks. */
gboolean    _es_published_check_known  (EsPublishedReader *self, JsonObject *object, const char *known);
JsonObject *_es_published_check_object (EsPublishedReader *self, JsonNode *node);
/* Transfer full of all texts. needed: it must be there and not be empty; otherwise NULL where it is missing or null. */
char       *_es_published_read_text    (EsPublishedReader *self, JsonObject *object, const char *name,
                                        gboolean needed);
/* One of some words, separated by blanks; NULL where it is missing. */
char       *_es_published_read_word    (EsPublishedReader *self, JsonObject *object, const char *name,
                                        const char *words);
int         _es_published_read_digits  (EsPublishedReader *self, JsonObject *object, const char *name, int otherwise);
/* An array that is not empty; NULL: refused. */
JsonArray  *_es_published_read_array   (EsPublishedReader *self, JsonObject *object, const char *name);
/* Texts, or one alone; NULL where it is missing. */
char      **_es_published_read_texts   (EsPublishedReader *self, JsonObject *object, const char *name);
/* Exactly n numbers of at least 0, or null (NAN), behind those that are there. */
gboolean    _es_published_read_numbers (EsPublishedReader *self, JsonObject *object, const char *name, guint n,
                                        GArray *numbers);

G_END_DECLS
