/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-shell.h"

#define ES_TEST_RATE 2000

GFile     *es_test_file_in       (const char *folder, const char *name);
/* A few elements, a few seconds: a source at 60 degrees and its array beside it. */
GFile     *es_test_recording     (const char *name, double seconds);
void       es_test_wait_idle     (EsWindow *window);
EsWindow  *es_test_window_of     (GFile **files, guint n);
EsDataset *es_test_first_dataset (EsWindow *window);
guint      es_test_n_datasets    (EsWindow *window);
gboolean   es_test_has_rows      (gpointer player);
