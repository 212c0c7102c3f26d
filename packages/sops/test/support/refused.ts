import assert from "node:assert/strict";
import { KeyServiceError } from "../../src/key-services/index.ts";

/** Checks that an attempt is refused with this message, which has no secret in it. */
export async function refused(attempt: Promise<Uint8Array>, message: RegExp): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof KeyServiceError, String(error));
    assert.match(error.message, message);
    assert.doesNotMatch(error.message, /s3cret|t0ken/);
    return true;
  });
}
