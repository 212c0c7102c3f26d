import type { LoggedEvent } from "../../../src/api/types/inspection.ts";
import type { Remark } from "./model.ts";

/** An event on one line, with its time of day. */
export function printEventLine({ endedAt, type, logLevel, message }: LoggedEvent): Remark {
  const time = [endedAt.getHours(), endedAt.getMinutes(), endedAt.getSeconds()]
    .map((number) => String(number).padStart(2, "0"))
    .join(":");
  return { tone: logLevel === "error" ? "bad" : "plain", text: `${time} ${type}: ${message}` };
}
