/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-look-choosers.h"
#include "widgets/es-colormap-drop-down.h"
#include "widgets/es-wheel.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Both are plain drop-downs tied to a display; a type of its own would add nothing. */

static const double cuts[] = { 0, 0.005, 0.01, 0.02, 0.05 };
static const double deviations[] = { 1, 2, 3 };
#define N_ENDS (G_N_ELEMENTS (cuts) + G_N_ELEMENTS (deviations))

static gboolean
is_updating (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "es-updating") != NULL;
}

static void
select_quietly (GtkDropDown *drop_down, guint position)
{
  g_object_set_data (G_OBJECT (drop_down), "es-updating", GINT_TO_POINTER (TRUE));
  gtk_drop_down_set_selected (drop_down, position);
  g_object_set_data (G_OBJECT (drop_down), "es-updating", NULL);
}

/* ---- cut ---- */

static void
on_cut_selected (GtkDropDown *drop_down, GParamSpec *pspec, EsDisplay *display)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (is_updating (GTK_WIDGET (drop_down)) || selected >= N_ENDS)
    return;
  if (selected < G_N_ELEMENTS (cuts))
    es_display_set_cut (display, cuts[selected]);
  else
    es_display_set_deviations (display, deviations[selected - G_N_ELEMENTS (cuts)]);
}

/* What was set by hand is none of the cuts: then that is what is selected, and each of them can be chosen. */
static void
update_cut (GtkDropDown *drop_down, EsDisplay *display)
{
  GtkStringList *titles = GTK_STRING_LIST (gtk_drop_down_get_model (drop_down));
  /* TRANSLATORS: in the list of how much of the histogram is cut off: its limits were dragged or typed */
  const char *const by_hand[] = { _("by hand"), NULL };
  double cut = es_display_get_cut (display);
  guint nearest = 0, n = g_list_model_get_n_items (G_LIST_MODEL (titles));
  gboolean hand = es_display_is_stretched_by_hand (display);

  for (guint i = 1; i < G_N_ELEMENTS (cuts); i++)
    if (fabs (cuts[i] - cut) < fabs (cuts[nearest] - cut))
      nearest = i;
  for (guint i = 0; i < G_N_ELEMENTS (deviations); i++)
    if (deviations[i] == es_display_get_deviations (display))
      nearest = G_N_ELEMENTS (cuts) + i;
  if (hand && n == N_ENDS)
    gtk_string_list_splice (titles, n, 0, by_hand);
  select_quietly (drop_down, hand ? N_ENDS : nearest);
  if (!hand && n > N_ENDS)
    gtk_string_list_remove (titles, N_ENDS);
}

GtkWidget *
es_cut_chooser_new (EsDisplay *display)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  const char *name = _("Cut off at both ends of the histogram, or standard deviations either way of the mean");
  GtkWidget *drop_down;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    gtk_string_list_take (titles, g_strdup_printf (_("%g %%"), cuts[i] * 100));
  for (guint i = 0; i < G_N_ELEMENTS (deviations); i++)
    gtk_string_list_take (titles, g_strdup_printf ("%g σ", deviations[i]));

  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  gtk_widget_set_tooltip_text (drop_down, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  update_cut (GTK_DROP_DOWN (drop_down), display);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_cut_selected), display, 0);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "stretched", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  return drop_down;
}

/* ---- how values are spread, and which ---- */

/* One of a few titles; `get` and `set` are the display's. */
typedef struct
{
  guint (*get) (EsDisplay *display);
  void  (*set) (EsDisplay *display, guint value);
} Choice;

static guint
get_curve (EsDisplay *display)
{
  return es_display_get_curve (display);
}

static void
set_curve (EsDisplay *display, guint curve)
{
  es_display_set_curve (display, curve);
}

static guint
get_basis (EsDisplay *display)
{
  return es_display_get_basis (display);
}

static void
set_basis (EsDisplay *display, guint basis)
{
  es_display_set_basis (display, basis);
}

static const Choice of_curve = { get_curve, set_curve }, of_basis = { get_basis, set_basis };

static void
on_choice_selected (GtkDropDown *drop_down, GParamSpec *pspec, EsDisplay *display)
{
  const Choice *choice = g_object_get_data (G_OBJECT (drop_down), "es-choice");

  if (!is_updating (GTK_WIDGET (drop_down)))
    choice->set (display, gtk_drop_down_get_selected (drop_down));
}

static void
update_choice (GtkDropDown *drop_down, EsDisplay *display)
{
  const Choice *choice = g_object_get_data (G_OBJECT (drop_down), "es-choice");

  select_quietly (drop_down, choice->get (display));
}

static GtkWidget *
choice_new (EsDisplay *display, const Choice *choice, const char *const *titles, const char *name)
{
  GtkWidget *drop_down = gtk_drop_down_new_from_strings (titles);

  g_object_set_data (G_OBJECT (drop_down), "es-choice", (gpointer) choice);
  gtk_widget_set_tooltip_text (drop_down, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  update_choice (GTK_DROP_DOWN (drop_down), display);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_choice_selected), display, 0);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update_choice), drop_down, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (update_choice), drop_down, G_CONNECT_SWAPPED);
  return drop_down;
}

GtkWidget *
es_curve_chooser_new (EsDisplay *display)
{
  const char *titles[ES_N_STRETCHES + 1] = { NULL };

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  for (guint i = 0; i < ES_N_STRETCHES; i++)
    titles[i] = g_dgettext (GETTEXT_PACKAGE, es_stretch_title (i));
  return choice_new (display, &of_curve, titles, _("How values are spread between the two ends"));
}

GtkWidget *
es_basis_chooser_new (EsDisplay *display)
{
  /* TRANSLATORS: of which pixels the stretch of a picture is */
  const char *const titles[] = { C_("stretch", "Whole image"), C_("stretch", "What is in view"),
                                 C_("stretch", "Selection"), NULL };

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  return choice_new (display, &of_basis, titles, _("Which pixels the stretch is worked out from"));
}

/* ---- colour map ---- */

static void
on_colormap_selected (GtkDropDown *drop_down, GParamSpec *pspec, EsDisplay *display)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (!is_updating (GTK_WIDGET (drop_down)) && selected < ES_N_COLORMAPS)
    es_display_set_colormap (display, selected);
}

static void
update_colormap (GtkDropDown *drop_down, EsDisplay *display)
{
  EsColormap colormap = es_display_get_colormap (display);
  g_autofree char *name = g_strdup_printf (_("Colour map: %s"), g_dgettext (GETTEXT_PACKAGE,
                                                                            es_colormap_title (colormap)));

  select_quietly (drop_down, colormap);
  es_set_tooltip (GTK_WIDGET (drop_down), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

GtkWidget *
es_colormap_chooser_new (EsDisplay *display)
{
  GtkWidget *drop_down;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  drop_down = es_colormap_drop_down_new ();
  update_colormap (GTK_DROP_DOWN (drop_down), display);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_colormap_selected), display, 0);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update_colormap), drop_down,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (update_colormap), drop_down,
                           G_CONNECT_SWAPPED);
  return drop_down;
}
