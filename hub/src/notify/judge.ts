import { isJsonObject, type JsonObject, messageOf } from "@weir/base";
import { OversizedBodyError, retryAfterMs } from "@weir/http";
import { cutText } from "./cut.ts";
import { ForbiddenServiceError, type ServiceAnswer } from "./network.ts";
import type { Outcome } from "./retry.ts";
import { TemplateError } from "./template.ts";

/** Longer answers aren't worth storing. */
const maxReason = 300;

/** Statuses after which the same request can succeed. */
const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/** What an answer means if the service has no rules of its own. */
export function judgeAnswer(answer: ServiceAnswer, now: number): Outcome {
  const { status, header } = answer;
  if (status >= 200 && status < 300) {
    return { kind: "delivered", answer: printAnswer(answer) };
  }
  if (status >= 300 && status < 400) {
    const reason = `HTTP ${status}: the service redirects to another address, which isn't followed: enter the right URL`;
    return { kind: "refused", reason };
  }
  const reason = printAnswer(answer);
  return passing.has(status) || status >= 500
    ? { kind: "unavailable", reason, afterMs: retryAfterMs(header("retry-after"), now) }
    : { kind: "refused", reason };
}

/** What it means that there was no answer, or that the message could not be made. */
export function judgeError(error: unknown): Outcome {
  const isFinal =
    error instanceof ForbiddenServiceError ||
    error instanceof OversizedBodyError ||
    error instanceof TemplateError;
  const reason = cutText(reasonOf(error), maxReason);
  return isFinal ? { kind: "refused", reason } : { kind: "unavailable", reason, afterMs: 0 };
}

/** Node's errors of several connection attempts have no message, only a code. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  return message === "" && error instanceof Error && "code" in error ? String(error.code) : message;
}

/** An answer for people: the status, and the start of the text. */
export function printAnswer({ status, text }: ServiceAnswer): string {
  const line = cutText(text.replaceAll(/\s+/g, " ").trim(), maxReason);
  return line === "" ? `HTTP ${status}` : `HTTP ${status}: ${line}`;
}

/** The JSON object in an answer; an empty one for anything else. */
export function jsonOf({ text }: ServiceAnswer): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : {};
}

/** The JSON objects of the list in an answer; none for anything else. */
export function jsonListOf({ text }: ServiceAnswer): readonly JsonObject[] {
  const value = parseJson(text);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
