import assert from "node:assert/strict";
import { it } from "node:test";
import { describeOnEachCluster } from "@weir/testing";
import { Fluxd, fluxctl } from "../support/fluxd.ts";
import { configMap } from "../support/manifests.ts";
import { TestRepository } from "../support/repository.ts";

const canary = "c4n4ry-v4lu3";
const inBase64 = Buffer.from(canary).toString("base64");

describeOnEachCluster("secrets", (cluster) => {
  it("a password in the git URL and the data of a Secret show in no log, answer or metric", async () => {
    await using repository = await TestRepository.create({
      "fine.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary\n  namespace: default\nstringData:\n  password: ${canary}\n`,
      "refused.yaml": `apiVersion: v1\nkind: Secret\nmetadata:\n  name: canary-refused\n  namespace: default\ndata:\n  "not a key!": ${inBase64}\n  plain: "${canary}"\n`,
      "a.yaml": configMap("beside-secrets"),
    });
    await using fluxd = await Fluxd.start({ gitUrl: repository.url, kubeconfigPath: cluster.kubeconfigPath });
    await fluxd.synced(repository);
    await fluxd.logged("default:secret/canary-refused");

    assertClean(await everythingSaid(fluxd));
  });

  it("a password in a git URL that does not answer shows nowhere either", async () => {
    await using fluxd = await Fluxd.start({
      gitUrl: `http://user:${canary}@127.0.0.1:9/nothing.git`,
      kubeconfigPath: cluster.kubeconfigPath,
    });
    await fluxd.ready();
    await fluxd.logged(/127\.0\.0\.1:9/);

    const said = await everythingSaid(fluxd);

    assertClean(said);
    assert.match(said, /user@127\.0\.0\.1:9/);
  });
});

async function everythingSaid(fluxd: Fluxd): Promise<string> {
  const paths = ["/api/flux/v6/services", "/api/flux/v11/services", "/metrics", "/api/flux/v6/sync?ref=HEAD"];
  const answers = await Promise.all(paths.map(async (path) => (await fetch(fluxd.baseUrl + path)).text()));
  const config = await (
    await fetch(`${fluxd.apiUrl}/v9/git-repo-config`, { method: "POST", body: "false" })
  ).text();
  const sync = await fluxctl(fluxd, "sync", "--timeout=1s");
  return [fluxd.log, ...answers, config, sync.stdout, sync.stderr].join("\n");
}

function assertClean(text: string): void {
  assert.ok(
    !text.includes(canary),
    `the secret is shown: ${text.slice(Math.max(0, text.indexOf(canary) - 200))}`,
  );
  assert.ok(!text.includes(inBase64), "the secret is shown in base64");
}
