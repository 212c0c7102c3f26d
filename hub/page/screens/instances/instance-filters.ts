import type { SentQuery } from "../../../src/contract/schemas.ts";
import type { FilterValues } from "../../state/filters.ts";

/** The filters of the list of instances, as they're in the address. */
export const instanceFilters = {
  q: { kind: "text" },
  connected: { kind: "choice", values: ["", "true", "false"], otherwise: "" },
  sync: { kind: "choice", values: ["", "synced", "behind", "failed", "unknown"], otherwise: "" },
  suspended: { kind: "choice", values: ["", "true", "false"], otherwise: "" },
  sort: {
    kind: "choice",
    values: ["name", "-name", "lastSeenAt", "-lastSeenAt", "lastSyncAt", "-lastSyncAt", "-unhealthy"],
    otherwise: "name",
  },
} as const;

/** What is asked of the console for filters. */
export function instanceQueryOf({
  q,
  connected,
  sync,
  suspended,
  sort,
}: FilterValues<typeof instanceFilters>): SentQuery<"instances"> {
  return {
    limit: 100,
    sort,
    ...(q === "" ? {} : { q }),
    ...(connected === "" ? {} : { connected }),
    ...(sync === "" ? {} : { sync }),
    ...(suspended === "" ? {} : { suspended }),
  };
}
