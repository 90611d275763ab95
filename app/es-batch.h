/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"

G_BEGIN_DECLS

/* Exit statuses: a contract (DESIGN section 7). */
enum
{
  ES_EXIT_DONE = 0,
  ES_EXIT_USAGE = 2,
  ES_EXIT_DATA = 3,
  ES_EXIT_DEVICE = 4,
  ES_EXIT_CANCELLED = 5,
};

/* Prints "eigenscope-batch: <sentence>" to stderr and returns the status for this error. */
int es_batch_fail  (const GError *error);
/* The same for wrong usage, with a pointer to --help. */
int es_batch_usage (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Columns below each other: the first to the left, numbers to the right, units in the headings, marks in brackets. */
void es_batch_print_table (EsTable *table, const char *indent);
/* Prints a JSON tree to stdout. Transfer full of the node. */
void es_batch_print_json (JsonNode *root);

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

/* Takes the options of a verb from argv, leaving the rest. FALSE after having printed what is wrong. */
gboolean es_batch_parse_options (GOptionEntry *entries, const char *summary, int *argc, char ***argv);

/* "256M", "1.5 GB", "2GiB": bytes. Units are powers of 1024. */
gboolean es_batch_parse_size (const char *text, guint64 *bytes);
/* Of the form key=value, and no file of that name is there. */
gboolean es_batch_is_parameter (const char *argument);
gboolean es_batch_parse_parameter (EsParams *params, const char *argument, GError **error);
/* A path or a URI. Transfer full. */
GFile *es_batch_file (const char *argument);

/* From here on SIGINT, SIGTERM and SIGHUP cancel es_batch_work (), also one that has not begun; another one ends the
 * program at once. For verbs that write files: first of all. FALSE after having printed what is wrong. */
gboolean es_batch_catch_signals (void);
/* From here on none of them changes anything: it is done. */
void     es_batch_ignore_signals (void);
/* Runs `work` on a thread while the main loop waits for it and for signals. progress (0..1) is shown on stderr where
 * that is a terminal. */
typedef gboolean (*EsBatchWork) (gpointer data, GCancellable *cancellable, GError **error);
gboolean es_batch_work  (EsBatchWork work, gpointer data, GError **error);
/* Pictures of fields get axes from now on, where this build can draw them. */
void     es_batch_use_figures   (void);
/* Everything that is printed goes through here from the beginning to the end: without what would control a terminal.
 * The end closes standard output: the status, or ES_EXIT_DATA and a sentence where something could not be written; a
 * pipe that nobody reads is no failure. */
void     es_batch_output_begin  (void);
int      es_batch_output_end    (int status);
void     es_batch_show_progress (const char *stage, double fraction, gboolean end);

G_END_DECLS
