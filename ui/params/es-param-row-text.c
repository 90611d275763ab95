/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rows of texts: an entry that says what is wrong while it is typed. */

#include "es-param-row-private.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "base/es-text-show.h"

static void
on_text_changed (EsParamRow *self)
{
  if (!self->syncing)
    es_params_set_text (self->params, self->spec->key, gtk_editable_get_text (GTK_EDITABLE (self->control)));
}

/* What is typed may be wrong while it is being typed: said where it stands, and by nothing that has to be closed. */
static void
show_fault (EsParamRow *self)
{
  const char *text = es_params_get_text (self->params, self->spec->key);
  g_autoptr (GError) error = NULL;
  gboolean good = self->spec->check == NULL || *text == '\0' || self->spec->check (text, &error);
  g_autofree char *shown = good ? NULL : es_text_show_lines (error->message);

  gtk_label_set_label (GTK_LABEL (self->fault), good ? "" : shown);
  gtk_widget_set_visible (self->fault, !good);
  if (good)
    gtk_widget_remove_css_class (self->control, "error");
  else
    gtk_widget_add_css_class (self->control, "error");
}

/* Nothing stands for the default, which has a text; it comes back when the cursor has left. */
static gboolean
is_being_cleared (EsParamRow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->control))[0] == '\0'
         && (gtk_widget_get_state_flags (self->control) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

gboolean
es_param_row_is_long (const EsParamSpec *spec)
{
  return spec->type == ES_PARAM_TEXT && spec->default_text != NULL && strlen (spec->default_text) > 12;
}

static void
on_text_left (EsParamRow *self)
{
  self->syncing = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->control), es_params_get_text (self->params, self->spec->key));
  self->syncing = FALSE;
}

GtkWidget *
es_param_row_make_text (EsParamRow *self)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), es_param_row_is_long (self->spec) ? -1 : 14);
  gtk_widget_set_hexpand (entry, es_param_row_is_long (self->spec));
  if (self->spec->zero_label != NULL)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _(self->spec->zero_label));
  else if (self->spec->default_text != NULL)
    gtk_entry_set_placeholder_text (GTK_ENTRY (entry), self->spec->default_text);
  g_signal_connect_swapped (entry, "changed", G_CALLBACK (on_text_changed), self);
  g_signal_connect_swapped (focus, "leave", G_CALLBACK (on_text_left), self);
  gtk_widget_add_controller (entry, focus);
  return entry;
}

void
es_param_row_show_text (EsParamRow *self)
{
  const char *text = es_params_get_text (self->params, self->spec->key);

  /* Setting the same text again would move the cursor of the person who types it; and who clears it is about to write
   * another. */
  if (!is_being_cleared (self) && strcmp (gtk_editable_get_text (GTK_EDITABLE (self->control)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (self->control), text);
  show_fault (self);
}
