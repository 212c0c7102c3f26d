import { printGoTime, textAt } from "@weir/base";
import type { ResourceError } from "../cluster/sync-set.ts";
import { type Codec, flag, list, record, resource, resources, text } from "./codec.ts";
import type { LastSyncReport } from "./inspection.ts";

/** "" for none. */
const endedAt: Codec<Date | undefined> = {
  missing: "",
  encode: (moment) => (moment === undefined ? "" : printGoTime(moment)),
  decode: (value, path) => {
    const moment = textAt(value, path);
    return moment === "" ? undefined : new Date(moment);
  },
};

/** As an object with the fields of a LastSyncReport. Decoding throws JsonShapeError. */
export const lastSyncCodec = record<LastSyncReport>({
  revision: text,
  endedAt,
  failure: text,
  errors: list(record<ResourceError>({ id: resource, source: text, error: text })),
  isRunning: flag,
  waitingFor: resources,
});

/** The functions of that codec. */
export const { encode: encodeLastSync, decode: decodeLastSync } = lastSyncCodec;
