/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The controls of a picture: the list of bands, the cut, the strip; and what is copied. */

#include <math.h>

#include "es-test-views.h"
#include "analyse/es-operation-list.h"
#include "bar/es-band-chooser.h"
#include "image/es-look-choosers.h"
#include "layer/es-layer-internal.h"
#include "widgets/es-settings.h"
#include "widgets/es-popovers.h"
#include "widgets/es-wheel.h"

#define BANDS 300

static void
spin (guint frames)
{
  for (guint i = 0; i < frames; i++)
    {
      g_usleep (4000);
      while (g_main_context_pending (NULL))
        g_main_context_iteration (NULL, FALSE);
    }
}

static EsPlaneSource *
make_source (guint64 width, guint64 height, guint planes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsImageStack) stack = es_image_stack_new ("stack", "Stack", width, height, planes, G_MAXUINT64, NULL,
                                                       &error);
  g_autofree float *values = g_new (float, width * height * planes);

  for (guint64 i = 0; i < width * height * planes; i++)
    values[i] = i % width < 2 ? NAN : i % 2 ? 1 : -1;
  g_assert_true (es_image_stack_write (stack, 0, 0, width, height, values, width * height, &error));
  for (guint i = 0; i < planes; i++)
    {
      g_autofree char *title = g_strdup_printf ("band-%u", i + 1);

      es_image_stack_set_plane (stack, i, title, NAN);
    }
  return es_plane_source_new_for_stack (stack);
}

/* ---- the list of bands ---- */

/* Each row that is on the screen says the number of its title; how many there are, and whether one is `wanted`. */
static guint
check_rows (GtkWidget *list, guint wanted, gboolean *found)
{
  guint n = 0;

  *found = FALSE;
  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);
      graphene_rect_t bounds;
      const char *title, *number;

      if (row == NULL || !gtk_widget_get_mapped (item) || !gtk_widget_compute_bounds (item, list, &bounds)
          || bounds.origin.y + bounds.size.height <= 0 || bounds.origin.y >= gtk_widget_get_height (list))
        continue;
      title = gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (row)));
      number = gtk_label_get_text (GTK_LABEL (gtk_widget_get_last_child (row)));
      g_assert_true (g_str_has_prefix (title, "band-"));
      g_assert_cmpstr (title + strlen ("band-"), ==, number);
      *found = *found || atoi (number) == (int) wanted;
      n++;
    }
  return n;
}

static GtkWidget *
popover_of (GtkWidget *chooser)
{
  return GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (es_views_find (chooser, GTK_TYPE_MENU_BUTTON))));
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_band_list (void)
{
  g_autoptr (EsPlaneSource) source = make_source (4, 4, BANDS), other = make_source (4, 4, BANDS / 2);
  GtkWidget *window = gtk_window_new (), *chooser = es_band_chooser_new ("R", "Red"), *list, *scroller, *popover;
  GtkAdjustment *adjustment;
  gboolean found, waited = FALSE;

  gtk_window_set_default_size (GTK_WINDOW (window), 500, 500);
  gtk_window_set_child (GTK_WINDOW (window), chooser);
  gtk_window_present (GTK_WINDOW (window));
  es_band_chooser_set_source (ES_BAND_CHOOSER (chooser), source);
  es_band_chooser_set_plane (ES_BAND_CHOOSER (chooser), 0);
  spin (20);

  /* Full when it is first opened. */
  popover = popover_of (chooser);
  gtk_menu_button_popup (GTK_MENU_BUTTON (es_views_find (chooser, GTK_TYPE_MENU_BUTTON)));
  spin (60);
  g_assert_true (gtk_widget_get_mapped (popover));
  list = es_views_find (popover, GTK_TYPE_LIST_VIEW);
  scroller = es_views_find (popover, GTK_TYPE_SCROLLED_WINDOW);
  g_assert_cmpuint (check_rows (list, 1, &found), >, 4);
  g_assert_true (found);
  es_views_screenshot (window, "band-list");

  /* Rows that are used again say what they show. */
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  for (guint i = 0; i < 12; i++)
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment) * ((i * 5) % 12) / 12);
      spin (8);
      g_assert_cmpuint (check_rows (list, 1, &found), >, 4);
    }

  /* The entry has the keys: its Esc is the popover's. */
  g_signal_emit_by_name (es_views_find (popover, GTK_TYPE_SEARCH_ENTRY), "stop-search");
  spin (60);
  g_assert_false (gtk_widget_get_mapped (popover));

  /* Opened again it shows the band that is shown, also of another source. */
  es_band_chooser_set_plane (ES_BAND_CHOOSER (chooser), 200);
  gtk_menu_button_popup (GTK_MENU_BUTTON (es_views_find (chooser, GTK_TYPE_MENU_BUTTON)));
  spin (60);
  g_assert_cmpuint (check_rows (list, 201, &found), >, 4);
  g_assert_true (found);
  g_signal_emit_by_name (es_views_find (popover, GTK_TYPE_SEARCH_ENTRY), "stop-search");
  spin (60);
  es_band_chooser_set_plane (ES_BAND_CHOOSER (chooser), 100);
  es_band_chooser_set_source (ES_BAND_CHOOSER (chooser), other);
  gtk_menu_button_popup (GTK_MENU_BUTTON (es_views_find (chooser, GTK_TYPE_MENU_BUTTON)));
  spin (60);
  g_assert_cmpuint (check_rows (list, 101, &found), >, 4);
  g_assert_true (found);
  /* The pointer may be over it: what GTK waits for before it shows a tooltip must not come when the window is gone. */
  g_timeout_add (700, set_true, &waited);
  while (!waited)
    g_main_context_iteration (NULL, TRUE);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- the cut ---- */

