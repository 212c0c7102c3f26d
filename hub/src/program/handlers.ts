import { version } from "@weir/base";
import { accessHandlers } from "../operations/access/access.ts";
import type { Handlers } from "../operations/call.ts";
import { channelHandlers } from "../operations/channels.ts";
import { eventHandlers } from "../operations/events.ts";
import { operationHandlers } from "../operations/handlers.ts";
import { instanceHandlers } from "../operations/listed-instances.ts";
import { workloadHandlers } from "../operations/listed-workloads.ts";
import { ruleHandlers } from "../operations/rules.ts";
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
