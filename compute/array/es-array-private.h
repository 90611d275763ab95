/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-array.h"

G_BEGIN_DECLS

/* Larger positions are no array's, and their squares must not overflow. */
#define ES_ARRAY_MOST_METRES 1e8
#define ES_ARRAY_MOST_ELEMENTS 1000000
#define ES_ARRAY_SOUND_SPEED 1500.0

struct _EsArray
{
  gatomicrefcount refs;
  EsElement      *elements;
  guint           n, n_alive;
  double          sound_speed;
  GPtrArray      *notes;           /* NULL-terminated once there is one */

  gboolean        line, uniform;
  double          spacing, length;
  double          axis[3];
};

/* While an array is being made, before anybody else sees it. add_note takes the note. */
void     es_array_add_note        (EsArray *self, char *note);
void     es_array_set_sound_speed (EsArray *self, double sound_speed);

/* Finds out what its positions say. es-array-measure.c. */
void     es_array_measure         (EsArray *self);

/* Elements as they are read; names are freed with it. */
GArray  *es_array_elements_new    (void);
void     es_array_elements_add    (GArray *elements, double x, double y, double z, guint channel, const char *name);

/* One file format each, of a whole file's text; name is the file's in messages. Transfer full. */
EsArray *es_array_read_csv        (const char *text, gsize length, const char *name, GError **error);
EsArray *es_array_read_xml        (const char *text, gsize length, const char *name, GError **error);
/* Eigenscope's own and SigMF's. */
EsArray *es_array_read_json       (const char *text, gsize length, const char *name, GError **error);
EsArray *es_array_read_sigmf      (JsonObject *root, const char *name, GError **error);

/* Notes about positions that look like another unit than metres. */
void     es_array_note_unit       (EsArray *self);

/* For people: three digits, but up to five where they say it all (457.5). */
double   es_array_round           (double value);
/* "0.75 m": for people. Transfer full. */
char    *es_array_format_metres   (double metres);

G_END_DECLS
