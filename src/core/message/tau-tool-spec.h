/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define TAU_TYPE_TOOL_SPEC (tau_tool_spec_get_type ())

/* Boxed record: what the model, the prompt and a person must know of a tool. */
typedef struct _TauToolSpec TauToolSpec;

GType        tau_tool_spec_get_type        (void) G_GNUC_CONST;
TauToolSpec *tau_tool_spec_new             (const char *name, const char *label, const char *description, JsonNode *parameters,
                                            const char *snippet /* nullable */, const char * const *guidelines /* nullable */);
TauToolSpec *tau_tool_spec_ref             (TauToolSpec *self);
void         tau_tool_spec_unref           (TauToolSpec *self);
const char  *tau_tool_spec_get_name        (TauToolSpec *self);
const char  *tau_tool_spec_get_label       (TauToolSpec *self);
const char  *tau_tool_spec_get_description (TauToolSpec *self);
JsonNode    *tau_tool_spec_get_parameters  (TauToolSpec *self);   /* JSON Schema, borrowed */
const char  *tau_tool_spec_get_snippet     (TauToolSpec *self);   /* one line for the system prompt */
const char * const *tau_tool_spec_get_guidelines (TauToolSpec *self);   /* sentences for the system prompt; never NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauToolSpec, tau_tool_spec_unref)

G_END_DECLS