static const char *
text_of (GtkDropDown *drop_down)
{
  return gtk_string_object_get_string (gtk_drop_down_get_selected_item (drop_down));
}

static void
test_cut (void)
{
  g_autoptr (EsPlaneSource) source = make_source (8, 8, 3);
  g_autoptr (EsDisplay) display = es_display_new ();
  GtkWidget *chooser;
  GtkDropDown *cut;
  double low, high;

  es_display_set_source (display, source, NULL);
  es_display_set_plane (display, 1);
  chooser = g_object_ref_sink (es_cut_chooser_new (display));
  cut = GTK_DROP_DOWN (chooser);
  g_assert_cmpstr (text_of (cut), ==, "2 %");
  es_display_set_stretch (display, 1, -0.5, 0.5);
  g_assert_cmpstr (text_of (cut), ==, "by hand");
  /* Another plane has its own. */
  es_display_set_plane (display, 2);
  g_assert_cmpstr (text_of (cut), ==, "2 %");
  es_display_set_plane (display, 1);
  g_assert_cmpstr (text_of (cut), ==, "by hand");
  /* 2 % as before: it applies again. */
  gtk_drop_down_set_selected (cut, 3);
  g_assert_cmpstr (text_of (cut), ==, "2 %");
  g_assert_false (es_display_get_stretch (display, 1, &low, &high));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (cut)), ==, 8);
  gtk_drop_down_set_selected (cut, 6);
  g_assert_cmpstr (text_of (cut), ==, "2 σ");
  g_assert_cmpfloat (es_display_get_deviations (display), ==, 2);
  gtk_drop_down_set_selected (cut, 0);
  g_assert_cmpfloat (es_display_get_cut (display), ==, 0);
  g_assert_cmpfloat (es_display_get_deviations (display), ==, 0);
  g_object_unref (chooser);
}

/* ---- pictures of large planes ---- */

static void
test_means (void)
{
  g_autoptr (EsPlaneSource) source = make_source (402, 100, 2);
  guint step = es_plane_source_get_step_for (source, 84);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = es_plane_source_read (source, 1, step, NULL, &error);
  const float *values = g_bytes_get_data (bytes, NULL);
  guint columns = (402 + step - 1) / step;

  g_assert_no_error (error);
  g_assert_cmpuint (step, >, 2);
  /* -1 and 1 by turns: every n-th would be all of the one, or noise. */
  for (guint i = 0; i < g_bytes_get_size (bytes) / sizeof (float); i++)
    if (i % columns != 0)
      g_assert_cmpfloat (fabs (values[i]), <=, 0.5);
}

/* ---- what is copied ---- */

