import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { it } from "node:test";
import { isJsonObject, type JsonValue } from "@weir/base";
import { describeOnEmbeddedCluster, until } from "@weir/testing";
import { KnownImages } from "../support/known-images.ts";
import { deployment } from "../support/manifests.ts";
import { fluxctl, OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";
import { runJob } from "../support/run-job.ts";

const cause = { Message: "", User: "" };

/** A release that cannot be read, and takes about 7 MiB of memory until its turn comes. */
const large = JSON.stringify({
  type: "image",
  cause,
  spec: { ServiceSpecs: ["nothing", ...Array.from({ length: 60_000 }, (_, at) => `${"x".repeat(50)}${at}`)] },
});

describeOnEmbeddedCluster("callers that ask for more than there is room for", {}, (cluster) => {
  it("are told that fluxd is busy; what was taken is done, and then there is room again", async () => {
    await using repository = await TestRepository.create({ "a.yaml": deployment("flood-a") });
    await using fluxd = await OwnFluxd.start({
      repository,
      kubeconfigPath: cluster.kubeconfigPath,
      images: new KnownImages(),
    });
    const go = join(repository.bare, "go-on");
    const wait = `#!/bin/sh\nwhile [ ! -e '${go}' ]; do sleep 0.05; done\n`;
    await writeFile(join(repository.bare, "hooks/pre-receive"), wait, { mode: 0o755 });
    const lock = { "default:deployment/flood-a": { add: { locked: "true" }, remove: null } };
    const first = runJob(fluxd, { type: "policy", cause, spec: lock });
    await until("the first job to push", () => Promise.resolve(fluxd.log.includes("state=in-progress")));

    const answers: { readonly status: number; readonly retry: string | null; readonly body: JsonValue }[] =
      [];
    for (let at = 0; at < 12; at += 1) {
      const answer = await fetch(`${fluxd.apiUrl}/v9/update-manifests`, {
        method: "POST",
        body: large,
        headers: { Accept: "application/json" },
      });
      const body = (await answer.json()) as JsonValue;
      answers.push({ status: answer.status, retry: answer.headers.get("retry-after"), body });
    }
    const busy = answers.filter(({ status }) => status === 503);
    const taken = answers.filter(({ status }) => status === 200).map(({ body }) => body);
    const ping = await fetch(`${fluxd.apiUrl}/v11/ping`);
    const waiting = await stateOf(taken[0]);
    await writeFile(go, "");
    const done = await first;

    assert.equal(busy.length + taken.length, 12);
    assert.ok(taken.length >= 3 && busy.length >= 3, `${taken.length} were taken`);
    assert.deepEqual(
      busy.map(({ retry, body }) => [retry, isJsonObject(body) && [body["type"], body["error"]]]),
      busy.map(() => ["5", ["user", "fluxd is busy: too many jobs are waiting"]]),
    );
    assert.equal(ping.status, 204);
    assert.equal(waiting, "queued");
    assert.equal(done["StatusString"], "succeeded");
    for (const id of taken) {
      await until("each job to end", async () => (await stateOf(id)) === "failed");
    }
    const unlocked = await fluxctl(fluxd, "unlock", "-w", "deployment/flood-a");
    assert.equal(unlocked.code, 0, unlocked.stderr);

    async function stateOf(id: JsonValue | undefined): Promise<JsonValue | undefined> {
      const answer = await fetch(`${fluxd.apiUrl}/v6/jobs?id=${JSON.stringify(id).replaceAll('"', "")}`);
      const status = (await answer.json()) as JsonValue;
      return isJsonObject(status) ? status["StatusString"] : undefined;
    }
  });
});
