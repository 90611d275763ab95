/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * Opens a file by its content, whatever its name; the header (.hdr) of an ENVI cube opens the cube.
 * Blocking: call it on a worker, or use es_dataset_open_async. Errors: ES_DATA_ERROR, one sentence that names the
 * file, what was found and what was expected. Transfer full.
 */
EsDataset *es_dataset_open        (GFile *file, const EsOpenOptions *options, GCancellable *cancellable,
                                   GError **error);
void       es_dataset_open_async  (GFile *file, const EsOpenOptions *options, GCancellable *cancellable,
                                   GAsyncReadyCallback callback, gpointer user_data);
EsDataset *es_dataset_open_finish (GAsyncResult *result, GError **error);
/* Whether it is the folder of a product (EnMAP, DESIS), or the text in it that describes the product: opening it opens
 * the image in that folder. Looks at names. */
gboolean   es_dataset_is_product  (GFile *file);
/* What a description of other files (VRT) would have read, for a person who is asked whether it may; es_dataset_open ()
 * opens one with EsOpenOptions.driver "VRT" alone. Paths, and what else it names as it is written. Blocking.
 * NULL-terminated, transfer full; NULL without an error: it is no such description. */
char     **es_dataset_list_sources (GFile *file, GCancellable *cancellable, GError **error);

/*
 * Several files at once: mono files become the channels of one recording, in the order of the names' numbers; a file
 * that describes an array (CSV, XML, SigMF) becomes its array. One gesture opens a folder's worth. FALSE where the
 * files do not belong together (cubes, several channels each): each is then opened by itself. Looks at headers only.
 */
gboolean     es_recording_files_belong_together (GFile **files, guint n_files);
/*
 * The same for files of many recordings: an array of arrays of GFile, one for each data set, in the order in which they
 * came. Mono files that begin at one moment by their names are one recording; texts (arrays) go with every recording,
 * and stand alone only where there is none. Transfer full.
 */
GPtrArray   *es_recording_group_files (GFile **files, guint n_files);
/* Errors name the file that differs ("... has 48000 Hz, the others 32000 Hz"). Transfer full. */
EsDataset   *es_recording_open_files      (GFile **files, guint n_files, GCancellable *cancellable, GError **error);
/* The same, each file with what was told about all of them (the rate of Scripps SIO files). options: nullable. */
EsDataset   *es_recording_open_files_with (GFile **files, guint n_files, const EsOpenOptions *options,
                                           GCancellable *cancellable, GError **error);
void         es_recording_open_files_async (GFile **files, guint n_files, GCancellable *cancellable,
                                           GAsyncReadyCallback callback, gpointer user_data);
EsDataset   *es_recording_open_files_finish (GAsyncResult *result, GError **error);
/* The calibration that was named for it goes before what it tells itself and what lies beside it, which is a note.
 * NULL: it is not calibrated. ES_DATA_ERROR_FORMAT: it is of channels that the recording does not have. */
gboolean     es_recording_name_calibration (EsRecording *recording, EsCalibration *calibration, GError **error);
/* The same of when it began and where its array points; and of a file that tells it, whose times of a clock are counted
 * from the start that the recording has. */
void         es_recording_name_navigation  (EsRecording *recording, EsNavigation *navigation);
gboolean     es_recording_name_navigation_file (EsRecording *recording, GFile *file, GError **error);

G_END_DECLS
