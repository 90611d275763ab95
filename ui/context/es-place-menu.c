/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-place-menu-private.h"

#include <glib/gi18n-lib.h>

static G_DEFINE_QUARK (es-place-menu, menu)

/* ---- the model ---- */

static void
add_item (GMenu *menu, const char *label, const char *action, const char *accel)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  if (accel != NULL)
    g_menu_item_set_attribute (item, "accel", "s", accel);
  g_menu_append_item (menu, item);
}

static void
add_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_object_unref (section);
}

static GMenu *
make_spectrum (void)
{
  GMenu *menu = g_menu_new ();

  add_item (menu, _("_Keep Spectrum"), "win.keep-pixel", "<Control>k");
  add_item (menu, _("Keep _Mean of 3 × 3 Pixels"), "win.keep-mean", "<Control><Shift>k");
  return menu;
}

static GMenu *
make_copy (void)
{
  GMenu *menu = g_menu_new (), *place = g_menu_new (), *picture = g_menu_new ();

  add_item (place, _("_Coordinates"), "place.copy-coordinates", NULL);
  add_item (place, _("_Values Shown"), "place.copy-values", NULL);
  add_item (place, _("_Spectrum"), "place.copy-spectrum", NULL);
  add_item (picture, _("The _Picture"), "view.copy", "<Control>c");
  add_section (menu, place);
  add_section (menu, picture);
  return menu;
}

static GMenu *
make_profile (void)
{
  GMenu *menu = g_menu_new ();

  add_item (menu, _("Along the _Row"), "place.profile::row", NULL);
  add_item (menu, _("Along the _Column"), "place.profile::column", NULL);
  add_item (menu, _("Draw a _Line"), "place.profile::line", "l");
  return menu;
}

/* The class that is there is named in it. */
static GMenu *
make_region (EsPlaceMenu *self)
{
  GMenu *menu = g_menu_new (), *draw = g_menu_new (), *selected = g_menu_new ();
  g_autoptr (EsNamedRegion) class = _es_place_menu_find_class (self);

  add_item (draw, _("Draw a _Rectangle"), "place.tool::rectangle", "r");
  add_item (draw, _("Draw with the _Lasso"), "place.tool::polygon", "p");
  if (class != NULL)
    {
      g_autoptr (GString) name = g_string_new (es_named_region_get_name (class));
      g_autofree char *label = NULL;

      /* It is no mnemonic. */
      g_string_replace (name, "_", "__", 0);
      /* TRANSLATORS: selects the pixels of the class that is under the pointer */
      label = g_strdup_printf (_("_Select Class “%s”"), name->str);
      add_item (draw, label, "place.select-class", NULL);
    }
  add_item (selected, _("Make a _Class of the Selection"), "place.make-class", NULL);
  add_item (selected, _("_Keep the Mean Spectrum of the Selection"), "place.keep-selection", NULL);
  add_item (selected, _("_Unselect"), "place.unselect", NULL);
  add_section (menu, draw);
  add_section (menu, selected);
  return menu;
}

static GMenu *
make_part (void)
{
  GMenu *menu = g_menu_new (), *selected = g_menu_new (), *all = g_menu_new ();

  add_item (selected, _("Only Pixels _Inside the Selection"), "place.part-selected::inside", NULL);
  add_item (selected, _("Only Pixels _Outside the Selection"), "place.part-selected::outside", NULL);
  add_item (selected, _("Only the _Window round the Selection"), "place.part-selected::window", NULL);
  add_item (all, _("_Everything"), "place.everything", NULL);
  add_section (menu, selected);
  add_section (menu, all);
  return menu;
}

static void
add_submenu (GMenu *menu, const char *label, GMenu *submenu)
{
  g_menu_append_submenu (menu, label, G_MENU_MODEL (submenu));
  g_object_unref (submenu);
}

static GMenuModel *
make_model (EsPlaceMenu *self)
{
  GMenu *menu = g_menu_new (), *more = g_menu_new (), *zoom = g_menu_new (), *picture = g_menu_new ();

  add_section (menu, make_spectrum ());
  add_submenu (more, _("_Copy"), make_copy ());
  add_submenu (more, _("_Profile"), make_profile ());
  add_submenu (more, _("_Region"), make_region (self));
  add_submenu (more, _("What _Takes Part"), make_part ());
  add_section (menu, more);
  add_item (zoom, _("_Zoom In Here"), "place.zoom-here", NULL);
  add_item (zoom, _("_One to One"), "view.zoom-one", "1");
  add_item (zoom, _("_Whole Picture"), "view.zoom-fit", "0");
  add_section (menu, zoom);
  add_item (picture, _("Co_mpare with a Second Picture"), "view.compare", "F7");
  add_item (picture, _("Cube in _Three Dimensions"), "win.cube-faces", "F3");
  add_item (picture, _("Save Pict_ure…"), "view.save-picture", NULL);
  add_section (menu, picture);
  return G_MENU_MODEL (menu);
}

