/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-chooser.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "widgets/es-latest.h"
#include "widgets/es-settings.h"

#define AUTOMATIC "auto"
#define RENEWED_SECONDS 2

struct _EsDeviceChooser
{
  GtkBox             parent_instance;

  GtkDropDown       *choice;
  GtkLabel          *detail;

  GListStore        *choices;        /* "auto" as a GtkStringObject, then EsDevice */
  EsDeviceChoice    *wish;           /* NULL at first */
  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
  EsLatest          *latest;
  EsOutlook         *outlook;        /* the newest; nullable */
  guint              timer;
  guint              position;       /* that is known to be selected */
  gboolean           filling;
};

G_DEFINE_FINAL_TYPE (EsDeviceChooser, es_device_chooser, GTK_TYPE_BOX)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static EsDevice *
get_device (EsDeviceChooser *self)
{
  return self->wish != NULL ? es_device_choice_get_device (self->wish) : NULL;
}

/* ---- the outlook, on a worker ---- */

typedef struct
{
  EsDevice          *wanted;
  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_clear_object (&question->dataset);
  g_clear_object (&question->params);
  g_free (question);
}

static gpointer
make_outlook (gpointer data, GCancellable *cancellable, GError **error)
{
  Question *question = data;

  return es_outlook_new (question->wanted, question->operation, question->dataset, question->params);
}

static void
outlook_free (gpointer data)
{
  es_outlook_free (data);
}

static void
show_outlook (gpointer request, gpointer answer, const GError *error, gpointer data)
{
  EsDeviceChooser *self = ES_DEVICE_CHOOSER (data);
  const Question *question = request;
  EsOutlook *outlook = answer;

  /* Another device or other data meanwhile: the next answer is under way. */
  if (question->wanted != get_device (self) || question->operation != self->operation
      || question->dataset != self->dataset)
    return;

  g_clear_pointer (&self->outlook, es_outlook_free);
  self->outlook = g_new0 (EsOutlook, 1);
  *self->outlook = *outlook;
  /* The answer's texts are this one's now. */
  outlook->reason = outlook->detail = NULL;
  if (g_strcmp0 (gtk_label_get_label (self->detail), self->outlook->detail) != 0)
    gtk_label_set_label (self->detail, self->outlook->detail);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
ask (EsDeviceChooser *self)
{
  Question *question = g_new0 (Question, 1);

  question->wanted = get_device (self);
  if (self->operation != NULL)
    {
      question->operation = self->operation;
      question->dataset = g_object_ref (self->dataset);
      question->params = es_params_copy (self->params);
    }
  es_latest_submit (self->latest, question);
}

static gboolean
on_timer (gpointer data)
{
  EsDeviceChooser *self = data;

  if (!es_latest_is_busy (self->latest))
    ask (self);
  return G_SOURCE_CONTINUE;
}

static void
start_timer (EsDeviceChooser *self)
{
  if (self->timer == 0)
    self->timer = g_timeout_add_seconds (RENEWED_SECONDS, on_timer, self);
  on_timer (self);
}

static void
stop_timer (EsDeviceChooser *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
}

/* ---- the list ---- */

static const char *
id_of (GObject *item)
{
  return ES_IS_DEVICE (item) ? es_device_get_id (ES_DEVICE (item)) : AUTOMATIC;
}

static void
show_choice (EsDeviceChooser *self)
{
  EsDevice *device = get_device (self);
  g_autofree char *name = device != NULL ? es_outlook_name_device (device) : NULL;

  g_clear_pointer (&self->outlook, es_outlook_free);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->choice), name);
  /* Until the answer is there. */
  if (*gtk_label_get_label (self->detail) == '\0' && es_devices_why_no_gpu () != NULL)
    gtk_label_set_label (self->detail, es_devices_why_no_gpu ());
  g_signal_emit (self, signals[CHANGED], 0);
  ask (self);
}

/* The one that is wanted, where it is here and works; else automatic. */
static void
select_wanted (EsDeviceChooser *self)
{
  GListModel *choices = G_LIST_MODEL (self->choices);
  EsDevice *device = get_device (self);
  guint selected = 0;

  for (guint i = 0; i < g_list_model_get_n_items (choices); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (choices, i);

      if (item == (GObject *) device)
        selected = i;
    }
  self->position = selected;
  self->filling = TRUE;
  gtk_drop_down_set_selected (self->choice, selected);
  self->filling = FALSE;
  show_choice (self);
}

static void
fill (EsDeviceChooser *self)
{
  GListModel *devices = es_devices_get ();
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (items, gtk_string_object_new (AUTOMATIC));
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    g_ptr_array_add (items, g_list_model_get_item (devices, i));
  self->filling = TRUE;
  g_list_store_splice (self->choices, 0, g_list_model_get_n_items (G_LIST_MODEL (self->choices)), items->pdata,
                       items->len);
  self->filling = FALSE;
  select_wanted (self);
}

static void
on_devices_changed (EsDeviceChooser *self)
{
  GListModel *devices = es_devices_get ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      g_signal_handlers_disconnect_by_func (device, fill, self);
      g_signal_connect_object (device, "notify::lost", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
    }
  fill (self);
}

