/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-preferences-window.h"

#include <glib/gi18n-lib.h>

#include "analyse/es-device-group.h"
#include "files/es-recent.h"
#include "widgets/es-settings.h"

struct _EsPreferencesWindow
{
  AdwPreferencesWindow parent_instance;

  /* Template widgets. */
  AdwComboRow         *style_row;
  AdwComboRow         *session_row;
  AdwComboRow         *columns_row;
};

G_DEFINE_FINAL_TYPE (EsPreferencesWindow, es_preferences_window, ADW_TYPE_PREFERENCES_WINDOW)

static const char * const styles[] = { "default", "light", "dark", NULL };
static const char * const columns[] = { "automatic", "one", "two", NULL };
static const char * const starts[] = { "ask", "continue", NULL };

/* data: what the setting may be, in the order of the row. */
static gboolean
text_to_index (GValue *value, GVariant *variant, gpointer data)
{
  const char * const *texts = data;

  for (guint i = 0; texts[i] != NULL; i++)
    if (g_strcmp0 (g_variant_get_string (variant, NULL), texts[i]) == 0)
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
index_to_text (const GValue *value, const GVariantType *type, gpointer data)
{
  const char * const *texts = data;

  return g_variant_new_string (texts[MIN (g_value_get_uint (value), g_strv_length ((char **) texts) - 1)]);
}

static void
bind_choice (const char *key, AdwComboRow *row, const char * const *texts)
{
  g_settings_bind_with_mapping (es_settings_get (), key, row, "selected", G_SETTINGS_BIND_DEFAULT, text_to_index,
                                index_to_text, (gpointer) texts, NULL);
}

static void
say (GtkWidget *widget, const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);

  adw_preferences_window_add_toast (ADW_PREFERENCES_WINDOW (widget), adw_toast_new (escaped));
}

static void
reset_parameters (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_settings_reset (es_settings_get (), "parameters");
  say (widget, _("Parameters are at their defaults"));
}

static void
clear_recent (GtkWidget *widget, const char *action, GVariant *parameter)
{
  es_recent_clear ();
  say (widget, _("List of recent files cleared"));
}

static void
es_preferences_window_class_init (EsPreferencesWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  g_type_ensure (ES_TYPE_DEVICE_GROUP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/eigenscope/Eigenscope/ui/es-preferences-window.ui");
  gtk_widget_class_bind_template_child (widget_class, EsPreferencesWindow, style_row);
  gtk_widget_class_bind_template_child (widget_class, EsPreferencesWindow, session_row);
  gtk_widget_class_bind_template_child (widget_class, EsPreferencesWindow, columns_row);
  gtk_widget_class_install_action (widget_class, "preferences.reset-parameters", NULL, reset_parameters);
  gtk_widget_class_install_action (widget_class, "preferences.clear-recent", NULL, clear_recent);
}

static void
es_preferences_window_init (EsPreferencesWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  bind_choice ("style", self->style_row, styles);
  bind_choice ("session-start", self->session_row, starts);
  bind_choice ("inspector-columns", self->columns_row, columns);
}

GtkWidget *
es_preferences_window_new (GtkWindow *parent)
{
  return g_object_new (ES_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "modal", TRUE, NULL);
}
