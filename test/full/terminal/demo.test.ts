import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks, TempFolder } from "@weir/testing";
import { DemoAtTerminal, processesWith } from "../../support/demo.ts";
import { deployment } from "../../support/manifests.ts";

const skip = lacks("tmux") || lacks("kubectl");
const weir = join(import.meta.dirname, "..", "..", "..", "dist", "weir");

/** The demo indents all it says, so a line that begins at the left was broken by the terminal. */
function brokenLines(screen: string): readonly string[] {
  return screen.split("\n").filter((line) => !/^$|^ {3}|^\d+\. |^ready>|^\^C$/.test(line));
}

describe("the demo that stays up", { skip }, () => {
  it("tells what people do in another terminal, and suggests what they haven't tried", async () => {
    await using world = await DemoAtTerminal.start("", 60);
    const { demo } = world;
    const ready = await demo.shows(/Try next: See what runs/);
    const env = /^ +(\. \S+\/env)$/m.exec(ready)?.[1] ?? "";
    await world.type(env);

    await world.type("fluxctl list-workloads -a");
    await demo.shows(/Try next: See each object in git/);
    await world.type("fluxctl lock -n shop --workload=deployment/web -m Sale");
    await demo.shows(/> You locked shop:deployment\/web: Sale \(commit [0-9a-f]{7}\)/);
    await world.type("fluxctl release -n shop --workload=deployment/cart --update-all-images");
    await demo.shows(/! .*nothing to change in git/);
    await world.type("touch $REGISTRY/collector/2.7.3");
    await demo.shows(/> fluxd released collector 2.7.2 → 2.7.3 in observe:deployment\/collector by/);
    await world.type("git pull -q --rebase && sed -i.old 's/replicas: 2/replicas: 3/' shop/web.yaml");
    await world.type("git commit -qam 'A third web' && git push -q");
    await demo.shows(/> You pushed [0-9a-f]{7}: A third web/);
    await demo.shows(/= fluxd synced [0-9a-f]{7}: shop:deployment\/web\n/);
    await demo.shows(/Deployment shop\/web: \S+, 3 of 3 ready/);

    const screen = await demo.screen();
    assert.equal(screen.split("You locked").length, 2);
    assert.equal(screen.split("fluxd released").length, 2);
    assert.equal(screen.split("A third web").length, 2);
    assert.deepEqual(brokenLines(screen), []);
    assert.ok(!(await demo.colouredScreen()).includes("\u001b"));

    await demo.press("C-c");
    await demo.finished();
    assert.deepEqual([await demo.status(), world.leftovers()], [0, []]);
  });

  it("names what can't be synced, and what to do", async () => {
    await using world = await DemoAtTerminal.start("", 60);
    const { demo } = world;
    const ready = await demo.shows(/Try next: See what runs/);
    await world.type(/^ +(\. \S+\/env)$/m.exec(ready)?.[1] ?? "");

    await world.type("cp shop/web.yaml .. && echo 'a: [' >> shop/web.yaml");
    await world.type("git commit -qam 'Not YAML' && git push -q");
    await demo.shows(/! fluxd can't sync: [^]*shop\/web.yaml/);
    await demo.shows(/→ correct shop\/web.yaml, commit, and push/);
    await world.type("sed 's/containerPort: .*/containerPort: 99999/' ../web.yaml > shop/web.yaml");
    await world.type("git commit -qam 'No such port' && git push -q");
    await demo.shows(/! refused: shop:deployment\/web: /);
    await world.type("cp ../web.yaml shop && git commit -qam 'Like before' && git push -q");
    await demo.shows(/You pushed [0-9a-f]{7}: Like before\n[^]*= fluxd synced/);
    assert.deepEqual(brokenLines(await demo.screen()), []);

    await world.type("kubectl -n shop delete service web");
    await demo.shows("= fluxd put back as in git: shop:service/web");
  });

  it("tells what a sync waits for", async () => {
    await using world = await DemoAtTerminal.start("", 60);
    const ready = await world.demo.shows(/Try next: See what runs/);
    const env = /^ +\. (\S+\/env)$/m.exec(ready)?.[1] ?? "";
    await world.type(`. ${env}`);
    // It isn't available before eight minutes have passed, and what comes after it waits.
    const slow = deployment("slow")
      .replace("metadata:\n", 'metadata:\n  annotations: {weir.dev/sync-wave: "-1"}\n')
      .replace("spec:\n", "spec:\n  minReadySeconds: 480\n");
    writeFileSync(join(dirname(env), "config", "slow.yaml"), `${slow}---\n${deployment("late")}`);

    await world.type("git add -A && git commit -qm 'In waves' && git push -q");

    await world.demo.shows(
      /You pushed [0-9a-f]{7}: In waves\n[^]* ~ the sync waits for default:deployment\/slow\n/,
    );
  });
});

describe("Ctrl-C", { skip }, () => {
  for (const [when, args, shown] of [
    ["while fluxd starts", "", "2. fluxd starts"],
    ["during the story", "", "3. A new version"],
    ["at a question of the tour", "--tour", "Enter runs it"],
  ] as const) {
    it(`leaves nothing behind ${when}`, async () => {
      await using world = await DemoAtTerminal.start(args);
      await world.demo.shows(shown);

      await world.demo.press("C-c");
      await world.demo.finished();

      assert.deepEqual([await world.demo.status(), world.leftovers()], [130, []], await world.demo.screen());
    });
  }
});

describe("the tour", { skip }, () => {
  it("runs on Enter, skips on s, and ends on q", async () => {
    await using world = await DemoAtTerminal.start("--tour");
    const { demo } = world;
    await demo.shows(/See what runs[^]*fluxctl list-workloads -a\n +Enter runs it/);

    await demo.press("s", "Enter");
    const tree = await demo.shows(/See each object in git[^]*Enter runs it/);
    assert.deepEqual(brokenLines(tree), []);
    await demo.press("Enter");
    await demo.shows(/shop:deployment\/web +Synced/);
    await demo.shows(/Enter runs it, s skips it, q ends the tour:$/);
    await demo.press("q", "Enter");
    await demo.finished();

    assert.match(await demo.screen(), /That was the tour/);
    assert.deepEqual([await demo.status(), world.leftovers()], [0, []]);
  });

  it("goes from start to end by itself where nobody is at a terminal", async () => {
    using folder = new TempFolder();

    const { stdout } = await promisify(execFile)(weir, ["demo", "--tour", "--yes"], {
      env: { ...process.env, TMPDIR: folder.path },
    });

    assert.match(stdout, / {5}fluxctl list-workloads -a\n\nWORKLOAD /);
    assert.match(stdout, /> You pushed [0-9a-f]{7}: A third web/);
    assert.match(stdout, /> You released cart 3.1.0 → 3.2.0 in shop:deployment\/cart/);
    assert.match(stdout, /> fluxd released collector 2.7.1 → 2.7.3/);
    assert.match(stdout, /That was the tour/);
    assert.doesNotMatch(stdout, /^ *! /m);
    assert.deepEqual([...readdirSync(folder.path), ...processesWith(folder.path)], []);
  });
});
