import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  makeVisible,
  messageOf,
} from "@weir/base";
import { CloudError } from "./request.ts";

/** The longest reason to show, in characters. */
const maxReason = 400;

/**
 * What a service gives as the reason for refusing a request, as "Code: message"; "" if it gives none. The text comes
 * from the service, so `secrets`, and whatever else looks like a credential, are left out.
 */
export function refusalIn(answer: string, secrets: readonly string[]): string {
  return shown(reasonIn(answer), secrets);
}

/** The message of an error, with the reason of the service if it responded. It's free of `secrets`. */
export function describeCloudFailure(error: unknown, secrets: readonly string[] = []): string {
  const reason = error instanceof CloudError ? refusalIn(error.answer, secrets) : "";
  const message = shown(messageOf(error), secrets);
  return reason === "" ? message : `${message} (${reason})`;
}

function reasonIn(answer: string): string {
  const parsed = parse(answer);
  if (parsed === undefined) {
    return joined(tagIn(answer, "Code"), tagIn(answer, "Message"));
  }
  const { errors, error } = parsed;
  if (isJsonArray(errors)) {
    return errors.filter((each) => typeof each === "string").join(", ");
  }
  if (isJsonObject(error)) {
    return joined(textOf(error["status"]) || textOf(error["code"]), textOf(error["message"]));
  }
  const code = textOf(parsed["__type"]).replace(/^.*#/, "") || textOf(error) || textOf(parsed["code"]);
  const words = parsed["message"] ?? parsed["Message"] ?? parsed["error_description"];
  return joined(code, textOf(words));
}

function parse(answer: string): JsonObject | undefined {
  try {
    const value = JSON.parse(answer) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return undefined;
  }
}

/** The text of an element, in the XML of AWS's older services. */
function tagIn(answer: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(answer)?.[1] ?? "";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(": ");
}

/** JSON Web Tokens, and long runs of the characters that keys and tokens consist of. */
const credentials = /\beyJ[\w-]+(?:\.[\w-]*)*|(?:hv[sbr]|s)\.[\w-]{20,}|[\w+=-]{48,}/g;

function shown(text: string, secrets: readonly string[]): string {
  const clean = secrets
    .filter((secret) => secret !== "")
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text)
    .replaceAll(credentials, "…");
  const line = makeVisible(clean.replaceAll(/\s+/g, " ").trim());
  return line.length > maxReason ? `${line.slice(0, maxReason)}…` : line;
}
