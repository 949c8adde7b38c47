/* SPDX-License-Identifier: MIT */
#include "core/tool/tau-listing.h"

#include "core/base/tau-json.h"
#include "core/base/tau-text.h"
#include "core/base/tau-truncate.h"

/**
 * tau_listing_init:
 * @self: a listing
 *
 * Makes it empty.
 */
void
tau_listing_init (TauListing *self)
{
  *self = (TauListing) { .rows = g_string_new (NULL), .details = json_object_new () };
}

/**
 * tau_listing_clear:
 * @self: a listing
 *
 * Frees what it holds.
 */
void
tau_listing_clear (TauListing *self)
{
  if (self->rows != NULL)
    g_string_free (self->rows, TRUE);
  if (self->notices != NULL)
    g_string_free (self->notices, TRUE);
  g_clear_pointer (&self->details, json_object_unref);
  self->rows = NULL;
  self->notices = NULL;
}

/**
 * tau_listing_add_row:
 * @self: a listing
 * @format: the row
 * @...: for @format
 *
 * Adds a row.
 */
void
tau_listing_add_row (TauListing *self,
                     const char *format,
                     ...)
{
  va_list args;

  if (self->rows->len > 0)
    g_string_append_c (self->rows, '\n');
  va_start (args, format);
  g_string_append_vprintf (self->rows, format, args);
  va_end (args);
}

/**
 * tau_listing_add_notice:
 * @self: a listing
 * @format: a sentence without its full stop
 * @...: for @format
 *
 * Adds to what is said below the rows.
 */
void
tau_listing_add_notice (TauListing *self,
                        const char *format,
                        ...)
{
  va_list args;

  if (self->notices == NULL)
    self->notices = g_string_new (NULL);
  else
    g_string_append (self->notices, ". ");
  va_start (args, format);
  g_string_append_vprintf (self->notices, format, args);
  va_end (args);
}

/**
 * tau_listing_cut:
 * @self: a listing with all its rows
 *
 * Cuts the rows to what a result may hold, and says so.
 */
void
tau_listing_cut (TauListing *self)
{
  g_autoptr(TauTruncation) truncation = tau_truncate_head (self->rows->str, self->rows->len, G_MAXINT64, TAU_TRUNCATE_MAX_BYTES);
  g_autofree char *limit = tau_text_format_size (TAU_TRUNCATE_MAX_BYTES);

  if (!truncation->truncated)
    return;
  g_string_truncate (self->rows, truncation->output_bytes);
  tau_listing_add_notice (self, "%s limit reached", limit);
  json_object_set_member (self->details, "truncation", tau_truncation_to_json (truncation));
}

/**
 * tau_listing_make:
 * @self: a listing; its details are taken
 *
 * Puts the notices below the rows.
 *
 * Returns: (transfer full): the outcome
 */
TauToolOutcome *
tau_listing_make (TauListing *self)
{
  g_autofree char *valid = tau_text_make_valid (self->rows->str, self->rows->len);
  g_autoptr(GString) text = g_string_new (valid);
  g_autoptr(JsonNode) details = NULL;

  if (self->notices != NULL)
    g_string_append_printf (text, "\n\n[%s]", self->notices->str);
  if (json_object_get_size (self->details) > 0)
    details = tau_json_node_new_object (g_steal_pointer (&self->details));
  return tau_tool_outcome_new_text (text->str, details);
}
