import { type Finding, type JsonObject, JsonReader, type JsonValue, listAt, type Verdict } from "@weir/base";

/** What a daemon found when it looked at itself. */
export function encodeFindings(findings: readonly Finding[]): readonly JsonObject[] {
  return findings.map(({ subject, verdict, found, advice }) => ({ subject, verdict, found, advice }));
}

/** Reads what encodeFindings wrote. Throws JsonShapeError. */
export function decodeFindings(value: JsonValue): readonly Finding[] {
  return listAt(value, "", decodeFinding);
}

const verdicts: readonly Verdict[] = ["passed", "warning", "failed"];

/** A verdict of a later version is taken for a warning. */
function decodeFinding(value: JsonValue, path: string): Finding {
  const reader = new JsonReader(value, path);
  return {
    subject: reader.text("subject"),
    verdict: verdicts.find((verdict) => verdict === reader.text("verdict")) ?? "warning",
    found: reader.text("found"),
    advice: reader.text("advice"),
  };
}
