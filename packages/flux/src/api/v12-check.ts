import { type Finding, type JsonObject, JsonReader, type JsonValue, listAt, type Verdict } from "@weir/base";

/** Encodes the results of the daemon's self-check. */
export function encodeFindings(findings: readonly Finding[]): readonly JsonObject[] {
  return findings.map(({ subject, verdict, found, advice }) => ({ subject, verdict, found, advice }));
}

/** Decodes the result of encodeFindings. Throws JsonShapeError. */
export function decodeFindings(value: JsonValue): readonly Finding[] {
  return listAt(value, "", decodeFinding);
}

const verdicts: readonly Verdict[] = ["passed", "warning", "failed"];

/** An unknown verdict, from a later version, counts as a warning. */
function decodeFinding(value: JsonValue, path: string): Finding {
  const reader = new JsonReader(value, path);
  return {
    subject: reader.text("subject"),
    verdict: verdicts.find((verdict) => verdict === reader.text("verdict")) ?? "warning",
    found: reader.text("found"),
    advice: reader.text("advice"),
  };
}
