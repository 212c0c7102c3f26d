import { UsageError } from "../command.ts";

/**
 * Parses a moment as people write it: "2020-01-02T03:04:05Z", the same without seconds, with another zone, or without
 * one (the time of this machine), "2020-01-02" for its beginning, or "18:30" for the next time that it's half past six.
 * Throws UsageError.
 */
export function parseMoment(text: string, now: Date): Date {
  const parts = /^(\d\d):(\d\d)$/.exec(text);
  const moment = parts === null ? dayAndTime(text) : nextTime(Number(parts[1]), Number(parts[2]), now);
  if (moment === undefined || Number.isNaN(moment.getTime())) {
    const examples = "18:30, 2020-01-02, 2020-01-02T18:30, or 2020-01-02T18:30:00Z";
    throw new UsageError(`invalid time ${JSON.stringify(text)}: write it as ${examples}`);
  }
  return moment;
}

function dayAndTime(text: string): Date | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, day = "", time = "00:00", zone = ""] = match;
  return new Date(`${day}T${time}${zone}`);
}

function nextTime(hours: number, minutes: number, now: Date): Date | undefined {
  if (hours > 23 || minutes > 59) {
    return undefined;
  }
  const today = new Date(now);
  today.setHours(hours, minutes, 0, 0);
  if (today <= now) {
    today.setDate(today.getDate() + 1);
  }
  return today;
}
