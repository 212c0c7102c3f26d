import { integer, json, list, record, resources, text, time, word } from "./codec.ts";
import type { LoggedEvent } from "./inspection.ts";

/** As Flux v1 posts events to an upstream, each with its message. Decoding throws JsonShapeError. */
export const { encode: encodeLoggedEvents, decode: decodeLoggedEvents } = list(
  record<LoggedEvent>(
    {
      id: integer,
      workloads: resources,
      type: text,
      startedAt: time,
      endedAt: time,
      logLevel: word(["debug", "info", "warn", "error"], "info"),
      message: text,
      metadata: json,
    },
    { workloads: "serviceIDs" },
  ),
);
