/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-result.h"

G_BEGIN_DECLS

/*
 * The line of commands that makes a composite again: each result is run, and the picture is made of what that wrote.
 * things: of EsDataset (the first one; others where a picture is of several) and EsResult, as the planes number them.
 * arguments: "rgb=2:1,1:12,1:3 cut=0.01", as a shell is to read them. Transfer full. Any thread.
 */
char *es_picture_make_command (GPtrArray *things, const char *arguments);

G_END_DECLS
