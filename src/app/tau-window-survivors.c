/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/tau-window-private.h"

#include "core/tool/tau-survivors.h"

#include <glib/gi18n.h>

/* Says once that a Tau which ended unexpectedly has left commands running; the list of them is in the side panel, which may
 * be hidden. */

static gboolean told;   /* whichever window it was */

static gboolean
has_orphan (GListModel *survivors)
{
  for (guint i = 0; i < g_list_model_get_n_items (survivors); i++)
    {
      g_autoptr(TauSurvivor) survivor = g_list_model_get_item (survivors, i);

      if (tau_survivor_get_is_orphan (survivor))
        return TRUE;
    }
  return FALSE;
}

static void
survivors_changed_cb (TauWindow  *self,
                      guint       position,
                      guint       removed,
                      guint       added,
                      GListModel *survivors)
{
  AdwToast *toast;

  if (told || !has_orphan (survivors))
    return;
  told = TRUE;
  if (tau_window_shows_panel (self))
    return;
  toast = adw_toast_new (_("Something that an earlier Tau started is still running"));
  adw_toast_set_button_label (toast, _("_Show"));
  adw_toast_set_action_name (toast, "win.show-panel");
  adw_toast_set_timeout (toast, 20);
  tau_window_add_toast (self, toast);
}

/* Begins to look for them. */
void
tau_window_watch_survivors (TauWindow *self)
{
  GListModel *survivors = tau_survivors_get ();

  g_signal_connect_object (survivors, "items-changed", G_CALLBACK (survivors_changed_cb), self, G_CONNECT_SWAPPED);
  survivors_changed_cb (self, 0, 0, 0, survivors);
}
