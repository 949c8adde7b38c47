/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One domain a subject, with the few codes that a caller tells apart. For all else there is G_IO_ERROR. */

typedef enum
{
  TAU_JSON_ERROR_SYNTAX,
} TauJsonError;

typedef enum
{
  TAU_API_ERROR_AUTH,
  TAU_API_ERROR_RATE_LIMIT,
  TAU_API_ERROR_QUOTA,
  TAU_API_ERROR_OVERLOADED,
  TAU_API_ERROR_CONTEXT_OVERFLOW,
  TAU_API_ERROR_INVALID,
  TAU_API_ERROR_NETWORK,
  TAU_API_ERROR_PROTOCOL,
} TauApiError;

typedef enum
{
  TAU_TOOL_ERROR_FAILED,
  TAU_TOOL_ERROR_INVALID_ARGUMENTS,
  TAU_TOOL_ERROR_ABORTED,
  TAU_TOOL_ERROR_BLOCKED,
} TauToolError;

typedef enum
{
  TAU_SESSION_ERROR_INVALID,
  TAU_SESSION_ERROR_NOT_FOUND,
  TAU_SESSION_ERROR_LOCKED,
  TAU_SESSION_ERROR_BUSY,
  TAU_SESSION_ERROR_READ_ONLY,
} TauSessionError;

typedef enum
{
  TAU_CONFIG_ERROR_SYNTAX,
  TAU_CONFIG_ERROR_INVALID,
} TauConfigError;

typedef enum
{
  TAU_AGENT_ERROR_BUSY,
  TAU_AGENT_ERROR_NOTHING_TO_CONTINUE,
} TauAgentError;

#define TAU_JSON_ERROR    (tau_json_error_quark ())
#define TAU_API_ERROR     (tau_api_error_quark ())
#define TAU_TOOL_ERROR    (tau_tool_error_quark ())
#define TAU_SESSION_ERROR (tau_session_error_quark ())
#define TAU_CONFIG_ERROR  (tau_config_error_quark ())
#define TAU_AGENT_ERROR   (tau_agent_error_quark ())

GQuark tau_json_error_quark    (void);
GQuark tau_api_error_quark     (void);
GQuark tau_tool_error_quark    (void);
GQuark tau_session_error_quark (void);
GQuark tau_config_error_quark  (void);
GQuark tau_agent_error_quark   (void);

G_END_DECLS
