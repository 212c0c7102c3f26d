import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { JsonShapeError } from "@weir/base";
import { decodeFindings, encodeFindings } from "../../../src/api/v12-check.ts";

describe("findings on the wire", () => {
  it("read back as what they were", () => {
    const findings = (["passed", "warning", "failed"] as const).map((verdict) => ({
      subject: "git read",
      verdict,
      found: "it is there",
      advice: "nothing",
    }));

    assert.deepEqual(decodeFindings(encodeFindings(findings)), findings);
  });

  it("are warnings where their verdict is not known", () => {
    const [finding] = decodeFindings([{ subject: "a", verdict: "puzzled", found: "b", advice: "" }]);

    assert.equal(finding?.verdict, "warning");
  });

  it("are refused where they are something else", () => {
    assert.throws(() => decodeFindings({}), JsonShapeError);
    assert.throws(() => decodeFindings([{ subject: 1 }]), JsonShapeError);
  });
});
