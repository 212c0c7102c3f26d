import { version } from "@weir/base";
import { operationHandlers } from "../operations/handlers.ts";
import type { Handlers } from "../rest/call.ts";
import { accessHandlers } from "../rest/handlers/access/access.ts";
import { channelHandlers } from "../rest/handlers/channels.ts";
import { eventHandlers } from "../rest/handlers/events.ts";
import { instanceHandlers } from "../rest/handlers/instances.ts";
import { ruleHandlers } from "../rest/handlers/rules.ts";
import { workloadHandlers } from "../rest/handlers/workloads.ts";
import type { ConsoleParts } from "./parts.ts";
import type { ConsoleAnswers } from "./serve.ts";

/** What answers requests to the console. */
export function consoleAnswers(parts: ConsoleParts): ConsoleAnswers {
  return { handlers: consoleHandlers(parts), authorize: (caller) => parts.access.flux.authorize(caller) };
}

/** All operations of the REST API. */
function consoleHandlers(parts: ConsoleParts): Handlers {
  const { database, clock, access, channels, connectTo } = parts;
  const { connection } = database;
  return {
    ...accessHandlers(access, { version, flux: connectTo }),
    ...instanceHandlers(connection),
    ...workloadHandlers(connection),
    ...eventHandlers(connection),
    ...operationHandlers(parts),
    ...channelHandlers(channels),
    ...ruleHandlers({ connection, channels, clock }),
  };
}
