/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tutorial.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#define WIDTH 420
#define HEIGHT 560

typedef struct
{
  const char *title;           /* N_() */
  const char *todo;            /* N_(): what to click */
  const char *see;             /* N_(): what to see, and what it means */
  const char *action;          /* of the window, without "win."; NULL: nothing can do it for the person */
  const char *target;          /* string of the action; nullable */
  const char *button;          /* N_() */
} Step;

static const Step steps[] = {
  { N_("One reduction, from opening to judging"),
    N_("Put this window beside the other one and follow it page by page. Every page says what to do and what to "
       "look at; a button, where there is one, does it for you. Nothing is changed on your disk before you save."),
    N_("A hyperspectral cube has hundreds of bands that are nearly alike. A reduction finds a few pictures that "
       "say the same: components. You will make them in three ways and judge which are worth keeping."),
    NULL, NULL, NULL },
  { N_("Open a scene"),
    N_("Press “Open…” and choose a cube, or take the simulated scene."),
    N_("The scene appears in the middle, its name under Data on the left. The simulated one comes with the truth: "
       "how much of each of five materials is in every pixel."),
    "simulate", NULL, N_("Simulate a Scene") },
  { N_("Look at the data"),
    N_("Click some pixels of the picture. Turn the wheel to zoom, drag to pan."),
    N_("The Spectrum section on the right shows the pixel: a curve over the wavelengths, with gaps where a band is "
       "bad. Vegetation rises steeply at 700 nm, water is dark beyond it. The status line says where the pointer "
       "is."),
    NULL, NULL, NULL },
  { N_("Principal components"),
    N_("Under Analyse on the left choose “Principal components” and press “Run”."),
    N_("The result appears under the data, with one picture a component in the strip below. The first ones carry "
       "most of the variance; the share is under each. Later ones look more and more like noise, but not in strict "
       "order."),
    "run-operation", "pca", N_("Run PCA") },
  { N_("How many to keep"),
    N_("In the Eigenvalues section drag the line up and down, or set “Variance kept” on the left."),
    N_("The bars are the eigenvalues, on a logarithmic scale; the curve is the share that the first ones have "
       "together. The line says how many are kept. Where the bars turn into a flat tail there is little but noise."),
    NULL, NULL, NULL },
  { N_("Minimum noise fraction"),
    N_("Choose “Minimum noise fraction” and press “Run”. How the noise is estimated is the first parameter; "
       "differences of neighbouring pixels are a good beginning. In a picture with an even area you may draw a "
       "region there and let its pixels tell."),
    N_("Components now come by signal to noise instead of variance: an eigenvalue less one is the signal-to-noise "
       "ratio. Bright but noisy bands no longer come first, and stripes move back. Eigenvalues near 1 are noise "
       "alone."),
    "run-operation", "mnf", N_("Run MNF") },
  { N_("Independent components"),
    N_("Choose “Independent components” (FastICA) and press “Run”. Watch the picture while it computes."),
    N_("Each component is made as far from a normal distribution as possible: materials that occur here and not "
       "there come out one by one. If a component has not converged, a warning says which; the convergence curve "
       "shows how it went. Try another contrast, or more steps."),
    "run-operation", "fastica", N_("Run FastICA") },
  { N_("What is lost"),
    N_("Select one of the results and look at the Reconstruction section on the right. Drag the threshold again."),
    N_("From the components kept, the spectra are computed back. The errors are what was dropped: small and even "
       "over the picture is good; a shape that you recognise in the error maps or in the residual means that "
       "something real is missing. The curve shows which bands suffer."),
    NULL, NULL, NULL },
  { N_("Judge each component"),
    N_("In the Components section read the figures of each, and switch one off."),
    N_("Coherence near 1 is a smooth picture, near 0 it is noise. A large kurtosis means few, outstanding pixels. "
       "With a component off, the reconstruction follows: the error shows what that component alone stood for."),
    NULL, NULL, NULL },
  { N_("Two components at once"),
    N_("In the Scatter Plot section choose two components, and draw a loop around a cloud of points with the "
       "pointer."),
    N_("The pixels of these points light up in the picture, and a region drawn in the picture lights up its "
       "points. Keep it under a name: its mean spectrum joins the spectrum plot, to be compared with that of other "
       "classes."),
    NULL, NULL, NULL },
  { N_("Side by side"),
    N_("Turn on comparing in the header bar, and choose what is left and right. Swipe, blink, or take the "
       "difference."),
    N_("Both pictures move together, so that the same pixel is under the pointer. Independent components are often "
       "sharper than principal ones: look at the same place in both."),
    "compare", NULL, N_("Compare") },
  { N_("Against the truth"),
    N_("Open “Correlate…” from the menu and choose two results, or a result and the true abundances."),
    N_("Each cell is the correlation of one component with another; the frame shows the best matching pairs. With "
       "the truth of a simulated scene it says plainly which component found which material. A scene simulated "
       "with independent sources is one in which FastICA finds all of them."),
    "correlate", NULL, N_("Correlate…") },
  { N_("Which device is faster"),
    N_("Open “Compare Devices…” from the menu and press “Run”."),
    N_("The same work on one thread, on all of them and on each graphics card, step by step. A step that does not "
       "get shorter limits all that do. The second page shows what has been published, with the hardware of its "
       "day."),
    "compare-devices", NULL, N_("Compare Devices…") },
  { N_("Keep it"),
    N_("Choose “Report…” under Save."),
    N_("One page for your notebook: the pictures, the figures, the parameters, and the command line that does it "
       "all again. That was one reduction from opening to judging; the next one can be of your own data."),
    "save-report", NULL, N_("Save a Report…") },
};