static void
test_copy (Fixture *fixture, gconstpointer data)
{
  EsPicture *picture = es_image_view_get_picture (es_views_image_of (fixture));
  const guint width = 20, height = 16;
  float values[20 * 16];
  g_autofree guint32 *pixels = g_new (guint32, width * height);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  GdkContentProvider *content;

  es_views_show_cube (fixture);
  for (guint i = 0; i < width * height; i++)
    values[i] = i % width < 10 ? NAN : (float) i;
  bytes = g_bytes_new (values, sizeof values);
  es_picture_set_planes (picture, 1, &bytes, width, height, 1, width, height);
  es_views_activate (fixture, "view.copy");
  content = gdk_clipboard_get_content (gtk_widget_get_clipboard (fixture->window));
  g_assert_nonnull (content);
  g_value_init (&value, GDK_TYPE_TEXTURE);
  g_assert_true (gdk_content_provider_get_value (content, &value, NULL));
  texture = g_value_dup_object (&value);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, height);
  gdk_texture_download (texture, (guchar *) pixels, 4 * width);
  /* Missing pixels are see-through, all others are not. */
  for (guint i = 0; i < width * height; i++)
    g_assert_cmpuint (pixels[i] >> 24, ==, i % width < 10 ? 0 : 255);
}

/* ---- the wheel ---- */

/* The newest controller comes first; what GTK itself does behind it wants an event. */
static gboolean
turn_wheel (GtkWidget *scroller, double by)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (scroller);
  g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, 0);
  gboolean taken = FALSE;

  g_assert_true (GTK_IS_EVENT_CONTROLLER_SCROLL (controller));
  g_assert_cmpint (gtk_event_controller_get_propagation_phase (controller), ==, GTK_PHASE_CAPTURE);
  g_signal_emit_by_name (controller, "scroll", 0., by, &taken);
  return taken;
}

/* A list in a column keeps the wheel while it has somewhere to go, and hands it on at its ends. */
static void
test_wheel (void)
{
  GtkWidget *window = gtk_window_new (), *column = gtk_scrolled_window_new (), *list = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *long_one = gtk_label_new (NULL);
  GtkAdjustment *inner, *outer;

  gtk_widget_set_size_request (long_one, 50, 600);
  gtk_widget_set_size_request (list, 100, 200);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (list), long_one);
  gtk_widget_set_size_request (box, 100, 900);
  gtk_box_append (GTK_BOX (box), list);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (column), box);
  gtk_window_set_child (GTK_WINDOW (window), column);
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 300);
  es_hand_on_wheel (list);
  gtk_window_present (GTK_WINDOW (window));
  spin (20);
  inner = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (list));
  outer = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (column));
  g_assert_cmpfloat (gtk_adjustment_get_upper (inner), >, gtk_adjustment_get_page_size (inner));

  g_assert_false (turn_wheel (list, 1));
  gtk_adjustment_set_value (inner, 100);
  g_assert_false (turn_wheel (list, -1));
  g_assert_cmpfloat (gtk_adjustment_get_value (outer), ==, 0);
  gtk_adjustment_set_value (inner, gtk_adjustment_get_upper (inner));
  g_assert_true (turn_wheel (list, 1));
  g_assert_cmpfloat (gtk_adjustment_get_value (outer), >, 0);
  g_assert_false (turn_wheel (list, -1));
  gtk_adjustment_set_value (inner, 0);
  g_assert_true (turn_wheel (list, -1));
  g_assert_cmpfloat (gtk_adjustment_get_value (outer), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkIconPaintable *
find_icon (const char *name, int size)
{
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());

  return gtk_icon_theme_lookup_icon (theme, name, NULL, size, 1, GTK_TEXT_DIR_LTR, 0);
}

/* An icon that nobody shows any more, and that GTK has had no room for among those it used last, is there still: a
 * thread that loads it could finalize it while it is looked up. */
static void
test_icons (void)
{
  GtkIconPaintable *icon = find_icon ("media-playback-start-symbolic", 16);
  gpointer weak = icon;

  g_object_add_weak_pointer (G_OBJECT (icon), &weak);
  g_object_unref (icon);
  for (int size = 1; size <= 120; size++)
    g_object_unref (find_icon ("media-playback-pause-symbolic", size));
  g_assert_nonnull (weak);
  icon = find_icon ("media-playback-start-symbolic", 16);
  g_assert_true (icon == weak);
  g_object_unref (icon);
  g_object_remove_weak_pointer (G_OBJECT (icon), &weak);
}

