import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEmbeddedCluster, lacks } from "@weir/testing";
import { Fluxd } from "../../support/fluxd.ts";
import { configMap } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";
import { TestTerminal } from "../../support/terminal.ts";

describeOnEmbeddedCluster("history and undo at a terminal", { skip: lacks("tmux") }, (cluster) => {
  it("show who changed what, what an undo would do, and what it did", async () => {
    await using repository = await TestRepository.create({ "config.yaml": configMap("config", "good") });
    const bad = await repository.push({ "config.yaml": configMap("config", "bad") }, "Break it");
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.ready();
    await using terminal = await TestTerminal.start({ columns: 160, env: { FLUX_URL: fluxd.apiUrl } });
    await terminal.enter("fluxctl sync");
    await terminal.finished();

    await terminal.enter("fluxctl history");
    const history = await terminal.finished();
    const short = bad.slice(0, 7);
    assert.match(
      history,
      new RegExp(`^TIME +KIND +COMMIT +WHO +RESOURCES +MESSAGE\\n[^]*commit +${short} .*Break it`),
    );

    await terminal.enter(`fluxctl undo ${short} --dry-run`);
    const planned = await terminal.finished();
    assert.match(planned, /^-.*bad$/m);
    assert.match(planned, /^\+.*good$/m);
    assert.equal(await repository.upstream("rev-parse", "master"), bad);

    await terminal.enter(`fluxctl undo ${short} --user=Ann`);
    const undone = await terminal.finished();
    assert.match(undone, /Commit pushed:\s+[0-9a-f]{7}\nCommit applied:/);
    assert.equal(await terminal.status(), 0);

    await terminal.enter("fluxctl events --type commit");
    assert.match(await terminal.finished(), new RegExp(`by Ann, with message "Undo ${short}: Break it"`));
  });
});
