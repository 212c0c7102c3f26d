import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { it } from "node:test";
import { TempFolder } from "@weir/testing";
import { consoleStep } from "../../dev/release/console/step.ts";
import { builtPage } from "../support/images/built-page.ts";
import { root, run, TestRelease, version } from "./support.ts";

it("a release has an archive with the console, its page, licenses, and a unit, which starts", async () => {
  await builtPage();
  using release = new TestRelease();
  using again = new TestRelease();
  using folder = new TempFolder();

  const [archive = "", ...others] = await consoleStep(release.context);
  const [second = ""] = await consoleStep(again.context);
  await run("tar", ["-xzf", archive, "-C", folder.path, "--strip-components=1"]);

  assert.deepEqual([basename(archive), others], [`weir-console_${version}.tar.gz`, []]);
  assert.ok(readFileSync(archive).equals(readFileSync(second)));
  const expected = ["LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.txt", "console/page/index.html"];
  assert.deepEqual(
    [...expected, "console/page/licenses.txt", "lib/pglite.wasm"].filter(
      (name) => !existsSync(join(folder.path, name)),
    ),
    [],
  );
  assert.ok(!existsSync(join(folder.path, "lib", "fluxd.cjs")));
  for (const name of ["compose.yaml", "weir-console.service"]) {
    assert.equal(
      readFileSync(join(folder.path, name), "utf8"),
      readFileSync(join(root, "deploy/console", name), "utf8"),
    );
  }
  assert.equal((await run(join(folder.path, "weir-console"), ["--version"])).stdout.trim(), version);
});
