/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-scene.h"

extern char *es_test_jobs_directory;
extern EsTestScene es_test_jobs_scene;

EsDataset *es_test_jobs_open_scene      (void);
void       es_test_jobs_assert_warnings (EsResult *result, guint n, const char *last_has);
gboolean   es_test_jobs_has_stage       (EsResult *result, const char *name);
