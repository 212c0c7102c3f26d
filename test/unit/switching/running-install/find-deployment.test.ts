import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { chooseDeployments } from "../../../../src/switching/running-install/find-deployment.ts";

function deployment(name: string, labels: Readonly<Record<string, string>>) {
  return {
    metadata: { name, namespace: "flux" },
    spec: { selector: {}, template: { metadata: { labels } } },
  };
}

const labels = new Map([["app", "flux"]]);

describe("finding fluxd's Deployment", () => {
  const chart = deployment("prod-flux", { app: "flux", release: "prod" });
  const old = deployment("weave", { name: "weave-flux-agent" });
  const plain = deployment("flux", { name: "flux" });
  const memcached = deployment("memcached", { name: "memcached", app: "flux-memcached" });

  it("goes by the labels of its pods, then by the names of older installs", () => {
    const chosen = [[memcached, plain, chart], [memcached, plain], [old], [memcached]].map((all) =>
      chooseDeployments(all, { name: "", labels }),
    );

    assert.deepEqual(chosen, [[chart], [plain], [old], []]);
  });

  it("goes by a name alone where there is one", () => {
    assert.deepEqual(chooseDeployments([chart, memcached], { name: "memcached", labels }), [memcached]);
  });

  it("gives all that have the labels", () => {
    const other = deployment("dev-flux", { app: "flux", release: "dev" });

    assert.deepEqual(chooseDeployments([chart, other], { name: "", labels }), [chart, other]);
    assert.deepEqual(
      chooseDeployments([chart, other], { name: "", labels: new Map([...labels, ["release", "dev"]]) }),
      [other],
    );
  });
});
