import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isJsonObject, type JsonObject } from "@weir/base";
import { TempFolder } from "@weir/testing";
import { parse } from "yaml";
import { ownImage } from "../../src/own-image/own-image.ts";
import { helm, lacksHelm } from "../support/chart/helm.ts";
import { packageVersion } from "../support/chart/package-version.ts";
import {
  chartDefaults,
  chartFolder,
  chartWithValuesOf,
  fluxChartDefaults,
  fluxdPod,
  render,
  renderTests,
  tryRender,
} from "../support/chart/render.ts";

const own = ownImage(packageVersion());

describe("the chart's folder", { skip: lacksHelm(), concurrency: 4 }, () => {
  it("passes helm lint", async () => {
    await helm(["lint", "--strict", chartFolder]);
  });

  it("has the version of Weir", () => {
    const { version, appVersion } = parse(
      readFileSync(join(chartFolder, "Chart.yaml"), "utf8"),
    ) as JsonObject;

    assert.deepEqual({ version, appVersion }, { version: packageVersion(), appVersion: packageVersion() });
  });

  it("has the same keys in values.yaml, the schema, and the list that NOTES looks at", () => {
    const schema = JSON.parse(readFileSync(join(chartFolder, "values.schema.json"), "utf8")) as Schema;
    const helpers = readFileSync(join(chartFolder, "templates/_known-values.tpl"), "utf8");
    const [, list = ""] = /"weir\.knownValues" -}}\n([^]*?)\{\{/.exec(helpers) ?? [];
    const known = Object.entries(parse(list) as Readonly<Record<string, readonly string[]>>);

    const inSchema = sectionsOf(schema);

    assert.deepEqual(Object.fromEntries(known), inSchema);
    assert.deepEqual(sortedKeys(chartDefaults(), inSchema), sortedSections(inSchema));
  });
});

describe("the image of the chart", { skip: lacksHelm(), concurrency: 4 }, () => {
  const cases: readonly (readonly [string, JsonObject, string])[] = [
    ["nothing", {}, own],
    ["the default of Flux v1's chart", { repository: "docker.io/fluxcd/flux", tag: "1.25.4" }, own],
    ["an older default", { repository: "fluxcd/flux", tag: "1.20.2" }, own],
    ["the first repository of Flux", { repository: "quay.io/weaveworks/flux", tag: "1.14.2" }, own],
    [
      "a build of Flux's master",
      { repository: "docker.io/fluxcd/flux-prerelease", tag: "master-1a2b3c4d" },
      own,
    ],
    ["a tag of Weir", { repository: "docker.io/fluxcd/flux", tag: "0.2.0" }, "docker.io/weirdev/weir:0.2.0"],
    [
      "Weir's repository with a tag",
      { repository: "docker.io/weirdev/weir", tag: "0.0.9" },
      "docker.io/weirdev/weir:0.0.9",
    ],
    [
      "another repository",
      { repository: "registry.example.com/weir" },
      `registry.example.com/weir:${packageVersion()}`,
    ],
    [
      "a number as a tag",
      { repository: "registry.example.com/weir", tag: 20260331 },
      "registry.example.com/weir:20260331",
    ],
  ];
  for (const [what, image, expected] of cases) {
    it(`is right for ${what}`, async () => {
      const [fluxd] = fluxdPod(await render({ values: { image } })).containers;

      assert.equal(fluxd?.image, expected);
    });
  }

  it("is of the new version when a switched release is upgraded with --reuse-values once more", async () => {
    using folder = new TempFolder();
    const chart = chartWithValuesOf(folder, fluxChartDefaults());
    const description = readFileSync(join(chart, "Chart.yaml"), "utf8");
    folder.write("reused/Chart.yaml", description.replaceAll(packageVersion(), "0.9.0"));

    const [fluxd] = fluxdPod(await render({ chart })).containers;

    assert.equal(fluxd?.image, ownImage("0.9.0"));
  });

  it("must not be a copy of Flux's", async () => {
    const image = { repository: "registry.example.com/mirror/flux", tag: "1.25.4" };

    const { exit, stderr } = await tryRender({ values: { image } });

    assert.notEqual(exit, 0);
    assert.match(
      stderr,
      /look like a copy of Flux v1's image.*set image\.repository to your copy of docker\.io/,
    );
  });
});

describe("values that make no sense", { skip: lacksHelm(), concurrency: 4 }, () => {
  const cases: readonly (readonly [JsonObject, RegExp])[] = [
    [{ git: { pollInterval: "5 minutes" } }, /git\.pollInterval: /],
    [{ sync: { interval: 30 } }, /sync\.interval: /],
    [{ replicaCount: -1 }, /replicaCount: /],
    [{ git: { url: { host: "git.example.com" } } }, /git\.url: /],
    [{ allowedNamespaces: "a,b" }, /allowedNamespaces: /],
    [{ memcached: { enabled: "perhaps" } }, /memcached\.enabled: /],
    [{ sync: { state: "tag" } }, /sync\.state: /],
    [{ git: { verifySignaturesMode: "some" } }, /git\.verifySignaturesMode: /],
    [{ additionalArgs: "--sync-on-drift" }, /additionalArgs: /],
    [{ podSecurity: "baseline" }, /podSecurity: /],
  ];
  for (const [values, message] of cases) {
    it(`are refused: ${JSON.stringify(values)}`, async () => {
      const { exit, stderr } = await tryRender({ values });

      assert.notEqual(exit, 0);
      assert.match(stderr, message);
    });
  }
});

