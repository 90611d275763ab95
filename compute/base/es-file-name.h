/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Names of files that are made of what data say: layers, planes, channels, data sets. Whatever the text, the name is
 * one in the folder it is put into: valid UTF-8, not empty, without slashes and what other systems refuse
 * (\ : * ? " < > |), without control characters and marks that turn the direction of writing, without a dot or dash at
 * its begin or a blank at an end, and so short that endings and companions have room. Transfer full.
 */

/* Without an ending. taken (nullable): the names of a set, of char * that it frees, by es_file_names_new (); the name
 * is put in, with a number behind it where another one of the set reads the same in small letters. */
char       *es_file_name_make  (const char *text, GHashTable *taken);
/* The same of a data set's name, which loses the ending of its own file: "scene" of "scene.img". */
char       *es_file_name_stem  (const char *name, GHashTable *taken);
GHashTable *es_file_names_new  (void);

/* Whether a file that data name can only be one beside them: one part, not hidden. */
gboolean    es_file_name_is_plain (const char *name);

/* A person has named a file that will be of the kind that ends so ("tif"): FALSE where the name ends in what another
 * kind's does; ES_DATA_ERROR_WRITE. An ending that means nothing is anybody's. */
gboolean    es_file_name_fits     (const char *path, const char *ending, GError **error);

G_END_DECLS