struct _EsTutorial
{
  GtkWindow   parent_instance;

  GtkLabel   *title, *todo, *see, *place;
  GtkWidget  *button, *back, *next, *scroller;
  GtkProgressBar *progress;
  GtkWindow  *window;          /* weak: this one is transient for it and destroyed with it */
  guint       step;
};

G_DEFINE_FINAL_TYPE (EsTutorial, es_tutorial, GTK_TYPE_WINDOW)

static void
update_button (EsTutorial *self)
{
  const Step *step = &steps[self->step];
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
  const Step *step = &steps[self->step];
  const guint n = G_N_ELEMENTS (steps);
  g_autofree char *place = g_strdup_printf (_("%u of %u"), self->step + 1, n);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));

  gtk_label_set_label (self->title, _(step->title));
  gtk_label_set_label (self->todo, _(step->todo));
  gtk_label_set_label (self->see, _(step->see));
  gtk_label_set_label (self->place, place);
  gtk_progress_bar_set_fraction (self->progress, (self->step + 1.0) / n);
  if (step->button != NULL)
    gtk_button_set_label (GTK_BUTTON (self->button), _(step->button));
  gtk_widget_set_sensitive (self->back, self->step > 0);
  gtk_button_set_label (GTK_BUTTON (self->next), self->step + 1 < n ? _("_Next") : _("_Close"));
  gtk_adjustment_set_value (adjustment, 0);
  update_button (self);
}

static void
on_button (EsTutorial *self)
{
  const Step *step = &steps[self->step];

  if (self->window != NULL && step->action != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self->window), step->action,
                                    step->target != NULL ? g_variant_new_string (step->target) : NULL);
}

static void
on_back (EsTutorial *self)
{
  if (self->step > 0)
    es_tutorial_set_step (self, self->step - 1);
}

static void
on_next (EsTutorial *self)
{
  if (self->step + 1 < G_N_ELEMENTS (steps))
    es_tutorial_set_step (self, self->step + 1);
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
      if (self->step + 1 < G_N_ELEMENTS (steps))
        on_next (self);
      return TRUE;
    case GDK_KEY_Escape:
      gtk_window_close (GTK_WINDOW (self));
      return TRUE;
    default:
      return FALSE;
    }
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
      show_step (self);
    }
  gtk_window_present (GTK_WINDOW (self));
}

guint
es_tutorial_get_n_steps (EsTutorial *self)
{
  return G_N_ELEMENTS (steps);
}

guint
es_tutorial_get_step (EsTutorial *self)
{
  g_return_val_if_fail (ES_IS_TUTORIAL (self), 0);
  return self->step;
}

void
es_tutorial_set_step (EsTutorial *self, guint step)
{
  g_return_if_fail (ES_IS_TUTORIAL (self) && step < G_N_ELEMENTS (steps));
  self->step = step;
  show_step (self);
}
