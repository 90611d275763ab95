/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-class-target.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "cube/es-cube-classes.h"
#include "es-region-store.h"

static gboolean
is_same_size (EsCube *a, EsCube *b)
{
  return es_cube_get_width (a) == es_cube_get_width (b) && es_cube_get_height (a) == es_cube_get_height (b);
}

/* Open cubes other than classifications. */
static GPtrArray *
list_cubes (EsShell *shell)
{
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (shell));
  GPtrArray *cubes = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      if (ES_IS_CUBE (dataset) && es_cube_get_classes (ES_CUBE (dataset)) == NULL)
        g_ptr_array_add (cubes, g_steal_pointer (&dataset));
    }
  return cubes;
}

static void
refuse (EsShell *shell, EsCube *classification, GPtrArray *cubes)
{
  const char *name = es_dataset_get_name (ES_DATASET (classification));
  GString *sizes = g_string_new (NULL);
  g_autofree char *sentence = NULL;

  for (guint i = 0; i < MIN (cubes->len, 3); i++)
    {
      EsCube *cube = g_ptr_array_index (cubes, i);

      g_string_append_printf (sizes, _("%s“%s” has %llu × %llu"), i > 0 ? ", " : "",
                              es_dataset_get_name (ES_DATASET (cube)), (unsigned long long) es_cube_get_width (cube),
                              (unsigned long long) es_cube_get_height (cube));
    }
  sentence = cubes->len == 0
    ? g_strdup_printf (_("No cube is open to which the classes of “%s” could be added: open one of %llu × %llu "
                         "pixels."),
                       name, (unsigned long long) es_cube_get_width (classification),
                       (unsigned long long) es_cube_get_height (classification))
    : g_strdup_printf (_("“%s” has %llu × %llu pixels, and no open cube has as many: %s."), name,
                       (unsigned long long) es_cube_get_width (classification),
                       (unsigned long long) es_cube_get_height (classification), sizes->str);
  g_string_free (sizes, TRUE);
  es_shell_say (shell, sentence);
}

/* ---- one of several ---- */

static void
on_response (AdwMessageDialog *dialog, const char *response, EsShell *shell)
{
  GPtrArray *cubes = g_object_get_data (G_OBJECT (dialog), "es-cubes");
  GtkDropDown *choice = g_object_get_data (G_OBJECT (dialog), "es-choice");
  const guint place = gtk_drop_down_get_selected (choice);

  if (g_strcmp0 (response, "add") == 0 && place < cubes->len)
    es_region_store_add (shell, es_dataset_get_regions (g_ptr_array_index (cubes, place)),
                         g_object_get_data (G_OBJECT (dialog), "es-classification"));
}

static void
choose (EsShell *shell, EsCube *classification, GPtrArray *cubes)
{
  GtkWidget *dialog = adw_message_dialog_new (es_shell_get_window (shell), _("Add Classes"),
                                              _("To the regions of which cube?"));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GtkWidget *choice;

  for (guint i = 0; i < cubes->len; i++)
    g_ptr_array_add (names, (gpointer) es_dataset_get_name (g_ptr_array_index (cubes, i)));
  g_ptr_array_add (names, NULL);
  choice = gtk_drop_down_new_from_strings ((const char * const *) names->pdata);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Cube"), -1);
  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), choice);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "add", _("_Add"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "add");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_object_set_data_full (G_OBJECT (dialog), "es-cubes", g_ptr_array_ref (cubes), (GDestroyNotify) g_ptr_array_unref);
  g_object_set_data_full (G_OBJECT (dialog), "es-classification", g_object_ref (classification), g_object_unref);
  g_object_set_data (G_OBJECT (dialog), "es-choice", choice);
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), shell, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
es_class_target_choose (EsShell *shell, EsCube *classification)
{
  g_autoptr (GPtrArray) all = NULL, fitting = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (ES_IS_SHELL (shell) && ES_IS_CUBE (classification));

  all = list_cubes (shell);
  for (guint i = 0; i < all->len; i++)
    if (is_same_size (g_ptr_array_index (all, i), classification))
      g_ptr_array_add (fitting, g_object_ref (g_ptr_array_index (all, i)));
  if (fitting->len == 0)
    refuse (shell, classification, all);
  else if (fitting->len == 1)
    es_region_store_add (shell, es_dataset_get_regions (g_ptr_array_index (fitting, 0)), classification);
  else
    choose (shell, classification, fitting);
}
