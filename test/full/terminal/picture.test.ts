import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lacks } from "@weir/testing";
import { DemoAtTerminal } from "../../support/demo.ts";
import { drawTerminal } from "../../support/terminal-picture.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const picture = "docs/images/fluxctl-top.svg";

/** With this variable, the pictures of the documentation are written anew. */
const writes = process.env["WEIR_WRITE_SCREENSHOTS"] === "1";

describe("the picture of a terminal in the README", { skip: lacks("tmux") }, () => {
  it("is of fluxctl top at the demo", async () => {
    await using world = await DemoAtTerminal.start("", 60);
    const { demo, other } = world;
    const ready = await demo.shows(/Try next: See what runs/);
    await world.type(/^ +(\. \S+\/env)$/m.exec(ready)?.[1] ?? "");
    await world.type("fluxctl lock -n shop --workload=deployment/web -m 'until the sale is over'");

    await other.resize(100, 24);
    await other.enter("fluxctl top");
    await other.shows(/deployment\/web \[locked/);
    const drawn = drawTerminal(await other.colouredScreen(), 100);

    if (writes) {
      writeFileSync(join(root, picture), drawn);
    }
    assert.match(drawn, /deployment\/web/);
    assert.match(readFileSync(join(root, picture), "utf8"), /deployment\/web/);
    assert.ok(readFileSync(join(root, "README.md"), "utf8").includes(`](${picture})`));
  });
});
