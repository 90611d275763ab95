/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-dataset.h"

G_BEGIN_DECLS

/* For the readers, while a data set is being made: nothing changes after it has been returned. */
void _es_dataset_set_file     (EsDataset *self, GFile *file, const char *name);
void _es_dataset_set_identity (EsDataset *self, const char *identity);
void _es_dataset_set_options  (EsDataset *self, const EsOpenOptions *options);
/* arrays: of EsFileArray. */
void _es_dataset_set_arrays   (EsDataset *self, GPtrArray *arrays);
void _es_dataset_add_note     (EsDataset *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A recording that has grown is as another one tells that was opened later. Main context. */
void _es_dataset_take_notes   (EsDataset *self, EsDataset *other);
/* When it has been opened: its own files and others (of GFile) are its files from now on. */
void _es_dataset_hold_files   (EsDataset *self, GPtrArray *others);
/* One of its own files that somebody has written to since it was opened, as messages call it: what is read now may be
 * something else. NULL: there is none. Transfer full; any thread. */
char *_es_dataset_find_rewritten (EsDataset *self);
/* Whether anything was written to one of its own files since it was opened: also more of a recording. Any thread. */
gboolean _es_dataset_is_written_to (EsDataset *self);
/* The identity of es_dataset_get_identity () for a file; falls back to the path's hash. Transfer full. */
char *_es_dataset_identity_of (GFile *file);

/* Where a file lies, as a person would name it, in UTF-8; an address whole (es-address.h). Transfer full. */
char *_es_dataset_name_place    (GFile *file);
/* What opens it again, as members of an object that is being built: what was told, a recording's files, its array. */
void  _es_dataset_add_input     (EsDataset *self, JsonBuilder *builder);
/* The same as words of a command line: its file or files; options, with a space in front of each. */
void  _es_dataset_append_files  (EsDataset *self, GString *line);
void  _es_dataset_append_input  (EsDataset *self, GString *line);
/* The same of what a result was computed with, where its values (nullable) say that: the data set may have been told
 * something else since. */
void  _es_dataset_add_input_of    (EsDataset *self, JsonBuilder *builder, JsonObject *values);
void  _es_dataset_append_input_of (EsDataset *self, GString *line, JsonObject *values);

G_END_DECLS
