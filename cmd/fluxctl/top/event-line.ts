import type { LoggedEvent } from "@weir/flux/api";
import { printTimeOfDay } from "../output/time.ts";
import type { Remark } from "./model.ts";

/** An event on one line, with its time of day. */
export function printEventLine({ endedAt, type, logLevel, message }: LoggedEvent): Remark {
  const text = `${printTimeOfDay(endedAt)} ${type}: ${message}`;
  return { tone: logLevel === "error" ? "bad" : "plain", text };
}
