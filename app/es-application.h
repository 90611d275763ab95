/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* The desktop program: one window, files from the command line and the desktop, actions "app.*", accelerators. */
#define ES_TYPE_APPLICATION (es_application_get_type ())
G_DECLARE_FINAL_TYPE (EsApplication, es_application, ES, APPLICATION, AdwApplication)

EsApplication *es_application_new        (void);
/* What the program ends with where its run has returned 0. */
int            es_application_get_status (EsApplication *self);

G_END_DECLS
