/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-region-set.h"
#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * What a person has made by hand of a data set, and what no file holds yet: the positions of its hydrophones
 * (EsRecording), what full scale is, what takes part of it (EsMadeTold) and its classes (EsRegionSet), where they are
 * not kept by themselves (es-region-store.h). Main context only.
 */

/* Adds what is not saved of a data set; kept. */
void     es_made_list_unsaved (EsDataset *dataset, GPtrArray *list);
/* "Hydrophones of scene.wav", "Calibration of scene.wav", "Classes of scene.img". Transfer full. */
char    *es_made_describe     (GObject *made);
/* Into a file of its own in a folder, made where it is missing: "scene.wav.array.json", "scene-classes.json", with a
 * number where there is something of that name already. Finish tells where. Transfer full. */
void     es_made_save_async   (GObject *made, GFile *folder, GCancellable *cancellable, GAsyncReadyCallback callback,
                               gpointer user_data);
GFile   *es_made_save_finish  (GAsyncResult *result, GError **error);

G_END_DECLS