/* ---- lists that are open ---- */

static gboolean
has_tooltip (GtkWidget *widget)
{
  g_autoptr (GObject) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;

  g_signal_emit_by_name (widget, "query-tooltip", 2, 2, FALSE, tooltip, &shown);
  return shown;
}

static void
open_list (GtkWidget *widget, gboolean open)
{
  if (GTK_IS_MENU_BUTTON (widget))
    (open ? gtk_menu_button_popup : gtk_menu_button_popdown) (GTK_MENU_BUTTON (widget));
  else
    {
      for (widget = gtk_widget_get_first_child (widget); !GTK_IS_TOGGLE_BUTTON (widget);)
        widget = gtk_widget_get_next_sibling (widget);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), open);
    }
  spin (20);
}

static GtkWidget *
make_menu_button (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, "One", "window.close");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  return button;
}

/* No tooltip of a button or of what it stands in lies over its list; a widget beside it has its own. */
static void
test_tooltips (void)
{
  static const char *const words[] = { "One", "Two", "Three", NULL };
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *buttons[] = { gtk_drop_down_new_from_strings (words), make_menu_button (),
                           gtk_drop_down_new_from_strings (words) };
  GtkWidget *label = gtk_label_new ("Beside");

  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    gtk_box_append (GTK_BOX (box), buttons[i]);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_tooltip_text (buttons[0], "A choice");
  gtk_widget_set_tooltip_text (buttons[1], "A menu");
  es_set_tooltip (buttons[2], "A choice of many");
  gtk_widget_set_tooltip_text (box, "All of it");
  gtk_widget_set_tooltip_text (label, "Beside");
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  spin (20);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      g_assert_true (has_tooltip (buttons[i]) && has_tooltip (box));
      g_assert_false (es_popovers_is_open (buttons[i]));
      open_list (buttons[i], TRUE);
      g_assert_true (es_popovers_is_open (buttons[i]));
      g_assert_false (has_tooltip (buttons[i]));
      g_assert_false (has_tooltip (box));
      g_assert_true (has_tooltip (label));
      open_list (buttons[i], FALSE);
      g_assert_true (has_tooltip (buttons[i]) && has_tooltip (box));
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Of a name that is cut short the tooltip says all, too. */
static void
test_cut_names (void)
{
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *cut = gtk_label_new ("A name that is longer than its place"), *whole = gtk_label_new ("A name");
  g_autofree char *of_cut = NULL, *of_whole = NULL, *of_same = NULL;

  gtk_label_set_ellipsize (GTK_LABEL (cut), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (cut), 8);
  gtk_widget_set_halign (cut, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), cut);
  gtk_box_append (GTK_BOX (box), whole);
  es_set_tooltip (cut, "What it means.");
  es_set_tooltip (whole, "What it means.");
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  spin (20);
  of_cut = es_dup_shown_tooltip (cut);
  of_whole = es_dup_shown_tooltip (whole);
  g_assert_cmpstr (of_cut, ==, "A name that is longer than its place\nWhat it means.");
  g_assert_cmpstr (of_whole, ==, "What it means.");
  es_set_tooltip (cut, "A name that is longer than its place");
  of_same = es_dup_shown_tooltip (cut);
  g_assert_cmpstr (of_same, ==, "A name that is longer than its place");
  gtk_window_destroy (GTK_WINDOW (window));
}

