import * as z from "zod";
import { anyJson, id, page, paging, several, time } from "./common.ts";

export const severity = z.enum(["info", "warning", "error"]);

/** Something that happened. */
export const event = z.object({
  id: z.number().int(),
  instance: z.object({ id, name: z.string() }),
  type: z.string().meta({
    description:
      "Of daemons: `sync`, `commit`, `release`, `autorelease`, `failure`, and of Weir's also `drift`, `suspend`, and `resume`. Of the console: `disconnect` and `connect`.",
  }),
  severity,
  at: time,
  message: z.string(),
  revision: z.string(),
  workloads: z.array(z.string()),
  namespaces: z.array(z.string()),
  metadata: anyJson,
});

export const eventQuery = z.object({
  ...paging,
  q: z.string().max(200).optional(),
  instance: several(id),
  namespace: several(z.string().max(253)),
  workload: several(z.string().max(1_000)),
  type: several(z.string().max(100)),
  severity: several(severity),
  since: time.optional(),
  until: time.optional(),
  sort: z.enum(["-at", "at"]).default("-at"),
});

export const events = page(event);

/** What a stream of changes carries; each is one message of server-sent events, with its `type` as the event's name. */
export const change = z.discriminatedUnion("type", [
  z.object({ type: z.literal("event"), event }),
  z.object({ type: z.literal("instance"), instanceId: id }),
  z.object({ type: z.literal("workloads"), instanceId: id, ids: z.array(z.string()) }),
  z.object({ type: z.literal("job"), instanceId: id, jobId: id, state: z.string() }),
  z.object({ type: z.literal("reload") }),
]);

export type ConsoleEvent = z.output<typeof event>;
export type Change = z.output<typeof change>;
