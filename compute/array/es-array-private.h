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
  gboolean        speed_told;
  GPtrArray      *notes;           /* NULL-terminated once there is one */
  char           *doubt;           /* nullable */
  guint           certain;         /* of a recording of no more channels there is none */
  EsOrigin        origin;

  gboolean        line, uniform;
  double          spacing, length;
  double          axis[3];
  double          centre[3];       /* of all elements */
};

/* While an array is being made, before anybody else sees it. add_note and set_doubt take their text. certain: a
 * recording of no more channels than this leaves no doubt; 0: each does. */
void     es_array_add_note        (EsArray *self, char *note);
void     es_array_set_doubt       (EsArray *self, char *doubt, guint certain);
void     es_array_set_sound_speed (EsArray *self, double sound_speed);

/* All of it, for whoever changes something before anybody else sees it. Transfer full. */
EsArray *es_array_copy            (EsArray *self);

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

/*
 * Whether the channels that a file tells (numbers[k] of element k, ES_ARRAY_NO_CHANNEL where a dead one has none) count
 * from 1: by the range *low to *high of all rows, and by the order of the living ones where a dead row or a row that is
 * missing hides an end of it; *doubtful is set then. *certain: a recording of no more channels leaves no doubt (0: each
 * does). es-array-channels.c.
 */
#define ES_ARRAY_NO_CHANNEL G_MAXUINT
gboolean es_array_counts_from_one (const EsElement *elements, const guint *numbers, guint n, guint *low, guint *high,
                                   gboolean *doubtful, guint *certain);

/* Notes about positions that look like another unit than metres. */
void     es_array_note_unit       (EsArray *self);

/* For people: three digits, but up to five where they say it all (457.5). */
double   es_array_round           (double value);
/* "0.75 m": for people. Transfer full. */
char    *es_array_format_metres   (double metres);

G_END_DECLS