static GtkWidget *
find_scrolled (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_SCROLLED_WINDOW (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_scrolled (child);
  return found;
}

/* The list of operations shows all of them, in fonts too whose lines are half as high again. */
static void
test_operations (void)
{
  static const char *const words[] = { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", NULL };
  g_autoptr (GPtrArray) operations = g_ptr_array_new ();
  GtkWidget *window = gtk_window_new (), *choice = gtk_drop_down_new_from_strings (words);
  GtkAdjustment *rows;

  es_operation_list_install (GTK_DROP_DOWN (choice), operations);
  gtk_window_set_child (GTK_WINDOW (window), choice);
  gtk_window_present (GTK_WINDOW (window));
  spin (20);
  open_list (choice, TRUE);
  spin (20);
  rows = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (find_scrolled (choice)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), >, 400);
  g_assert_cmpfloat (gtk_adjustment_get_upper (rows), <=, gtk_adjustment_get_page_size (rows));
  open_list (choice, FALSE);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* At no width does a line end between a number and its unit. */
static void
test_figures (void)
{
  static const char *const figures[] = { "63.29 G", "192 G/s", "110.1 MB", "20 GB/s", "4.2 %", "216 × 216", "5.5 ms" };
  GtkWidget *label = gtk_label_new (NULL);
  const char *text;

  g_object_ref_sink (label);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  es_keep_figures (GTK_LABEL (label));
  gtk_label_set_markup (GTK_LABEL (label), "<b>A step</b> of 63.29 G operations at 192 G/s, of 110.1 MB at 20 GB/s, "
                                           "with 4.2 % of up to 216 × 216 places, takes 5.5 ms in the mean.");
  text = gtk_label_get_text (GTK_LABEL (label));
  for (int width = 60; width < 700; width += 5)
    {
      g_autoptr (PangoLayout) layout = pango_layout_copy (gtk_label_get_layout (GTK_LABEL (label)));

      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD);
      for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
        {
          const char *found = strstr (text, figures[i]);
          int first, last, x;

          g_assert_nonnull (found);
          pango_layout_index_to_line_x (layout, (int) (found - text), FALSE, &first, &x);
          pango_layout_index_to_line_x (layout, (int) (found - text + strlen (figures[i])) - 1, FALSE, &last, &x);
          g_assert_cmpint (first, ==, last);
        }
    }
  g_object_unref (label);
}

/* A list that opens scrolls nothing that it hangs in; what the keys go to afterwards is scrolled to as ever. */
static void
test_still (void)
{
  static const char *const words[] = { "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", NULL };
  GtkWidget *window = gtk_window_new (), *scroller = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *first = gtk_button_new_with_label ("First");
  GtkWidget *buttons[] = { gtk_drop_down_new_from_strings (words), make_menu_button () };
  GtkWidget *last = gtk_button_new_with_label ("Last"), *high = gtk_label_new ("High");
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));

  gtk_widget_set_size_request (high, -1, 120);
  gtk_box_append (GTK_BOX (box), first);
  gtk_box_append (GTK_BOX (box), high);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    gtk_box_append (GTK_BOX (box), buttons[i]);
  gtk_widget_set_margin_top (last, 600);
  gtk_box_append (GTK_BOX (box), last);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_window_set_default_size (GTK_WINDOW (window), 200, 260);
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  gtk_window_present (GTK_WINDOW (window));
  spin (20);
  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    {
      gtk_widget_grab_focus (buttons[i]);
      gtk_adjustment_set_value (adjustment, 20);
      spin (20);
      open_list (buttons[i], TRUE);
      g_assert_true (es_popovers_is_open (buttons[i]));
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 20);
      /* From row to row, and back to the button. */
      gtk_widget_child_focus (window, GTK_DIR_DOWN);
      spin (20);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 20);
      open_list (buttons[i], FALSE);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 20);
      gtk_widget_grab_focus (last);
      spin (20);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), >, 400);
      gtk_widget_grab_focus (first);
      spin (20);
      g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), <, 20);
    }
  /* Also a window that goes with its list. */
  open_list (buttons[0], TRUE);
  gtk_window_destroy (GTK_WINDOW (window));
  spin (20);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  g_test_add_func ("/controls/band-list", test_band_list);
  g_test_add_func ("/controls/cut", test_cut);
  g_test_add_func ("/controls/means", test_means);
  g_test_add_func ("/controls/wheel", test_wheel);
  g_test_add_func ("/controls/icons", test_icons);
  g_test_add_func ("/controls/tooltips", test_tooltips);
  g_test_add_func ("/controls/cut-names", test_cut_names);
  g_test_add_func ("/controls/figures", test_figures);
  g_test_add_func ("/controls/operations", test_operations);
  g_test_add_func ("/controls/still", test_still);
  ADD ("/controls/copy", test_copy);
  return g_test_run ();
}
