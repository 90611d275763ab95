/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The text header of an ENVI file ("field = value" and "field = { list, over, lines }"). Fields are found
 * whatever their case and spacing. Text that is not UTF-8 is taken for Latin-1.
 */
typedef struct _EsEnviHeader EsEnviHeader;

/* True where the bytes begin with the word ENVI on a line of its own. */
gboolean      es_envi_header_is_one      (const guint8 *bytes, gsize length);
gboolean      es_envi_header_is_at       (const char *path);
/* name: the file's, for messages. Errors: ES_DATA_ERROR_OPEN, ES_DATA_ERROR_FORMAT. */
EsEnviHeader *es_envi_header_load        (const char *path, const char *name, GError **error);
EsEnviHeader *es_envi_header_parse       (const char *text, gsize length, const char *name, GError **error);
void          es_envi_header_free        (EsEnviHeader *self);
const char   *es_envi_header_get_name    (EsEnviHeader *self);

/* The fields in the order of the file, folded: the i-th of them; NULL: there are no more. */
const char   *es_envi_header_get_field   (EsEnviHeader *self, guint i);
/* The value without its braces, stripped; NULL where there is no such field, or it is empty. */
const char   *es_envi_header_get         (EsEnviHeader *self, const char *field);
/* A whole number; fallback where the field is missing. Missing without a fallback (G_MAXUINT64), not a
 * number, negative or beyond 64 bits: ES_DATA_ERROR_FORMAT. */
gboolean      es_envi_header_get_count   (EsEnviHeader *self, const char *field, guint64 fallback,
                                          guint64 *value, GError **error);
/* The parts of a list, stripped, *n of them; no more than some are told apart, which are more than bands can be.
 * Transfer full; NULL where there is none. */
char        **es_envi_header_get_strings (EsEnviHeader *self, const char *field, guint *n);
/* Numbers; NULL where there is none or *broken is set because one entry is not a number. Transfer full. */
double       *es_envi_header_get_doubles (EsEnviHeader *self, const char *field, guint *n, gboolean *broken);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsEnviHeader, es_envi_header_free)

G_END_DECLS
