/* SPDX-License-Identifier: MIT */
#include "app/transcript/tau-user-text.h"

#include "core/base/tau-text.h"

#include <string.h>

/* A prompt that calls a skill carries the skill's whole text, in the form that pi gives it: a tag with the name, the
 * text, and behind the closing tag what the user typed. Nobody wants to read the skill each time. */

#define OPEN  "<skill name=\""
#define CLOSE "\n</skill>"

/**
 * tau_user_text_init:
 * @self: (out caller-allocates): where to put the parts
 * @message: what the user sent
 *
 * Takes a prompt apart.
 */
void
tau_user_text_init (TauUserText *self,
                    TauMessage  *message)
{
  g_autofree char *text = tau_message_dup_text (message, "\n");
  g_autofree char *valid = tau_text_make_valid (text, -1);
  const char *name = g_str_has_prefix (valid, OPEN) ? valid + strlen (OPEN) : NULL;
  const char *name_end = name ? strchr (name, '"') : NULL;
  const char *body = name_end ? strstr (name_end, "\">\n") : NULL;
  const char *close = body ? strstr (body, CLOSE) : NULL;
  const char *rest = close ? close + strlen (CLOSE) : NULL;

  *self = (TauUserText) { 0 };
  if (!rest || (*rest && !g_str_has_prefix (rest, "\n\n")))
    {
      self->rest = g_steal_pointer (&valid);
      return;
    }
  body += strlen ("\">\n");
  self->skill_name = g_strndup (name, (gsize) (name_end - name));
  self->skill = g_strndup (body, body < close ? (gsize) (close - body) : 0);
  self->rest = g_strdup (*rest ? rest + 2 : "");
}

/**
 * tau_user_text_clear:
 * @self: parts
 *
 * Drops them.
 */
void
tau_user_text_clear (TauUserText *self)
{
  g_clear_pointer (&self->skill_name, g_free);
  g_clear_pointer (&self->skill, g_free);
  g_clear_pointer (&self->rest, g_free);
}
