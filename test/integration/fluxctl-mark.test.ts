import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { markCheckout } from "../../cmd/fluxctl/export/mark.ts";
import { exportToFlux2 } from "../../src/switching/flux2/export.ts";
import { exportedInstall, exportedWorkload } from "../support/flux2-install.ts";

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
      - name: main
        image: example.test/org/web:1
`;

describe("fluxctl export --mark", () => {
  it("writes to manifests below the git paths", async () => {
    using folder = new TempFolder();
    const path = folder.write("apps/web.yaml", manifest);

    await markIn(folder.path);

    assert.match(readFileSync(path, "utf8"), /web:1 # \{"\$imagepolicy": /);
  });

  it("writes through a link to the checkout", async () => {
    using folder = new TempFolder();
    const path = folder.write("checkout/apps/web.yaml", manifest);
    symlinkSync(join(folder.path, "checkout"), join(folder.path, "link"));

    await markIn(join(folder.path, "link"));

    assert.match(readFileSync(path, "utf8"), /web:1 # \{"\$imagepolicy": /);
  });

  it("refuses a git path that is a link out of the checkout, and writes nothing", async () => {
    using folder = new TempFolder();
    const path = folder.write("elsewhere/web.yaml", manifest);
    const checkout = join(folder.path, "checkout");
    mkdirSync(checkout);
    symlinkSync(join(folder.path, "elsewhere"), join(checkout, "apps"));

    await assert.rejects(markIn(checkout), {
      name: "MarkError",
      message: /^the git path \.\/apps leads out of /,
    });

    assert.equal(readFileSync(path, "utf8"), manifest);
  });

  it("names a git path that the checkout doesn't have", async () => {
    using folder = new TempFolder();

    await assert.rejects(markIn(folder.path), {
      name: "MarkError",
      message: /^cannot read the checkout: .*apps/,
    });
  });
});

async function markIn(folder: string): Promise<void> {
  const install = exportedInstall(
    ["--git-url=git@example.test:org/shop.git", "--git-path=apps"],
    [exportedWorkload({ policies: { automated: "true" } })],
  );
  const context = {
    signal: new AbortController().signal,
    out: () => undefined,
    err: () => undefined,
    exitWith: () => undefined,
  };
  const exported = exportToFlux2(install, { namespace: "flux-system", gitUrl: "" });
  await markCheckout({ folder, write: true }, { exported, flags: install.flags }, context);
}
