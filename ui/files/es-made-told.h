/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "recording/es-recording.h"

G_BEGIN_DECLS

/* What a person has told of a data set, and no file has: the calibration of a recording, or its start and heading; what
 * takes part of a cube. As it was when this was made. */
#define ES_TYPE_MADE_TOLD (es_made_told_get_type ())
G_DECLARE_FINAL_TYPE (EsMadeTold, es_made_told, ES, MADE_TOLD, GObject)

/* Adds those there are to a list of objects. */
void         es_made_told_list          (EsDataset *dataset, GPtrArray *list);
EsDataset   *es_made_told_get_dataset   (EsMadeTold *self);      /* borrowed */
/* "Calibration of sea.wav". Transfer full. */
char        *es_made_told_describe      (EsMadeTold *self);
/* ".calibration.json": of its file beside the data. */
const char  *es_made_told_get_ending    (EsMadeTold *self);
/* Any thread. */
gboolean     es_made_told_save          (EsMadeTold *self, GFile *file, GError **error);
/* It was written: the data set says so, unless it is told something else by now. */
void         es_made_told_was_saved     (EsMadeTold *self, GFile *file);

G_END_DECLS
