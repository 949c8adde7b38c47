/* SPDX-License-Identifier: MIT */
#include "core/base/tau-error.h"

/* The definitions make tau_<subject>_error_quark(). */
G_DEFINE_QUARK (tau-json-error-quark, tau_json_error)
G_DEFINE_QUARK (tau-api-error-quark, tau_api_error)
G_DEFINE_QUARK (tau-tool-error-quark, tau_tool_error)
G_DEFINE_QUARK (tau-session-error-quark, tau_session_error)
G_DEFINE_QUARK (tau-config-error-quark, tau_config_error)
G_DEFINE_QUARK (tau-agent-error-quark, tau_agent_error)
