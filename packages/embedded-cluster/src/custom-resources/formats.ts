import { isIPv4, isIPv6 } from "node:net";
import { parseCidr } from "../validate/addresses.ts";
import { dnsSubdomain } from "../validate/text-rules.ts";

/** True where a text is of a format; formats that are not known are not looked at. */
export function isOfFormat(format: string, text: string): boolean {
  return formats.get(format.replaceAll("-", "").toLowerCase())?.(text) ?? true;
}

const date = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?([0-9a-f])[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const duration = /^[+-]?(\d+(\.\d*)?(ns|us|µs|ms|s|m|h|d|w))+$/;

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["date", (text) => date.test(text)],
  ["datetime", isDateTime],
  ["duration", (text) => duration.test(text) || text === "0"],
  ["ipv4", isIPv4],
  ["ipv6", isIPv6],
  ["cidr", (text) => parseCidr(text) !== undefined],
  ["mac", (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text)],
  ["uuid", (text) => uuid.test(text)],
  ["uuid3", (text) => uuid.exec(text)?.[1] === "3"],
  ["uuid4", (text) => uuid.exec(text)?.[1] === "4"],
  ["uuid5", (text) => uuid.exec(text)?.[1] === "5"],
  ["byte", (text) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)],
  ["hostname", (text) => dnsSubdomain(text.toLowerCase()).length === 0],
  ["email", (text) => /^[^@\s]+@[^@\s]+$/.test(text)],
  ["uri", (text) => URL.canParse(text)],
]);

function isDateTime(text: string): boolean {
  const [day = "", clock = ""] = text.split(/[Tt ]/, 2);
  return date.test(day) && time.test(clock);
}
