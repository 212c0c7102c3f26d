import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lentKeys } from "../../../src/aws/sts-answer.ts";

const credentials = { AccessKeyId: "AKID", SecretAccessKey: "s3/cr+et", SessionToken: "t==" };

describe("the keys that the security token service lends", () => {
  it("are none where a name stands anywhere else", () => {
    const answer = JSON.stringify({ AssumeRoleResponse: credentials });

    assert.deepEqual(lentKeys(answer, "AssumeRole"), {
      accessKeyId: "",
      secretAccessKey: "",
      sessionToken: "",
    });
  });

  it("cannot be read out of anything else", () => {
    for (const answer of ["{", "<html><br></html>"]) {
      assert.throws(() => lentKeys(answer, "AssumeRole"), { name: "WireError" });
    }
  });
});
