/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "lab/es-machine.h"

G_BEGIN_DECLS

/* Of "cpu" or "cuda:0", where no file here is called so. Transfer full. */
EsDataset *es_batch_machine_open  (GPtrArray *files, gboolean *is_one, GError **error);
/* "info" of it. */
void       es_batch_machine_print (EsMachine *machine);
JsonNode  *es_batch_machine_json  (EsMachine *machine);

G_END_DECLS
