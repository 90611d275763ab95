/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-navigation.h"

G_BEGIN_DECLS

/* A result says them twice, as text that must be read again. */
#define ES_NAVIGATION_MOST_HEADINGS 1000000u
/* s, either way: later or earlier a clock cannot be written. */
#define ES_NAVIGATION_LARGEST_TIME 1e11

/* Of the one place in memory; times is NULL where it is fixed. */
const double *es_navigation_get_times    (EsNavigation *self);
const double *es_navigation_get_headings (EsNavigation *self);

/* Text of a file as it stands in a sentence: of a long one its beginning. Transfer full. */
char         *es_navigation_quote        (const char *text);
/* "“name”: message", which it frees. NULL. */
gpointer      es_navigation_refuse       (GError **error, const char *name, char *message);
EsNavigation *es_navigation_read_json    (const char *text, gsize length, const char *name, GError **error);
EsNavigation *es_navigation_read_table   (const char *text, gsize length, const char *name, GDateTime *start,
                                          GError **error);

G_END_DECLS
