import type { JsonValue } from "@weir/base";
import { z } from "zod";

/** The most bytes of a payload: PostgreSQL accepts fewer than 8,000. */
export const longestPayload = 7_900;

/** What a notification carries: a message of a topic, or the row that has it. */
export type Envelope =
  | { readonly kind: "inline"; readonly topic: string; readonly message: JsonValue }
  | { readonly kind: "stored"; readonly topic: string; readonly id: number };

const envelopes = z.union([
  z.object({ kind: z.literal("inline"), topic: z.string(), message: z.json() }),
  z.object({ kind: z.literal("stored"), topic: z.string(), id: z.number().int() }),
]);

/** An envelope as text without NUL, which JSON escapes. */
export function printEnvelope(envelope: Envelope): string {
  return JSON.stringify(envelope);
}

/** Reads what `printEnvelope` prints. Throws a SyntaxError or ZodError for anything else, which others can send. */
export function readEnvelope(text: string): Envelope {
  return envelopes.parse(JSON.parse(text));
}