describe("unusual values that Flux v1's chart takes", { skip: lacksHelm(), concurrency: 4 }, () => {
  it("are taken: text for booleans and numbers, and keys that nobody knows", async () => {
    const values = {
      git: { readonly: "true", label: 12345678 },
      memcached: { createClusterIP: "false", maxMemory: "64" },
      registry: { rps: "10", ecr: { includeId: 602401143452 } },
      helmOperator: { create: false },
      global: {},
    };

    const objects = await render({ values });

    const { args = [] } = fluxdPod(objects).containers[0] ?? {};
    const changed = ["--git-readonly=true", "--git-label=12345678", "--registry-rps=10"];
    assert.deepEqual(
      [...changed, "--registry-ecr-include-id=602401143452"].filter((arg) => !args.includes(arg)),
      [],
    );
    assert.ok(!args.includes("--memcached-service="));
  });

  it("are taken: init containers as a list", async () => {
    const values = { initContainers: [{ name: "wait", image: "busybox:1" }], hostAliases: {} };

    const pod = fluxdPod(await render({ values })) as unknown as JsonObject;

    assert.deepEqual(pod["initContainers"], [{ name: "wait", image: "busybox:1" }]);
    assert.equal(pod["hostAliases"], undefined);
  });

  it("don't lead to two Roles in one namespace", async () => {
    const values = { clusterRole: { create: false }, allowedNamespaces: ["flux", "a", "a"] };

    const objects = await render({ values });

    const roles = objects.filter(({ kind }) => kind === "Role");
    assert.deepEqual(roles.map(({ metadata }) => metadata.namespace).toSorted(), ["a", "flux"]);
  });

  it("are left out: a PodSecurityPolicy where the cluster has none", async () => {
    const objects = await render({ values: { rbac: { pspEnabled: true } } });

    assert.deepEqual(
      objects.filter(({ metadata }) => metadata.name?.endsWith("-psp")),
      [],
    );
    assert.deepEqual(
      objects.filter(({ kind }) => kind === "PodSecurityPolicy"),
      [],
    );
  });

  it("leave a gitconfig alone that somebody else put into a Secret", async () => {
    const values = { git: { config: { enabled: true, secretName: "our-git-config" } } };

    const objects = await render({ values });

    const mounted = fluxdPod(objects).volumes.find(({ name }) => name === "git-config");
    assert.deepEqual(mounted?.["secret"], { secretName: "our-git-config", defaultMode: 0o400 });
    assert.ok(!objects.some(({ metadata }) => metadata.name === "our-git-config"));
  });
});

