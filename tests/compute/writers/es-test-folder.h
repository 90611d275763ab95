/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"

G_BEGIN_DECLS

/* An empty folder, and its removal with all that is in it. */
char    *es_test_folder_make   (void);
void     es_test_folder_remove (char *folder);
typedef char EsTestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestFolder, es_test_folder_remove)

/* Names of all files in it, hidden ones too, sorted and joined by blanks. Transfer full. */
char    *es_test_folder_list   (const char *folder);
GFile   *es_test_file          (const char *folder, const char *name);
/* The whole of a file that has to be there. Transfer full. */
char    *es_test_read          (const char *folder, const char *name, gsize *length);
void     es_test_write_text    (const char *folder, const char *name, const char *text);
void     es_test_assert_text   (const char *folder, const char *name, const char *expected);

/* A cube in memory (float32, three bands) with a georeference. */
EsCube  *es_test_cube_new      (guint64 width, guint64 height, const double *transform,
                                const char *projection);
/* Limits how large a file this process may write; G_MAXUINT64 takes the limit away. */
void     es_test_limit_files   (guint64 bytes);

/* settings: "key=value", NULL at the end. */
void es_test_simulate_cube (const char *folder, const char *name, ...);

void es_test_assert_unchanged (const char *folder, const char *expected);

G_END_DECLS
