import type { Condition } from "../cluster/condition.ts";
import { type Codec, flag, integer, list, maybe, record, resource, text, texts, word } from "./codec.ts";
import type { ResourceCounts, StatusReport } from "./inspection.ts";
import { findingsCodec } from "./v12-check.ts";
import { pendingCodec } from "./v12-confirmations.ts";
import { lastSyncCodec } from "./v12-last-sync.ts";
import { suspensionsCodec } from "./v12-suspension.ts";

/** As an object with the fields of a StatusReport. Decoding throws JsonShapeError. */
export const { encode: encodeStatus, decode: decodeStatus } = record<StatusReport>({
  git: record<StatusReport["git"]>({
    url: text,
    branch: text,
    status: word(["unconfigured", "new", "cloned", "ready", "unreachable"], "new"),
    errors: text,
  }),
  head: text,
  synced: text,
  behind: integer,
  lastSync: lastSyncCodec,
  automates: flag,
  suspensions: suspensionsCodec,
  resources: maybe(
    record<ResourceCounts>({
      healthy: integer,
      degraded: conditions("degraded"),
      pending: conditions("pending"),
    }),
  ),
  pending: maybe(pendingCodec),
  findings: findingsCodec,
  unknown: texts,
});

/** What all of them are is the name of their list. */
function conditions(is: Condition["is"]): Codec<readonly Condition[]> {
  const told = record<Omit<Condition, "is">>({ id: resource, message: text, culprit: resource });
  return list({ ...told, decode: (value, path) => ({ ...told.decode(value, path), is }) });
}
