/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The nearest folder above a new one that is there already. Transfer full. */
char *es_batch_folder_above  (const char *directory);
/* Removes a new folder and those below `existing` that were made to hold it, as far as they are empty. */
void  es_batch_folder_remove (const char *directory, const char *existing);
