/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-group.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-latest.h"
#include "es-outlook.h"
#include "resident/es-resident.h"
#include "widgets/es-settings.h"
#include "widgets/es-ui.h"

#define RENEWED_SECONDS 2

struct _EsDeviceGroup
{
  AdwPreferencesGroup parent_instance;

  /* Template widgets. */
  AdwPreferencesRow  *none_row;
  AdwComboRow        *fallback_row;
  AdwActionRow       *memory_row;
  GtkSpinButton      *memory;
  AdwActionRow       *free_row;
  GtkWidget          *free;

  GPtrArray          *rows;          /* borrowed AdwActionRow, one a device of the list */
  EsLatest           *latest;
  guint               timer;
};

G_DEFINE_FINAL_TYPE (EsDeviceGroup, es_device_group, ADW_TYPE_PREFERENCES_GROUP)

static const char * const fallbacks[] = { "ask", "always", "never" };

/* ---- how the devices are, told by a worker ---- */

typedef struct
{
  gboolean   free_memory;          /* first gives the GPUs' memory back */
  GPtrArray *devices;
} Question;

typedef struct
{
  GPtrArray *texts;
  guint64    bytes;
  guint      cubes;
} Answer;

static void
question_free (gpointer data)
{
  g_ptr_array_unref (((Question *) data)->devices);
  g_free (data);
}

static void
answer_free (gpointer data)
{
  g_ptr_array_unref (((Answer *) data)->texts);
  g_free (data);
}

static char *
describe (EsDevice *device)
{
  g_autofree char *text = es_outlook_describe_device (device, NULL);
  EsDeviceStatus status;

  if (!es_device_get_status (device, &status) || status.driver <= 0)
    return g_steal_pointer (&text);
  return g_strdup_printf (_("%s\nDriver for CUDA %d.%d"), text, status.driver / 1000, status.driver % 1000 / 10);
}

static gpointer
answer (gpointer data, GCancellable *cancellable, GError **error)
{
  Question *question = data;
  Answer *made = g_new0 (Answer, 1);

  es_outlook_enter ();
  made->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < question->devices->len; i++)
    {
      EsDevice *device = g_ptr_array_index (question->devices, i);
      guint64 bytes = 0;
      guint cubes = 0;

      if (es_device_get_kind (device) == ES_DEVICE_GPU && question->free_memory)
        es_resident_clear (device);
      if (es_device_get_kind (device) == ES_DEVICE_GPU)
        es_resident_get_statistics (device, &bytes, &cubes);
      made->bytes += bytes;
      made->cubes += cubes;
      g_ptr_array_add (made->texts, describe (device));
    }
  es_outlook_leave ();
  return made;
}

static void
show_answer (gpointer request, gpointer data, const GError *error, gpointer user_data)
{
  EsDeviceGroup *self = ES_DEVICE_GROUP (user_data);
  const Answer *given = data;
  g_autofree char *bytes = es_ui_format_bytes (given->bytes);
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < MIN (given->texts->len, self->rows->len); i++)
    adw_action_row_set_subtitle (g_ptr_array_index (self->rows, i), g_ptr_array_index (given->texts, i));
  if (given->cubes > 0)
    sentence = g_strdup_printf (ngettext ("%u cube is kept for the next run: %s.",
                                          "%u cubes are kept for the next run: %s.", given->cubes),
                                given->cubes, bytes);
  adw_action_row_set_subtitle (self->free_row, sentence != NULL ? sentence : _("None is kept."));
  gtk_widget_set_sensitive (self->free, given->cubes > 0);
}

static void
ask (EsDeviceGroup *self, gboolean free_memory)
{
  GListModel *devices = es_devices_get ();
  Question *question = g_new0 (Question, 1);

  question->free_memory = free_memory;
  question->devices = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    g_ptr_array_add (question->devices, g_list_model_get_item (devices, i));
  es_latest_submit (self->latest, question);
}

static gboolean
on_timer (gpointer data)
{
  EsDeviceGroup *self = data;

  if (!es_latest_is_busy (self->latest))
    ask (self, FALSE);
  return G_SOURCE_CONTINUE;
}

