/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * A device as a data set: what the experiments of the laboratory work on. Its identity is of the device's name, driver
 * and memory, so that a result knows when another card sits in the same place. It has no file; "cuda:0" opens it.
 */
#define ES_TYPE_MACHINE (es_machine_get_type ())
G_DECLARE_FINAL_TYPE (EsMachine, es_machine, ES, MACHINE, EsDataset)

/* Whether this is how a device is named: "cpu", "cuda:0". Whether there is such a one is another matter. */
gboolean    es_machine_is_name     (const char *name);
/* ES_COMPUTE_ERROR_DEVICE: there is none, with those there are. Waits for the search for cards. Transfer full. */
EsMachine  *es_machine_open        (const char *id, GError **error);
/* One that a saved result tells of: as it was, whether or not it is here. object: "machine" of result.json's input.
 * NULL: it is none. Transfer full. */
EsDataset  *es_machine_restore     (JsonObject *object);

const char *es_machine_get_id      (EsMachine *self);    /* "cuda:0" */
/* It can be measured: it is the device that is here under that id, with that name and nearly as much memory. */
gboolean    es_machine_is_here     (EsMachine *self);
/* What it says of itself, as titles and texts for people, translated; of a card that was not measured yet what is known
 * without starting it. Transfer full, of alternating title and text, NULL-terminated. */
char      **es_machine_list_facts  (EsMachine *self);

G_END_DECLS
