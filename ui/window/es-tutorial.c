/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tutorial-steps.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define WIDTH 420
#define HEIGHT 560

struct _EsTutorial
{
  GtkWindow   parent_instance;

  GtkLabel   *title, *todo, *see, *place;
  GtkWidget  *button, *back, *next, *scroller;
  GtkProgressBar *progress;
  GtkToggleButton *paths[ES_TUTORIAL_N_PATHS];
  GtkWindow  *window;          /* weak: this one is transient for it and destroyed with it */
  EsTutorialPath path;
  guint       step[ES_TUTORIAL_N_PATHS];   /* where each path was left */
};

G_DEFINE_FINAL_TYPE (EsTutorial, es_tutorial, GTK_TYPE_WINDOW)

static const EsTutorialStep *
current_step (EsTutorial *self)
{
  guint n;

  return &es_tutorial_get_steps (self->path, &n)[self->step[self->path]];
}

static gboolean
is_last (EsTutorial *self)
{
  return es_tutorial_get_step (self) + 1 == es_tutorial_get_n_steps (self);
}

static void
update_button (EsTutorial *self)
{
  const EsTutorialStep *step = current_step (self);
  gboolean enabled = FALSE;
  gboolean known = step->action != NULL && G_IS_ACTION_GROUP (self->window)
                   && g_action_group_query_action (G_ACTION_GROUP (self->window), step->action, &enabled, NULL, NULL,
                                                   NULL, NULL);

  gtk_widget_set_visible (self->button, known);
  gtk_widget_set_sensitive (self->button, known && enabled);
}

static void
show_step (EsTutorial *self)
{
  const EsTutorialStep *step = current_step (self);
  const guint at = es_tutorial_get_step (self), n = es_tutorial_get_n_steps (self);
  g_autofree char *place = g_strdup_printf (_("%u of %u"), at + 1, n);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  gtk_label_set_label (self->title, _(step->title));
  gtk_label_set_label (self->todo, _(step->todo));
  gtk_label_set_label (self->see, _(step->see));
  gtk_label_set_label (self->place, place);
  gtk_progress_bar_set_fraction (self->progress, (at + 1.0) / n);
  if (step->button != NULL)
    gtk_button_set_label (GTK_BUTTON (self->button), _(step->button));
  gtk_widget_set_sensitive (self->back, at > 0);
  gtk_button_set_label (GTK_BUTTON (self->next), at + 1 < n ? _("_Next") : _("_Close"));
  gtk_toggle_button_set_active (self->paths[self->path], TRUE);
  gtk_adjustment_set_value (adjustment, 0);
  update_button (self);
}

static void
on_button (EsTutorial *self)
{
  const EsTutorialStep *step = current_step (self);

  if (self->window != NULL && step->action != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self->window), step->action,
                                    step->target != NULL ? g_variant_new_string (step->target) : NULL);
}

static void
on_back (EsTutorial *self)
{
  if (es_tutorial_get_step (self) > 0)
    es_tutorial_set_step (self, es_tutorial_get_step (self) - 1);
}

static void
on_next (EsTutorial *self)
{
  if (!is_last (self))
    es_tutorial_set_step (self, es_tutorial_get_step (self) + 1);
  else
    gtk_window_close (GTK_WINDOW (self));
}

static gboolean
on_key (EsTutorial *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_Page_Up:
      on_back (self);
      return TRUE;
    case GDK_KEY_Page_Down:
      if (!is_last (self))
        on_next (self);
      return TRUE;
    case GDK_KEY_Escape:
      gtk_window_close (GTK_WINDOW (self));
      return TRUE;
    default:
      return FALSE;
    }
}

static void
on_path (EsTutorial *self)
{
  for (guint i = 0; i < ES_TUTORIAL_N_PATHS; i++)
    if (gtk_toggle_button_get_active (self->paths[i]) && self->path != i)
      es_tutorial_set_path (self, i);
}

static GtkLabel *
add_text (GtkWidget *box, const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_WORD);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
es_tutorial_dispose (GObject *object)
{
  EsTutorial *self = ES_TUTORIAL (object);

  g_clear_weak_pointer (&self->window);
  G_OBJECT_CLASS (es_tutorial_parent_class)->dispose (object);
}

static void
es_tutorial_class_init (EsTutorialClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_tutorial_dispose;
}

static GtkWidget *
make_foot (EsTutorial *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->back = gtk_button_new_with_mnemonic (_("_Back"));
  self->next = gtk_button_new_with_mnemonic (_("_Next"));
  self->place = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->place), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->place), "numeric");
  gtk_widget_set_hexpand (GTK_WIDGET (self->place), TRUE);
  gtk_widget_add_css_class (self->next, "suggested-action");
  gtk_box_append (GTK_BOX (foot), self->back);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->place));
  gtk_box_append (GTK_BOX (foot), self->next);
  gtk_widget_set_margin_start (foot, 12);
  gtk_widget_set_margin_end (foot, 12);
  gtk_widget_set_margin_top (foot, 9);
  gtk_widget_set_margin_bottom (foot, 9);
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (on_back), self);
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (on_next), self);
  return foot;
}