static void
start_timer (EsDeviceGroup *self)
{
  if (self->timer == 0)
    self->timer = g_timeout_add_seconds (RENEWED_SECONDS, on_timer, self);
}

static void
stop_timer (EsDeviceGroup *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
}

static void
free_memory (GtkWidget *widget, const char *action, GVariant *parameter)
{
  EsDeviceGroup *self = ES_DEVICE_GROUP (widget);

  gtk_widget_set_sensitive (self->free, FALSE);
  ask (self, TRUE);
}

/* ---- the rows ---- */

static void
fill (EsDeviceGroup *self)
{
  GListModel *devices = es_devices_get ();
  const char *why = es_devices_why_no_gpu ();
  gboolean any_gpu = g_list_model_get_n_items (devices) > 1;
  GtkWidget *rows[] = { GTK_WIDGET (self->fallback_row), GTK_WIDGET (self->memory_row), GTK_WIDGET (self->free_row) };

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  /* The devices first. */
  g_object_ref (self->none_row);
  adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->none_row));
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_object_ref (rows[i]);
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), rows[i]);
    }
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
      g_autofree char *name = es_outlook_name_device (device);
      GtkWidget *row = adw_action_row_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
      adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
      g_ptr_array_add (self->rows, row);
    }
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (self->none_row));
  g_object_unref (self->none_row);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), rows[i]);
      gtk_widget_set_visible (rows[i], any_gpu);
      g_object_unref (rows[i]);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->none_row), !any_gpu);
  /* What a driver or a path says is no markup. */
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (self->none_row), FALSE);
  if (why != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self->none_row), why);
  ask (self, FALSE);
}

static gboolean
fallback_to_index (GValue *value, GVariant *variant, gpointer data)
{
  for (guint i = 0; i < G_N_ELEMENTS (fallbacks); i++)
    if (g_strcmp0 (g_variant_get_string (variant, NULL), fallbacks[i]) == 0)
      g_value_set_uint (value, i);
  return TRUE;
}

static GVariant *
index_to_fallback (const GValue *value, const GVariantType *type, gpointer data)
{
  return g_variant_new_string (fallbacks[MIN (g_value_get_uint (value), G_N_ELEMENTS (fallbacks) - 1)]);
}

/* Gigabytes; 0 in words. */
static gboolean
show_memory (GtkSpinButton *spin)
{
  double value = gtk_spin_button_get_value (spin);
  g_autofree char *text = value > 0 ? g_strdup_printf (_("%g GB"), value) : g_strdup (_("Automatic"));

  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (spin)), text) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  return TRUE;
}

static int
read_memory (GtkSpinButton *spin, double *value)
{
  *value = g_strtod (gtk_editable_get_text (GTK_EDITABLE (spin)), NULL);
  return TRUE;
}

static void
es_device_group_dispose (GObject *object)
{
  EsDeviceGroup *self = ES_DEVICE_GROUP (object);

  stop_timer (self);
  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (es_device_group_parent_class)->dispose (object);
}

static void
es_device_group_class_init (EsDeviceGroupClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_device_group_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-device-group.ui");
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, none_row);
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, fallback_row);
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, memory_row);
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, memory);
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, free_row);
  gtk_widget_class_bind_template_child (widget_class, EsDeviceGroup, free);
  gtk_widget_class_install_action (widget_class, "devices.free-memory", NULL, free_memory);
}

static void
es_device_group_init (EsDeviceGroup *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_ptr_array_new ();
  self->latest = es_latest_new (answer, question_free, answer_free, show_answer, self);

  g_settings_bind_with_mapping (es_settings_get (), "gpu-fallback", self->fallback_row, "selected",
                                G_SETTINGS_BIND_DEFAULT, fallback_to_index, index_to_fallback, NULL, NULL);
  g_signal_connect (self->memory, "output", G_CALLBACK (show_memory), NULL);
  g_signal_connect (self->memory, "input", G_CALLBACK (read_memory), NULL);
  g_settings_bind (es_settings_get (), "gpu-memory", self->memory, "value", G_SETTINGS_BIND_DEFAULT);
  show_memory (self->memory);

  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (start_timer), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (stop_timer), NULL);
  fill (self);
}
