/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/tool/tau-tool-outcome.h"

G_BEGIN_DECLS

/**
 * TauListing:
 * @rows: the rows, joined by LF
 * @notices: what the model must know of what is missing; NULL until there is something
 * @details: for the window
 *
 * The result of a tool that lists things, while it grows. Plain struct.
 */
typedef struct
{
  GString *rows;
  GString *notices;
  JsonObject *details;
} TauListing;

void            tau_listing_init       (TauListing *self);
void            tau_listing_clear      (TauListing *self);
void            tau_listing_add_row    (TauListing *self,
                                        const char *format,
                                        ...) G_GNUC_PRINTF (2, 3);
void            tau_listing_add_notice (TauListing *self,
                                        const char *format,
                                        ...) G_GNUC_PRINTF (2, 3);
void            tau_listing_cut        (TauListing *self);
TauToolOutcome *tau_listing_make       (TauListing *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauListing, tau_listing_clear)

G_END_DECLS
