/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dataset/es-dataset.h"
#include "device/es-device.h"
#include "layer/es-table.h"
#include "es-linear-model.h"
#include "base/es-params.h"
#include "selection/es-selection.h"
#include "es-stage-time.h"

G_BEGIN_DECLS

typedef struct _EsOperation EsOperation;

/*
 * What a job found: typed layers, values, and the provenance that lets it be repeated. Immutable once published, but
 * for the name that a person gives it.
 */
#define ES_TYPE_RESULT (es_result_get_type ())
G_DECLARE_FINAL_TYPE (EsResult, es_result, ES, RESULT, GObject)

const EsOperation *es_result_get_operation (EsResult *self);
EsDataset         *es_result_get_dataset   (EsResult *self);
EsParams          *es_result_get_params    (EsResult *self);      /* as run; do not change */
/* NULL where a loaded result was computed by a device that is not here; its id and name are known all the same. */
EsDevice          *es_result_get_device    (EsResult *self);
const char        *es_result_get_device_id (EsResult *self);      /* "cuda:0"; nullable */
const char        *es_result_get_device_name (EsResult *self);    /* nullable */
/* Why this device ("expected 0.1 s, 1.9 s on the CPU"), translated; NULL where it was chosen by hand. */
const char        *es_result_get_device_reason (EsResult *self);
gboolean           es_result_is_device_automatic (EsResult *self);
guint              es_result_get_threads   (EsResult *self);
/* "PCA 5 of 218": for the tree; what a person has called it instead, where they have. Any thread. */
const char        *es_result_get_title     (EsResult *self);
/* Without that name; and it alone (nullable). Property "title" (read only) is notified when the name is set, in the
 * main context: NULL or "" takes it back. */
const char        *es_result_get_found_title (EsResult *self);
const char        *es_result_get_name      (EsResult *self);
void               es_result_set_name      (EsResult *self, const char *name);
/* Of a session whose results were not kept: it has no layers and no values, and has to be run again. */
gboolean           es_result_is_absent     (EsResult *self);
/* GListModel of EsLayer, in the order to be shown. */
GListModel        *es_result_get_layers    (EsResult *self);
EsLayer           *es_result_find_layer    (EsResult *self, const char *name);       /* borrowed, nullable */
const EsStageTime *es_result_get_stages    (EsResult *self, guint *n);
double             es_result_get_total_ms  (EsResult *self);
/* The steps with time and share, where they were judged with what binds them, and the total at the end, as a layer: the
 * panel and the CSV writer show it. Transfer full. */
EsTable           *es_result_make_step_table (EsResult *self);
/* What is to be said of the steps, each with its title: "Covariance: 1.9 times its bound, ...", translated; NULL:
 * nobody judged them. Transfer full. */
char             **es_result_list_advice   (EsResult *self);
/* The linear model behind the components; NULL where there is none. Borrowed. */
const EsLinearModel *es_result_get_model   (EsResult *self);
/* "values" of result.json; borrowed, never NULL. */
JsonObject        *es_result_get_values    (EsResult *self);
/* What took part of its cube; NULL: everything. Transfer full. */
EsSelection       *es_result_dup_selection (EsResult *self);
/* Sentences a person should read ("100 pixels for 425 bands: ..."), translated; nullable. */
const char * const *es_result_get_warnings (EsResult *self);
/* The whole of result.json but "layers", which the writer adds. Transfer full. */
JsonNode          *es_result_to_json       (EsResult *self);
/* Every layer of it is in a folder: es_write_result () has written it, or it was read from one. Any thread. */
gboolean           es_result_is_saved      (EsResult *self);
/* The eigenscope-batch line that repeats it. Transfer full. */
char              *es_result_to_command    (EsResult *self);

G_END_DECLS
