/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tool/es-batch-tool.h"

G_BEGIN_DECLS

/* The verbs: argv[0] is the verb itself. */
int es_batch_operations (int argc, char **argv);
int es_batch_devices    (int argc, char **argv);
int es_batch_info       (int argc, char **argv);
int es_batch_shapes     (int argc, char **argv);
int es_batch_run        (int argc, char **argv);
int es_batch_simulate   (int argc, char **argv);
int es_batch_compare    (int argc, char **argv);
int es_batch_plan       (int argc, char **argv);
int es_batch_published  (int argc, char **argv);
int es_batch_spectra    (int argc, char **argv);
int es_batch_match      (int argc, char **argv);
int es_batch_composite  (int argc, char **argv);
int es_batch_profile    (int argc, char **argv);
int es_batch_characterise (int argc, char **argv);
int es_batch_bench      (int argc, char **argv);

/* "info" of a saved result. */
int es_batch_result_info (GFile *file, gboolean json);

/* Pictures of fields get axes from now on, where this build can draw them. */
void     es_batch_use_figures   (void);

G_END_DECLS
