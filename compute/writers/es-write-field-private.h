/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-field.h"
#include "saving/es-output-internal.h"
#include "es-writer.h"

G_BEGIN_DECLS

/* es-write-field-words.c: what a field is, in words. */
/* "dB re 1 µPa²", "m"; NULL: a number. Transfer full. */
char      *es_field_describe_values (EsField *field);
/* Of its recording; NULL: not known. Transfer full. */
GDateTime *es_field_dup_start       (EsField *field);
/* "sea.wav · CBF · 100–480 Hz · began ...": what a reader of a picture has to know. Transfer full. */
char      *es_field_caption         (EsField *field, gboolean has_missing);

/* Write everything but the last step, the renaming, which outputs does for several layers at once. */
gboolean es_write_field_text    (EsField *field, const EsOutput *output, GCancellable *cancellable, GError **error);
gboolean es_write_field_picture (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable,
                                 GError **error);
gboolean es_write_field_store   (EsField *field, EsOutputs *outputs, const char *path, GCancellable *cancellable,
                                 GError **error);

/* An attribute of an object of HDF5; with es_hdf_lock () held. */
gboolean es_write_hdf5_text (gint64 object, const char *name, const char *text);

G_END_DECLS
