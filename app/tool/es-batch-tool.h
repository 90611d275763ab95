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
/* Prints "eigenscope-batch: <file>: <sentence>" to stderr, which goes on; without the file where it is NULL (there is
 * only one), or where the sentence names it. */
void es_batch_warn (const char *file, const char *sentence);
/* Columns below each other: the first to the left, numbers to the right, units in the headings, marks in brackets. */
void es_batch_print_table (EsTable *table, const char *indent);
/* How many columns of a terminal a text takes: two a character of Chinese. */
guint es_batch_count_columns (const char *text);
/* The text, and blanks behind it as far as so many columns. Transfer full. */
char *es_batch_pad (const char *text, guint width);
/* Prints a JSON tree to stdout. Transfer full of the node. */
void es_batch_print_json (JsonNode *root);

/* Takes the options of a verb from argv, leaving the rest. FALSE after having printed what is wrong. */
gboolean es_batch_parse_options (GOptionEntry *entries, const char *summary, int *argc, char ***argv);
/* The same before they are taken, as a text, without those of `but` (long names, NULL at the end): "--output=out
 * --subset=0,0,20,20". Transfer full. */
char *es_batch_list_options (const GOptionEntry *entries, const char *const *but, int argc, char **argv);

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
/* Until it is taken back (NULL): a signal of those that queues send (SIGTERM, SIGUSR1) does not cancel work, but calls
 * this, which stops it or cancels it. Any thread. */
typedef void (*EsBatchStop) (gpointer data, GCancellable *cancellable);
void     es_batch_on_stop (EsBatchStop stop, gpointer data);
/* Everything that is printed goes through here from the beginning to the end: without what would control a terminal.
 * The end closes standard output: the status, or ES_EXIT_DATA and a sentence where something could not be written; a
 * pipe that nobody reads is no failure. */
void     es_batch_output_begin  (void);
/* From here on nothing is printed: another process of the same run does so. */
void     es_batch_be_silent     (void);
/* It is again: each process has something of its own to say. Progress is the first one's. */
void     es_batch_be_heard      (void);
/* Also where standard error is no terminal: a line each. */
void     es_batch_always_show_progress (void);
/* What stands before each progress that is shown; NULL: nothing. */
void     es_batch_show_progress_of (const char *what);
int      es_batch_output_end    (int status);
void     es_batch_show_progress (const char *stage, double fraction, gboolean end);

G_END_DECLS
