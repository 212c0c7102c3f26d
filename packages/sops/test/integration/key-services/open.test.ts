import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { Aws } from "../../support/aws.ts";
import { refused } from "../../support/refused.ts";

const never = new AbortController().signal;
const run = promisify(execFile);

describe("the key services", () => {
  it("connect when a key needs it, and close their connections", async () => {
    await using aws = await Aws.start();
    const service = aws.service({ AWS_ACCESS_KEY_ID: "AKIAOWN", AWS_SECRET_ACCESS_KEY: "own-s3cret" });
    const before = [...aws.routes.opened];

    await service.decrypt(aws.record(randomBytes(32)), never);
    const closedBefore = aws.routes.allClosed;
    await service[Symbol.asyncDispose]();

    assert.deepEqual([before, closedBefore, aws.routes.allClosed], [[], false, true]);
  });

  it("refuse keys that aren't in a cloud, and start nothing that's aborted already", async () => {
    await using aws = await Aws.start();
    const service = aws.service({});
    const aborted = AbortSignal.abort(new Error("stopped"));

    await refused(
      service.decrypt({ type: "age", recipient: "age1", encryptedDataKey: "x" }, never),
      /keys of the type age aren't kept by a cloud/,
    );
    await assert.rejects(service.decrypt(aws.record(randomBytes(32)), aborted), /^Error: stopped$/);
    assert.deepEqual([...aws.routes.origins], []);
  });

  it("aren't loaded before a key needs them", async () => {
    const program = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({
        load: (url, context, next) => {
          loaded.push(url);
          return next(url, context);
        },
      });
      const { openCloudKeyService } = await import("@weir/sops/key-services");
      openCloudKeyService({ env: {}, clock: undefined });
      console.log(loaded.filter((url) => /cloud\\/src|jose|aws-kms|gcp-kms|azure-key|vault-transit/.test(url)).length);
    `;

    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: import.meta.dirname,
    });

    assert.equal(stdout, "0\n");
  });
});