/* ---- the popover ---- */

void
es_place_menu_popup (EsImageView *image, double x, double y)
{
  EsPlaceMenu *self;
  g_autoptr (GMenuModel) model = NULL;

  g_return_if_fail (ES_IS_IMAGE_VIEW (image));

  self = g_object_get_qdata (G_OBJECT (image), menu_quark ());
  if (self == NULL || es_picture_is_empty (es_image_view_get_picture (image)))
    return;
  _es_place_menu_update_actions (self);
  model = make_model (self);
  if (self->popover == NULL)
    {
      self->popover = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
      gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
      gtk_widget_set_cursor_from_name (self->popover, "default");
      gtk_widget_set_parent (self->popover, GTK_WIDGET (image));
    }
  else
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->popover), model);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

/* What one points at is what is meant from then on. */
static void
popup_at (EsPlaceMenu *self, double x, double y)
{
  double picture_x, picture_y;

  gtk_widget_grab_focus (GTK_WIDGET (self->image));
  if (es_image_view_pick (self->image, x, y, &picture_x, &picture_y))
    es_image_view_select (self->image, (guint) picture_x, (guint) picture_y);
  es_place_menu_popup (self->image, x, y);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  popup_at (data, x, y);
}

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, gpointer data)
{
  popup_at (data, x, y);
}

static gboolean
on_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  EsImageView *image = ES_IMAGE_VIEW (widget);
  const int scale = gtk_widget_get_scale_factor (widget);
  double x = gtk_widget_get_width (widget) / 2., y = gtk_widget_get_height (widget) / 2.;
  guint pixel_x, pixel_y;
  EsViewport viewport;

  if (es_image_view_get_selected (image, &pixel_x, &pixel_y))
    {
      es_image_view_get_viewport (image, &viewport);
      x = CLAMP ((pixel_x + 0.5 - viewport.left) * viewport.zoom / scale, 0, 2 * x);
      y = CLAMP ((pixel_y + 0.5 - viewport.top) * viewport.zoom / scale, 0, 2 * y);
    }
  es_place_menu_popup (image, x, y);
  return TRUE;
}

gboolean
es_place_menu_is_busy (EsImageView *image)
{
  EsPlaceMenu *self = g_object_get_qdata (G_OBJECT (image), menu_quark ());

  return self != NULL && self->n_reading > 0;
}

static void
on_destroy (EsPlaceMenu *self)
{
  g_clear_pointer (&self->popover, gtk_widget_unparent);
}

static void
menu_free (gpointer data)
{
  EsPlaceMenu *self = data;

  g_clear_weak_pointer (&self->inspector);
  g_clear_weak_pointer (&self->tools);
  g_clear_object (&self->display);
  g_clear_object (&self->actions);
  g_free (self);
}

void
es_place_menu_add (EsImageView *image, EsDisplay *display, EsImageView *tools, EsInspector *inspector)
{
  static const struct { guint key; GdkModifierType state; } keys[] = { { GDK_KEY_Menu, 0 },
                                                                       { GDK_KEY_F10, GDK_SHIFT_MASK } };
  EsPlaceMenu *self = g_new0 (EsPlaceMenu, 1);
  GtkGesture *click = gtk_gesture_click_new (), *press = gtk_gesture_long_press_new ();
  GtkEventController *controller = gtk_shortcut_controller_new ();

  g_return_if_fail (ES_IS_IMAGE_VIEW (image));
  g_return_if_fail (ES_IS_DISPLAY (display));

  self->image = image;
  self->display = g_object_ref (display);
  g_set_weak_pointer (&self->tools, tools);
  g_set_weak_pointer (&self->inspector, inspector);
  _es_place_menu_add_actions (self);
  g_object_set_qdata_full (G_OBJECT (image), menu_quark (), self, menu_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (image), GTK_EVENT_CONTROLLER (click));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (press), TRUE);
  g_signal_connect (press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (GTK_WIDGET (image), GTK_EVENT_CONTROLLER (press));
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, keys[i].state),
                                                            gtk_callback_action_new (on_key, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (image), controller);
  g_signal_connect_swapped (image, "destroy", G_CALLBACK (on_destroy), self);
}
