/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A line across the view about what stays true of what is shown ("wavelengths are not monotonic"). It can be dismissed,
 * and stays so until the text changes. */
#define ES_TYPE_BANNER (es_banner_get_type ())
G_DECLARE_FINAL_TYPE (EsBanner, es_banner, ES, BANNER, GtkWidget)

/* NULL or "": goes away. */
void        es_banner_set_text (EsBanner *self, const char *text);
/* What stands behind a button of the banner; NULL: nothing. */
void        es_banner_set_details (EsBanner *self, const char *details);
/* What was dismissed was not meant to be. */
void        es_banner_show_again (EsBanner *self);
/* A button of its own. */
void        es_banner_set_action (EsBanner *self, const char *label, const char *action, GVariant *target);
/* What happens as well where it is dismissed. */
void        es_banner_set_dismiss_action (EsBanner *self, const char *action, GVariant *target);
/* NULL while it is not shown. */
const char *es_banner_get_text (EsBanner *self);

G_END_DECLS
