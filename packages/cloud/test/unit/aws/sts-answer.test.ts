import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { lentKeys } from "../../../src/aws/sts-answer.ts";

const credentials = { AccessKeyId: "AKID", SecretAccessKey: "s3/cr+et", SessionToken: "t==" };
const keys = { accessKeyId: "AKID", secretAccessKey: "s3/cr+et", sessionToken: "t==" };

describe("the keys that the security token service lends", () => {
  it("stand in XML", () => {
    const members = Object.entries(credentials).map(([name, value]) => `<${name}>${value}</${name}>`);
    const answer = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <AssumeRoleResult><Credentials>${members.join("")}</Credentials></AssumeRoleResult>
    </AssumeRoleResponse>`;

    assert.deepEqual(lentKeys(answer, "AssumeRole"), keys);
  });

  it("stand in JSON, whose texts may have escapes", () => {
    const answer = JSON.stringify({
      AssumeRoleResponse: { AssumeRoleResult: { Credentials: credentials } },
    }).replaceAll("/", "\\/");

    assert.deepEqual(lentKeys(answer, "AssumeRole"), keys);
  });

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