static GtkWidget *
make_paths (EsTutorial *self)
{
  const char *const names[ES_TUTORIAL_N_PATHS] = { _("Image cubes"), _("Recordings"), _("Adaptive beams") };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_add_css_class (box, "linked");
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  gtk_widget_set_margin_bottom (box, 10);
  for (guint i = 0; i < ES_TUTORIAL_N_PATHS; i++)
    {
      self->paths[i] = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_label (names[i]));
      gtk_toggle_button_set_group (self->paths[i], i > 0 ? self->paths[0] : NULL);
      gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->paths[i]));
    }
  gtk_toggle_button_set_active (self->paths[ES_TUTORIAL_CUBE], TRUE);
  for (guint i = 0; i < ES_TUTORIAL_N_PATHS; i++)
    g_signal_connect_swapped (self->paths[i], "toggled", G_CALLBACK (on_path), self);
  return box;
}

static void
es_tutorial_init (EsTutorial *self)
{
  GtkWidget *all = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_window_set_title (GTK_WINDOW (self), _("Tutorial"));
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  gtk_window_set_titlebar (GTK_WINDOW (self), adw_header_bar_new ());
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);

  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->progress), "osd");
  gtk_box_append (GTK_BOX (all), GTK_WIDGET (self->progress));

  gtk_widget_set_margin_start (page, 18);
  gtk_widget_set_margin_end (page, 18);
  gtk_widget_set_margin_top (page, 18);
  gtk_widget_set_margin_bottom (page, 18);
  gtk_box_append (GTK_BOX (page), make_paths (self));
  self->title = add_text (page, NULL, "title-2");
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->title), 6);
  add_text (page, _("Do"), "heading");
  self->todo = add_text (page, NULL, NULL);
  self->button = gtk_button_new ();
  gtk_widget_add_css_class (self->button, "pill");
  gtk_widget_set_halign (self->button, GTK_ALIGN_START);
  gtk_widget_set_margin_top (self->button, 6);
  gtk_widget_set_margin_bottom (self->button, 6);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (on_button), self);
  gtk_box_append (GTK_BOX (page), self->button);
  add_text (page, _("See"), "heading");
  self->see = add_text (page, NULL, NULL);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), page);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (all), self->scroller);
  gtk_box_append (GTK_BOX (all), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (all), make_foot (self));
  gtk_window_set_child (GTK_WINDOW (self), all);
  gtk_window_set_focus (GTK_WINDOW (self), self->next);
}

static EsTutorial *
find_tutorial (GtkWindow *window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_TUTORIAL (at->data) && gtk_window_get_transient_for (at->data) == window)
      return at->data;
  return NULL;
}

/* What the window shows is what its person wants to be led through. */
static EsTutorialPath
find_path (GtkWindow *window)
{
  g_autoptr (GVariant) live = NULL;

  if (!G_IS_ACTION_GROUP (window)
      || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), "describe-array"))
    return ES_TUTORIAL_CUBE;
  live = g_action_group_get_action_state (G_ACTION_GROUP (window), "live");
  return live != NULL && g_strcmp0 (g_variant_get_string (live, NULL), "mvdr") == 0 ? ES_TUTORIAL_ADAPTIVE
                                                                                    : ES_TUTORIAL_RECORDING;
}

void
es_tutorial_present (GtkWindow *window)
{
  EsTutorial *self = find_tutorial (window);

  g_return_if_fail (GTK_IS_WINDOW (window));

  if (self == NULL)
    {
      self = g_object_new (ES_TYPE_TUTORIAL, "transient-for", window, "destroy-with-parent", TRUE,
                           "hide-on-close", TRUE, NULL);
      g_set_weak_pointer (&self->window, window);
      if (G_IS_ACTION_GROUP (window))
        {
          g_signal_connect_object (window, "action-enabled-changed", G_CALLBACK (update_button), self,
                                   G_CONNECT_SWAPPED);
          g_signal_connect_object (window, "action-added", G_CALLBACK (update_button), self, G_CONNECT_SWAPPED);
        }
      es_tutorial_set_path (self, find_path (window));
    }
  gtk_window_present (GTK_WINDOW (self));
}

EsTutorialPath
es_tutorial_get_path (EsTutorial *self)
{
  g_return_val_if_fail (ES_IS_TUTORIAL (self), ES_TUTORIAL_CUBE);
  return self->path;
}

void
es_tutorial_set_path (EsTutorial *self, EsTutorialPath path)
{
  g_return_if_fail (ES_IS_TUTORIAL (self) && path < ES_TUTORIAL_N_PATHS);
  self->path = path;
  show_step (self);
}

guint
es_tutorial_get_n_steps (EsTutorial *self)
{
  guint n;

  g_return_val_if_fail (ES_IS_TUTORIAL (self), 0);
  es_tutorial_get_steps (self->path, &n);
  return n;
}

guint
es_tutorial_get_step (EsTutorial *self)
{
  g_return_val_if_fail (ES_IS_TUTORIAL (self), 0);
  return self->step[self->path];
}

void
es_tutorial_set_step (EsTutorial *self, guint step)
{
  g_return_if_fail (ES_IS_TUTORIAL (self) && step < es_tutorial_get_n_steps (self));
  self->step[self->path] = step;
  show_step (self);
}
