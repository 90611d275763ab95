/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-result.h"

G_BEGIN_DECLS

/* For operations, inside run (). The job fills in provenance when run () returns. */
EsResult *es_result_new          (const EsOperation *operation, EsDataset *dataset, EsParams *params);
/* For the session, before the result is published: another object of the same file. */
void      es_result_set_dataset  (EsResult *self, EsDataset *dataset);
void      es_result_set_title    (EsResult *self, const char *title);
/* All of it has been written or read. Any thread. */
void      es_result_set_saved    (EsResult *self);
/* Nothing of it is there but what would find it again. Before it is published. */
void      es_result_set_absent   (EsResult *self);
/* The member "parameters" of result.json, into an object that is being built. */
void      es_result_add_parameters (EsResult *self, JsonBuilder *builder);
void      es_result_add_layer    (EsResult *self, EsLayer *layer);                    /* transfer none */
void      es_result_add_warning  (EsResult *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void      es_result_set_run      (EsResult *self, EsDevice *device, guint threads, GArray *stages, double total_ms);
/* The device was chosen by es_device_choose () for this reason. */
void      es_result_set_choice   (EsResult *self, const char *reason);
/* For a result that is loaded: a device that is perhaps not here. */
void      es_result_set_device_text (EsResult *self, const char *id, const char *name);
void      es_result_set_values   (EsResult *self, JsonObject *values);                /* transfer full */
/* What took part of its cube, as its values tell it ("selection", null: everything); FALSE: that cannot be read. */
gboolean  es_result_load_selection (EsResult *self, JsonNode *node, GError **error);
/* What a later run of the same operation on the same data may use again (sums, eigenvectors): the operation's own. */
/* Saved in result.json ("model") and there again when it is loaded. Takes it. */
void      es_result_set_model    (EsResult *self, EsLinearModel *model);
void      es_result_set_state    (EsResult *self, gpointer state, GDestroyNotify destroy);
gpointer  es_result_get_state    (EsResult *self);
/* EsJudgement: kept here for the session, which makes it; lives as long as the result. Main context. */
void      es_result_take_judgement (EsResult *self, GObject *judgement);              /* transfer full */
GObject  *es_result_get_judgement  (EsResult *self);                                  /* nullable */
/* " --width 4 --height 3 threshold=0.9": what a command line needs beside the file to do the same again. */
void      es_result_append_source (GString *line, EsDataset *dataset, EsParams *params);

G_END_DECLS
