import { type JsonObject, JsonReader, type JsonValue } from "@weir/base";
import type { UnverifiedCommit, VerificationReport } from "./inspection.ts";

/** {"mode", "head", "verified", "error", "bad": {"revision", "author", "status", "key", "signer", "reason"} or null}. */
export function encodeVerification({ mode, head, verified, error, bad }: VerificationReport): JsonObject {
  return { mode, head, verified, error, bad: bad === undefined ? null : encodeBad(bad) };
}

/** Decodes the result of encodeVerification. Throws JsonShapeError. */
export function decodeVerification(value: JsonValue): VerificationReport {
  const reader = new JsonReader(value);
  const report = {
    mode: reader.text("mode"),
    head: reader.text("head"),
    verified: reader.text("verified"),
    error: reader.text("error"),
  };
  const bad = reader.value("bad", decodeBad);
  return bad === undefined ? report : { ...report, bad };
}

function encodeBad({ revision, author, status, key, signer, reason }: UnverifiedCommit): JsonObject {
  return { revision, author, status, key, signer, reason };
}

function decodeBad(value: JsonValue, path: string): UnverifiedCommit {
  const reader = new JsonReader(value, path);
  return {
    revision: reader.text("revision"),
    author: reader.text("author"),
    status: reader.text("status"),
    key: reader.text("key"),
    signer: reader.text("signer"),
    reason: reader.text("reason"),
  };
}
