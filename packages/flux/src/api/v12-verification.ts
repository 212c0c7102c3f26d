import { maybe, record, text } from "./codec.ts";
import type { UnverifiedCommit, VerificationReport } from "./inspection.ts";

/** As an object with the fields of a VerificationReport; "bad" is null if there is none. Decoding throws JsonShapeError. */
export const { encode: encodeVerification, decode: decodeVerification } = record<VerificationReport>({
  mode: text,
  head: text,
  verified: text,
  error: text,
  bad: maybe(
    record<UnverifiedCommit>({
      revision: text,
      author: text,
      status: text,
      key: text,
      signer: text,
      reason: text,
    }),
  ),
});
