/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-verdict-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "es-lab-cards.h"
#include "es-lab-text.h"
#include "widgets/es-format.h"

static GtkWidget *
make_label (const char *text, const char *class)
{
  GtkWidget *label = es_lab_label_new (text, class);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
make_numbers (const EsVerdictNumber *numbers, guint n)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 18);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = es_format_value (numbers[i].value, numbers[i].unit);
      GtkWidget *title = make_label (numbers[i].title, "dim-label"), *value = make_label (text, "numeric");

      gtk_label_set_xalign (GTK_LABEL (value), 1);
      gtk_label_set_wrap (GTK_LABEL (value), FALSE);
      gtk_grid_attach (GTK_GRID (grid), title, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), value, 1, (int) i, 1, 1);
    }
  return grid;
}

/* What the sentence rests on; NULL: nothing is told of that. */
static GtkWidget *
make_grounds (EsVerdict *verdict, guint i)
{
  guint n = 0;
  const EsVerdictNumber *numbers = es_verdict_get_numbers (verdict, i, &n);
  const char *rule = es_verdict_get_rule (verdict, i);
  GtkWidget *expander, *box;

  if (n == 0 && rule == NULL)
    return NULL;
  expander = gtk_expander_new (_("Numbers and rule"));
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_start (box, 18);
  if (n > 0)
    gtk_box_append (GTK_BOX (box), make_numbers (numbers, n));
  if (rule != NULL)
    {
      g_autofree char *sentence = g_strdup_printf (_("Rule: %s"), rule);

      gtk_box_append (GTK_BOX (box), make_label (sentence, "caption"));
    }
  gtk_expander_set_child (GTK_EXPANDER (expander), box);
  gtk_widget_add_css_class (expander, "es-grounds");
  return expander;
}

static GtkWidget *
make_sentence (EsVerdict *verdict, guint i)
{
  const EsVerdictState state = es_verdict_get_state (verdict, i);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *icon = gtk_image_new_from_icon_name (es_lab_state_icon (state)), *grounds = make_grounds (verdict, i);
  GtkWidget *label = make_label (es_verdict_get_sentence (verdict, i), NULL);

  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_set_margin_top (icon, 2);
  gtk_widget_set_tooltip_text (icon, es_lab_state_word (state));
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL, es_lab_state_word (state), -1);
  if (es_lab_state_class (state) != NULL)
    gtk_widget_add_css_class (icon, es_lab_state_class (state));
  gtk_widget_set_hexpand (box, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  if (grounds != NULL)
    gtk_box_append (GTK_BOX (box), grounds);
  gtk_box_append (GTK_BOX (row), icon);
  gtk_box_append (GTK_BOX (row), box);
  return row;
}

GtkWidget *
es_verdict_view_new (EsVerdict *verdict, gboolean meaning)
{
  GtkWidget *box = NULL;

  g_return_val_if_fail (ES_IS_VERDICT (verdict), NULL);

  for (guint i = 0; i < es_verdict_get_n (verdict); i++)
    {
      if (es_verdict_is_meaning (verdict, i) != meaning)
        continue;
      if (box == NULL)
        {
          box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
          gtk_widget_add_css_class (box, "es-verdict");
        }
      gtk_box_append (GTK_BOX (box), make_sentence (verdict, i));
    }
  return box;
}
