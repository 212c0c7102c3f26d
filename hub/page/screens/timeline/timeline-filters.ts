import type { SentQuery } from "../../../src/contract/schemas.ts";
import type { FilterValues } from "../../state/filters.ts";

/** The filters of the timeline, as they're in the address. */
export const timelineFilters = {
  q: { kind: "text" },
  instance: { kind: "several" },
  type: { kind: "several" },
  severity: { kind: "several", values: ["info", "warning", "error"] },
  namespace: { kind: "several" },
  since: { kind: "text" },
  until: { kind: "text" },
} as const;

/** What is asked of the console for filters. */
export function timelineQueryOf({
  q,
  instance,
  type,
  severity,
  namespace,
  since,
  until,
}: FilterValues<typeof timelineFilters>): SentQuery<"events"> {
  return {
    limit: 100,
    ...(q === "" ? {} : { q }),
    ...(instance.length === 0 ? {} : { instance: [...instance] }),
    ...(type.length === 0 ? {} : { type: [...type] }),
    ...(severity.length === 0 ? {} : { severity: [...severity] }),
    ...(namespace.length === 0 ? {} : { namespace: [...namespace] }),
    ...(isDay(since) ? { since: startOf(since) } : {}),
    ...(isDay(until) ? { until: startOf(until, 1) } : {}),
  };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

/** When a day begins here, or one some days later. */
function startOf(day: string, later = 0): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
