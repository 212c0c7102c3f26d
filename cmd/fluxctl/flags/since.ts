import { parseDuration } from "@weir/base";
import { UsageError } from "../command.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** The time that a person named: as an age before `now`, such as 90m or 7d, or as a date or a time. Throws UsageError. */
export function sinceOf(given: string, now: number): Date {
  const ms = ageOf(given);
  const time = ms === undefined ? timeOf(given) : new Date(now - ms);
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new UsageError(
      `invalid --since ${JSON.stringify(given)}: expected an age such as 90m, 24h, or 7d, or a time such as 2026-01-31T08:00:00Z`,
    );
  }
  return time;
}

function ageOf(given: string): number | undefined {
  const days = /^(\d+)d$/.exec(given)?.[1];
  if (days !== undefined) {
    return Number(days) * dayMs;
  }
  try {
    return parseDuration(given);
  } catch {
    return undefined;
  }
}

function timeOf(given: string): Date | undefined {
  return /^\d{4}-\d\d-\d\d/.test(given) ? new Date(given) : undefined;
}