static void
on_selected (EsDeviceChooser *self)
{
  GObject *item = gtk_drop_down_get_selected_item (self->choice);

  /* Told once more, after it has been put back. */
  if (self->filling || item == NULL || gtk_drop_down_get_selected (self->choice) == self->position)
    return;
  if (ES_IS_DEVICE (item) && es_device_is_lost (ES_DEVICE (item)))
    {
      select_wanted (self);
      return;
    }
  self->position = gtk_drop_down_get_selected (self->choice);
  g_settings_set_string (es_settings_get (), "device", id_of (item));
  es_device_choice_want (self->wish, id_of (item));
}

/* ---- its rows ---- */

static void
setup_item (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  /* Cut where the column is narrow. */
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  gtk_list_item_set_child (item, label);
}

static void
bind_item (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GObject *item = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);
  gboolean lost = ES_IS_DEVICE (item) && es_device_is_lost (ES_DEVICE (item));
  g_autofree char *name = ES_IS_DEVICE (item) ? es_outlook_name_device (ES_DEVICE (item)) : g_strdup (_("Automatic"));
  /* TRANSLATORS: a device that has failed and is not used any more */
  g_autofree char *text = lost ? g_strdup_printf (_("%s (lost)"), name) : g_strdup (name);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_sensitive (label, !lost);
  gtk_list_item_set_activatable (list_item, !lost);
}

static void
es_device_chooser_dispose (GObject *object)
{
  EsDeviceChooser *self = ES_DEVICE_CHOOSER (object);

  stop_timer (self);
  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  g_clear_object (&self->choices);
  g_clear_object (&self->dataset);
  g_clear_object (&self->params);
  g_clear_pointer (&self->outlook, es_outlook_free);
  g_clear_object (&self->wish);
  G_OBJECT_CLASS (es_device_chooser_parent_class)->dispose (object);
}

static void
es_device_chooser_class_init (EsDeviceChooserClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_device_chooser_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_device_chooser_init (EsDeviceChooser *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 4);
  self->choices = g_list_store_new (G_TYPE_OBJECT);
  self->latest = es_latest_new (make_outlook, question_free, outlook_free, show_outlook, self);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_item), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_item), NULL);
  self->choice = GTK_DROP_DOWN (gtk_drop_down_new (g_object_ref (G_LIST_MODEL (self->choices)), NULL));
  gtk_drop_down_set_factory (self->choice, factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Device"), -1);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->choice));

  self->detail = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->detail, 0);
  gtk_label_set_wrap (self->detail, TRUE);
  gtk_label_set_wrap_mode (self->detail, PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "numeric");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->detail));

  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (on_selected), self);
  g_signal_connect (self, "map", G_CALLBACK (start_timer), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (stop_timer), NULL);
}

GtkWidget *
es_device_chooser_new (void)
{
  return g_object_new (ES_TYPE_DEVICE_CHOOSER, NULL);
}

void
es_device_chooser_set_choice (EsDeviceChooser *self, EsDeviceChoice *wish)
{
  g_autofree char *id = g_settings_get_string (es_settings_get (), "device");

  g_return_if_fail (ES_IS_DEVICE_CHOOSER (self) && self->wish == NULL);
  g_return_if_fail (ES_IS_DEVICE_CHOICE (wish));

  self->wish = g_object_ref (wish);
  es_device_choice_want (wish, id);
  g_signal_connect_object (wish, "changed", G_CALLBACK (select_wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (on_devices_changed), self,
                           G_CONNECT_SWAPPED);
  on_devices_changed (self);
}

void
es_device_chooser_set_question (EsDeviceChooser *self, const EsOperation *operation, EsDataset *dataset,
                                EsParams *params)
{
  gboolean other;

  g_return_if_fail (ES_IS_DEVICE_CHOOSER (self));
  g_return_if_fail (operation == NULL || (ES_IS_DATASET (dataset) && ES_IS_PARAMS (params)));

  other = self->operation != operation || self->dataset != dataset;
  self->operation = operation;
  if (operation == NULL)
    {
      dataset = NULL;
      params = NULL;
    }
  g_set_object (&self->dataset, dataset);
  g_set_object (&self->params, params);
  if (other)
    g_clear_pointer (&self->outlook, es_outlook_free);
  ask (self);
}

const EsOutlook *
es_device_chooser_get_outlook (EsDeviceChooser *self)
{
  g_return_val_if_fail (ES_IS_DEVICE_CHOOSER (self), NULL);
  return self->outlook;
}

const char *
es_device_chooser_get_detail (EsDeviceChooser *self)
{
  g_return_val_if_fail (ES_IS_DEVICE_CHOOSER (self), NULL);
  return gtk_label_get_label (self->detail);
}

gboolean
es_device_chooser_is_busy (EsDeviceChooser *self)
{
  g_return_val_if_fail (ES_IS_DEVICE_CHOOSER (self), FALSE);
  return es_latest_is_busy (self->latest);
}
