import type { Finding } from "@weir/base";
import { list, record, text, word } from "./codec.ts";

/** The results of the daemon's self-check; an unknown verdict, from a later version, counts as a warning. */
export const findingsCodec = list(
  record<Finding>({
    subject: text,
    verdict: word(["passed", "warning", "failed"], "warning"),
    found: text,
    advice: text,
  }),
);

/** The functions of that codec. Decoding throws JsonShapeError. */
export const { encode: encodeFindings, decode: decodeFindings } = findingsCodec;