describe("podSecurity=restricted", { skip: lacksHelm(), concurrency: 4 }, () => {
  it("gives fluxd nothing below root's home", async () => {
    const values = {
      podSecurity: "restricted",
      ssh: { known_hosts: "git.example.com ssh-ed25519 AAAA" },
      git: { config: { enabled: true, data: "[user]" } },
      gpgKeys: { secretName: "keys", configMapName: "public-keys" },
      registry: { acr: { enabled: true, secretName: "azure" } },
    };

    const [fluxd] = fluxdPod(await render({ values })).containers;

    assert.doesNotMatch(JSON.stringify(fluxd), /\/root/);
  });

  it("can be changed field by field", async () => {
    const values = {
      podSecurity: "restricted",
      podSecurityContext: { runAsUser: 0, runAsNonRoot: false },
      securityContext: { readOnlyRootFilesystem: true },
    };

    const { securityContext, containers } = fluxdPod(await render({ values }));

    assert.deepEqual(securityContext, {
      runAsNonRoot: false,
      runAsUser: 0,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(containers[0]?.securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    });
  });

  const refused: readonly (readonly [JsonObject, RegExp])[] = [
    [
      { extraVolumeMounts: [{ name: "aws", mountPath: "/root/.aws" }] },
      /can't read \/root\/\.aws: change extraVolumeMounts/,
    ],
    [{ registry: { acr: { enabled: true } } }, /set registry\.acr\.secretName/],
  ];
  for (const [values, message] of refused) {
    it(`is refused with what fluxd couldn't read then: ${JSON.stringify(values)}`, async () => {
      const { exit, stderr } = await tryRender({ values: { podSecurity: "restricted", ...values } });

      assert.notEqual(exit, 0);
      assert.match(stderr, message);
    });
  }
});

describe("the user of fluxd", { skip: lacksHelm(), concurrency: 4 }, () => {
  const group = { fsGroup: 1000 };
  const cases: readonly UserCase[] = [
    { values: {}, pod: undefined, container: { runAsUser: 0 }, isRoot: true },
    {
      values: { podSecurityContext: { runAsUser: 1000, runAsNonRoot: true } },
      pod: { ...group, runAsUser: 1000, runAsNonRoot: true },
      container: undefined,
      isRoot: false,
    },
    {
      values: { podSecurityContext: { runAsUser: 1234, fsGroup: 5678 } },
      pod: { runAsUser: 1234, fsGroup: 5678 },
      container: undefined,
      isRoot: false,
    },
    {
      values: { podSecurityContext: { runAsNonRoot: true } },
      pod: { ...group, runAsNonRoot: true },
      container: { runAsUser: 1000 },
      isRoot: false,
    },
    {
      values: { podSecurityContext: { runAsUser: 0 } },
      pod: { runAsUser: 0 },
      container: undefined,
      isRoot: true,
    },
    {
      values: { podSecurityContext: { fsGroup: 2000 } },
      pod: { fsGroup: 2000 },
      container: { runAsUser: 0 },
      isRoot: true,
    },
    {
      values: { podSecurityContext: { runAsUser: 0 }, securityContext: { runAsUser: 1001 } },
      pod: { ...group, runAsUser: 0 },
      container: { runAsUser: 1001 },
      isRoot: false,
    },
    {
      values: { securityContext: { runAsNonRoot: true, readOnlyRootFilesystem: true } },
      pod: group,
      container: { runAsUser: 1000, runAsNonRoot: true, readOnlyRootFilesystem: true },
      isRoot: false,
    },
  ];
  for (const { values, pod, container, isRoot } of cases) {
    it(`is what values say: ${JSON.stringify(values)}`, async () => {
      const mounts = { ssh: { known_hosts: "git.example.com ssh-ed25519 AAAA" } };

      const { securityContext, containers } = fluxdPod(await render({ values: { ...mounts, ...values } }));

      assert.deepEqual(securityContext, pod);
      assert.deepEqual(containers[0]?.securityContext, container);
      assert.equal(JSON.stringify(containers[0]).includes("/root/"), isRoot);
    });
  }

  it("must be able to read what is mounted", async () => {
    const values = {
      podSecurityContext: { runAsUser: 1000 },
      extraVolumeMounts: [{ name: "aws", mountPath: "/root/.aws" }],
    };

    const { exit, stderr } = await tryRender({ values });

    assert.notEqual(exit, 0);
    assert.match(stderr, /can't read \/root\/\.aws: change extraVolumeMounts/);
  });
});

describe("helm test", { skip: lacksHelm() }, () => {
  it("asks the Service of the release, from the image of the release", async () => {
    const values = { service: { port: 80 }, image: { repository: "registry.example.com/weir", tag: "1" } };

    const [pod] = await renderTests({ values, release: "prod", namespace: "ops" });

    const { containers } = pod?.spec as { readonly containers: readonly [JsonObject] };
    const { image, command, args } = containers[0];
    assert.deepEqual(
      { image, command, args },
      {
        image: "registry.example.com/weir:1",
        command: ["fluxctl"],
        args: ["check", "--url=http://prod-flux.ops:80/api/flux"],
      },
    );
  });
});

interface Schema {
  readonly properties: Readonly<Record<string, Partial<Schema>>>;
}

/** The keys of each section; "." is the top. */
function sectionsOf({ properties }: Schema, path = "."): Readonly<Record<string, readonly string[]>> {
  const below = Object.entries(properties).flatMap(([key, { properties: inner }]) =>
    inner === undefined
      ? []
      : Object.entries(sectionsOf({ properties: inner }, path === "." ? key : `${path}.${key}`)),
  );
  return { [path]: Object.keys(properties), ...Object.fromEntries(below) };
}

/** The keys that values have in each of these sections. */
function sortedKeys(
  values: JsonObject,
  sections: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  const keys = Object.keys(sections).map((section) => {
    const steps = section === "." ? [] : section.split(".");
    const fields = steps.reduce<JsonObject>((above, step) => {
      const field = above[step];
      return field !== undefined && isJsonObject(field) ? field : {};
    }, values);
    return [section, Object.keys(fields).toSorted()];
  });
  return Object.fromEntries(keys) as Readonly<Record<string, readonly string[]>>;
}

function sortedSections(
  sections: Readonly<Record<string, readonly string[]>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(sections).map(([section, keys]) => [section, keys.toSorted()]));
}

interface UserCase {
  readonly values: JsonObject;
  /** The security contexts of the pod and of fluxd's container. */
  readonly pod: JsonObject | undefined;
  readonly container: JsonObject | undefined;
  /** Whether fluxd has its files in root's home. */
  readonly isRoot: boolean;
}
