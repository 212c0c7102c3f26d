import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { VerificationReport } from "@weir/flux/api";
import { signatureCheckup } from "../../../../src/daemon/checks/signatures.ts";

const report: VerificationReport = { mode: "all", head: "0123456789", verified: "0123456789", error: "" };
const bad = { revision: "ba0000000000", author: "Jo <jo@example.test>", status: "N", key: "", signer: "" };

async function lookAt(changes: Partial<VerificationReport>, ready = true): Promise<string> {
  const [finding] = await signatureCheckup({
    repo: { status: () => ({ status: ready ? "ready" : "new", error: "" }) },
    branch: "main",
    report: () => Promise.resolve({ ...report, ...changes }),
  }).look(new AbortController().signal);
  return `${finding?.verdict}: ${finding?.found}`;
}

describe("the check of signatures", () => {
  it("says up to where the branch is verified", async () => {
    assert.equal(await lookAt({}), "passed: all commits of main are verified, up to 0123456");
    assert.equal(
      await lookAt({}, false),
      "warning: cannot verify commits until the git repository is available",
    );
  });

  it("says which commit isn't, whose it is, and why", async () => {
    assert.equal(
      await lookAt({ verified: "aaaaaaaaaa", bad: { ...bad, reason: "it isn't signed" } }),
      "failed: commit ba000000 by Jo <jo@example.test> is not verified: it isn't signed; only commits up to aaaaaaa are applied",
    );
    const expired = {
      ...bad,
      key: "ABCD",
      signer: "Jo",
      status: "Y",
      reason: "the key expired on 2024-05-01",
    };
    assert.equal(
      await lookAt({ verified: "", bad: expired }),
      "failed: commit ba000000 by Jo <jo@example.test> is not verified: the key expired on 2024-05-01 (key ABCD of Jo); no commit is applied",
    );
  });

  it("says why nothing can be verified", async () => {
    assert.equal(
      await lookAt({ error: "verifying tag flux-sync: exit status 1 (the key isn't known)" }),
      "failed: no commit of main can be verified: verifying tag flux-sync: exit status 1 (the key isn't known)",
    );
  });
});
