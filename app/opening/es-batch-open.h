/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "array/es-array.h"
#include "cube/es-cube-metadata.h"
#include "tool/es-batch-tool.h"
#include "inspection/es-file-facts.h"
#include "inspection/es-metadata-import.h"

G_BEGIN_DECLS

/* The options with which files are opened, the same for every verb. All 0 at first. */
typedef struct
{
  int      width, height, channels, raw_bands;
  double   rate, sound_speed;
  gint64   offset;
  char    *variable, *driver, *array, *origin, *type, *byte_order, *layout;
  char    *calibration, *sensitivity, *gain, *adc_range, *full_scale, *start, *heading;
  char    *selection, *bands, *excluded, *subset, **pixels;
  char    *metadata, *wavelengths;
  gboolean separately;
  EsOrigin origin_place;       /* of origin */

  EsOpenOptions options;       /* made of the above by es_batch_open_settle () */
} EsBatchOpen;

#define ES_BATCH_OPEN_ENTRIES 30

/* Appends ES_BATCH_OPEN_ENTRIES entries, the closing one among them, to a table that ends with a closing one. */
void       es_batch_open_add_entries (EsBatchOpen *self, GOptionEntry *entries);
void       es_batch_open_clear       (EsBatchOpen *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsBatchOpen, es_batch_open_clear)
/* FALSE after having said what is wrong with the usage. */
gboolean   es_batch_open_settle      (EsBatchOpen *self);
/* An array of arrays of files: those that are one data set, each. Transfer full. */
GPtrArray *es_batch_open_group       (EsBatchOpen *self, GPtrArray *files);
/* One data set of its file or files, with its --array. Transfer full. */
EsDataset *es_batch_open             (EsBatchOpen *self, GPtrArray *files, GCancellable *cancellable, GError **error);

/* Its calibration (es-batch-calibration.c): whether any is told, and by which option; FALSE after having said what is
 * wrong with the usage; the recording given it. */
gboolean    es_batch_calibration_is_told    (EsBatchOpen *self);
const char *es_batch_calibration_get_option (EsBatchOpen *self);
gboolean    es_batch_calibration_settle     (EsBatchOpen *self);
gboolean    es_batch_calibration_give       (EsBatchOpen *self, EsRecording *recording, GError **error);

/* The same of when it began and where its array points (es-batch-navigation.c). */
gboolean    es_batch_navigation_is_told    (EsBatchOpen *self);
const char *es_batch_navigation_get_option (EsBatchOpen *self);
gboolean    es_batch_navigation_settle     (EsBatchOpen *self);
gboolean    es_batch_navigation_give       (EsBatchOpen *self, EsRecording *recording, GError **error);

/* The same of what takes part of a cube (es-batch-selection.c), and "info" of that: the lines, the member, the check of
 * its bands, which returns an exit status. */
gboolean    es_batch_selection_is_told    (EsBatchOpen *self);
const char *es_batch_selection_get_option (EsBatchOpen *self);
gboolean    es_batch_selection_settle     (EsBatchOpen *self);
gboolean    es_batch_selection_give       (EsBatchOpen *self, EsCube *cube, GCancellable *cancellable, GError **error);
void        es_batch_selection_print      (EsCube *cube);
void        es_batch_selection_add_json   (EsCube *cube, JsonBuilder *builder);
int         es_batch_selection_check_bands (EsCube *cube, gboolean json);

/* "info" of a file that holds several arrays (es-batch-arrays.c): the lines, which are none of one, and the member. */
void       es_batch_arrays_print     (EsDataset *dataset);
void       es_batch_arrays_add_json  (EsDataset *dataset, JsonBuilder *builder);

/* What a cube is told (es-batch-metadata.c): the cube that is made of it, transfer full; and "info" of that. The last
 * is of all that a file says, and returns an exit status. */
gboolean    es_batch_metadata_is_told    (EsBatchOpen *self);
const char *es_batch_metadata_get_option (EsBatchOpen *self);
EsDataset  *es_batch_metadata_give       (EsBatchOpen *self, EsCube *cube, GCancellable *cancellable, GError **error);
void        es_batch_metadata_print      (EsCube *cube);
void        es_batch_metadata_add_json   (EsCube *cube, JsonBuilder *builder);
int         es_batch_metadata_list       (EsDataset *dataset, gboolean json);

/* "info" of a recording (es-batch-recording.c). */
JsonNode  *es_batch_recording_json   (EsRecording *recording);
void       es_batch_recording_print  (EsRecording *recording);

G_END_DECLS
