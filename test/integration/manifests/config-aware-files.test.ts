import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { type Clock, Deadline, systemClock } from "@weir/base";
import { parseImageRef, parseResourceId } from "@weir/flux";
import { dedent, FakeClock, TempFolder } from "@weir/testing";
import { ConfigAwareFiles, type ConfigAwareOptions } from "../../../src/manifests/config-aware-files.ts";
import { SecretValues } from "../../../src/manifests/generate/secret-values.ts";
import { configMap, deployment } from "../../support/manifests.ts";
import { scopes } from "../../support/parsed-manifests.ts";

const { signal } = new AbortController();
const web = parseResourceId("default:deployment/web");
const automate = { add: { automated: "true" }, remove: null };

describe("what a .flux.yaml generates", () => {
  it("is what its commands print, one after the other, and not what stands in files", async () => {
    using folder = new TempFolder();
    folder.write(".flux.yaml", generators("cat a.yaml", "cat sub/b.yaml; echo careful >&2"));
    folder.write("a.yaml", configMap("a").trimEnd());
    folder.write("sub/b.yaml", configMap("b"));
    folder.write("c.yaml", configMap("c"));

    const { resources } = await storeOf(folder).resources(signal);

    assert.deepEqual(
      [...resources.values()].map(({ id, source }) => [id, source]),
      [
        ["default:configmap/a", "./.flux.yaml"],
        ["default:configmap/b", "./.flux.yaml"],
      ],
    );
  });

  it("is run in the folder of the git path, by the first .flux.yaml on the way up to the root", async () => {
    using folder = new TempFolder();
    folder.write(".flux.yaml", generators('sed "s/NAME/${PWD##*/}/" "$TEMPLATE"'));
    folder.write("template", configMap("from-NAME"));
    folder.write("gen/one/ignored.yaml", configMap("ignored"));
    folder.write("gen/two/.flux.yaml", "{version: 1, scanForFiles: {}}");
    folder.write("gen/two/seen.yaml", configMap("seen"));
    folder.write("direct/.flux.yaml", generators("cat d.txt"));
    folder.write("direct/d.txt", configMap("direct"));
    const store = storeOf(folder, {
      paths: ["gen/one", "gen/two", "direct/.flux.yaml"],
      environment: { TEMPLATE: "../../template" },
    });

    const { resources } = await store.resources(signal);

    assert.deepEqual(
      [...resources.values()].map(({ id, source }) => [id, source]),
      [
        ["default:configmap/seen", "gen/two/seen.yaml"],
        ["default:configmap/from-one", "gen/one/../../.flux.yaml"],
        ["default:configmap/direct", "direct/.flux.yaml"],
      ],
    );
  });

  it("is made side by side by different .flux.yaml files", async () => {
    using folder = new TempFolder();
    // Each waits until the other has begun.
    const meet = (own: string, other: string): string =>
      generators(`touch ../${own}; while [ ! -e ../${other} ]; do sleep 0.01; done; cat c.txt`);
    for (const [own, other] of [
      ["one", "two"],
      ["two", "one"],
    ] as const) {
      folder.write(`path-${own}/.flux.yaml`, meet(own, other));
      folder.write(`path-${own}/c.txt`, configMap(own));
    }

    const { resources } = await storeOf(folder, { paths: ["path-two", "path-one"] }).resources(signal);

    assert.deepEqual([...resources.keys()], ["default:configmap/two", "default:configmap/one"]);
  });

  it("fails with the name of the tool that isn't installed, and of the image that has it", async () => {
    using folder = new TempFolder();
    folder.write(".flux.yaml", generators("kustomize build ."));
    const store = storeOf(folder, { environment: { PATH: folder.path } });

    await assert.rejects(store.resources(signal), {
      name: "ManifestError",
      message:
        /^error executing generator command "kustomize build \." from file "\.flux\.yaml": exit status 127: kustomize isn't installed; run fluxd in the image docker\.io\/weirdev\/weir:\S+, which has it, or install kustomize\n/,
    });
  });

  it("fails by the name of the file and the command, with what it said", async () => {
    using folder = new TempFolder();
    folder.write("app/.flux.yaml", generators("cat fine.txt", "echo oh no >&2; exit 3"));
    folder.write("app/fine.txt", configMap("fine"));

    await assert.rejects(storeOf(folder, { paths: ["app"] }).resources(signal), {
      name: "ManifestError",
      source: "app/.flux.yaml",
      message:
        'error executing generator command "echo oh no >&2; exit 3" from file ".flux.yaml": exit status 3\nerror output:\noh no\n\ngenerated output:\noh no\n',
    });
  });

  it("fails where a command takes longer than it may, by its own limit or by that of all", async () => {
    using folder = new TempFolder();
    folder.write("own/.flux.yaml", generators("{command: sleep 1000, timeout: 1s}"));
    folder.write("standard/.flux.yaml", generators("sleep 1000"));

    const clock = new FakeClock();
    const rejects = async (ms: number, message: RegExp, loading: Promise<unknown>): Promise<void> => {
      const rejected = assert.rejects(loading, { message });
      await clock.sleeping(ms);
      await clock.advance(ms);
      await rejected;
    };

    await rejects(
      1_000,
      /^error executing generator command "sleep 1000" .*: context deadline exceeded: stopped after 1s\n/,
      storeOf(folder, { paths: ["own"], clock }).resources(signal),
    );
    await rejects(
      60_000,
      /: context deadline exceeded: stopped after 1m0s\n/,
      storeOf(folder, { paths: ["standard"], clock }).resources(signal),
    );
    using sync = new Deadline(clock, 50_000);
    const loading = storeOf(folder, { paths: ["standard"], clock }).resources(sync.signal);
    await clock.sleeping(60_000);
    await rejects(
      50_000,
      /: context deadline exceeded: stopped because the time limit for the whole sync .* was reached\n/,
      loading,
    );
  });

  it("fails where its .flux.yaml is too large, or what the commands of one print together", async () => {
    using folder = new TempFolder();
    folder.write("large/.flux.yaml", `${generators("true")}# ${"-".repeat(2 ** 20)}\n`);
    const half = "head -c 17000000 /dev/zero | tr '\\0' '#'";
    folder.write("loud/.flux.yaml", generators(half, half));

    await assert.rejects(storeOf(folder, { paths: ["large"] }).resources(signal), {
      message:
        /^cannot parse config file: cannot read: it's too large: it has \d+ bytes, and the limit is 1048576; /,
    });
    await assert.rejects(storeOf(folder, { paths: ["loud"] }).resources(signal), {
      message: /: stopped because it printed more than 16554432 bytes\n/,
    });
  });

  it("fails where it is no YAML, no manifest, or there twice", async () => {
    using folder = new TempFolder();
    folder.write("broken/.flux.yaml", generators("echo 'a: b: c'"));
    folder.write("twice/.flux.yaml", generators("cat c.txt", "cat c.txt"));
    folder.write("twice/c.txt", configMap("c"));

    await assert.rejects(storeOf(folder, { paths: ["broken"] }).resources(signal), {
      name: "ManifestError",
      message: /^scanning multidoc from "broken\/\.flux\.yaml": yaml: .*mapping values are not allowed/,
    });
    await assert.rejects(storeOf(folder, { paths: ["twice"] }).resources(signal), {
      name: "DuplicateManifestError",
      message: "duplicate definition of 'default:configmap/c' (in twice/.flux.yaml)",
    });
  });

  it("in quarantine leaves the rest as it is, and says that it is not all", async () => {
    using folder = new TempFolder();
    folder.write("bad/.flux.yaml", generators("exit 1"));
    folder.write("broken/.flux.yaml", "version: 2");
    folder.write("good/.flux.yaml", generators("cat c.txt"));
    folder.write("good/c.txt", configMap("c"));
    const store = storeOf(folder, { paths: ["bad", "broken", "good"], quarantine: true });

    const { resources, complete, incompleteFiles, problems } = await store.resources(signal);

    assert.deepEqual([...resources.keys()], ["default:configmap/c"]);
    assert.deepEqual([complete, problems.length], [false, 2]);
    assert.deepEqual(incompleteFiles, ["broken/.flux.yaml", "bad/.flux.yaml"]);
  });
});

describe("a .flux.yaml that leads out of the repository", () => {
  it("is refused, by whatever way it leads there", async () => {
    using outside = new TempFolder();
    using folder = new TempFolder();
    outside.write(".flux.yaml", generators("cat c.txt"));
    outside.write("c.txt", configMap("theirs"));
    outside.write("patch.yaml", "");
    mkdirSync(join(folder.path, "app"));
    symlinkSync(outside.path, join(folder.path, "linked-folder"));
    symlinkSync(join(outside.path, ".flux.yaml"), join(folder.path, "app", ".flux.yaml"));
    folder.write("up/.flux.yaml", patched("true", `../../${basename(outside.path)}/patch.yaml`));
    folder.write("through/.flux.yaml", patched("true", "../linked-folder/new.yaml"));
    folder.write("link/.flux.yaml", patched("true", "patch.yaml"));
    symlinkSync(join(outside.path, "patch.yaml"), join(folder.path, "link", "patch.yaml"));

    const refusals: readonly (readonly [path: string, message: RegExp])[] = [
      [
        "../",
        /^error finding a config file starting at path "\.\.": path ".*" is outside of base directory /,
      ],
      [
        "linked-folder",
        /^error finding a config file starting at path "linked-folder": path ".*" is outside of /,
      ],
      [
        "missing/",
        /^error finding a config file starting at path "missing": stat .*missing: no such file or dir/,
      ],
      ["app", /^cannot parse config file: cannot read: it's a link that leads out of the repository$/],
      ["up", /^patchFile "\.\.\/\.\.\/.*\/patch\.yaml" of "\.flux\.yaml" leads out of the repository$/],
      [
        "through",
        /^patchFile "\.\.\/linked-folder\/new\.yaml" of "\.flux\.yaml" leads out of the repository$/,
      ],
      ["link", /^patchFile "patch\.yaml" of "\.flux\.yaml" cannot be read: it's a link that leads out of /],
    ];
    for (const [path, message] of refusals) {
      await assert.rejects(storeOf(folder, { paths: [path] }).resources(signal), {
        name: "ManifestError",
        message,
      });
    }
  });
});

describe("a git path that is not there", () => {
  it("is told in its turn, after a .flux.yaml of an earlier path that cannot be read", async () => {
    using folder = new TempFolder();
    folder.write("bad/.flux.yaml", "version: 1\n");
    folder.write("raw/x.yaml", "[");

    const refused = (paths: readonly string[], message: RegExp) =>
      assert.rejects(storeOf(folder, { paths }).resources(signal), { name: "ManifestError", message });
    await refused(["bad", "gone"], /^cannot parse config file: /);
    await refused(["gone", "bad"], /starting at path "gone": /);
    await refused(["raw", "gone"], /starting at path "gone": /);
  });
});

describe("commandUpdated", () => {
  const file = dedent(`
    version: 1
    commandUpdated:
      generators:
      - command: cat web.txt
      updaters:
      - containerImage:
          command: 'sed -i "s|image: .*|image: $FLUX_IMG:$FLUX_TAG|" web.txt'
        policy:
          command: env | grep ^FLUX_ | sort >> told; echo >> told
  `);

  it("lets its commands set an image, and sees what they did", async () => {
    using folder = new TempFolder();
    folder.write(".flux.yaml", file);
    folder.write("web.txt", deployment("web", "org/app:1"));
    const store = storeOf(folder);

    await store.setWorkloadImage(web, "main", parseImageRef("quay.io/org/app:2"), signal);

    const { resources } = await store.resources(signal);
    assert.equal(resources.get(web)?.containers?.[0]?.image.tag, "2");
  });

  it("gives its commands nothing but PATH, the workload, one policy at a time, and what they are known by", async () => {
    using folder = new TempFolder();
    folder.write(
      ".flux.yaml",
      file.replace("env | grep ^FLUX_", "env | grep -v -e PWD -e SHLVL -e ^_= -e ^PATH= -e ^WEIR_RUN="),
    );
    folder.write("web.txt", deployment("web"));
    const store = storeOf(folder, { environment: { GIT_PASSWORD: "not for updaters" } });

    const changed = await store.updateWorkloadPolicies(
      web,
      { add: { tag_all: "semver:1" }, remove: { locked: "true" } },
      signal,
    );

    assert.ok(changed);
    const about = [
      "FLUX_WL_KIND=deployment",
      "FLUX_WL_NAME=web",
      "FLUX_WL_NS=default",
      `FLUX_WORKLOAD=${web}`,
    ];
    assert.deepEqual(readFileSync(join(folder.path, "told"), "utf8").split("\n"), [
      "FLUX_POLICY=tag.main",
      "FLUX_POLICY_VALUE=semver:1",
      ...about,
      "",
      "FLUX_POLICY=locked",
      ...about,
      "",
      "",
    ]);
  });

  it("says which command failed, or that there is none", async () => {
    using folder = new TempFolder();
    folder.write("bad/.flux.yaml", file.replace("env |", "echo so far; echo no >&2; exit 2; env |"));
    folder.write("none/.flux.yaml", generators("cat web.txt"));
    for (const path of ["bad", "none"]) {
      folder.write(`${path}/web.txt`, deployment("web"));
    }

    await assert.rejects(storeOf(folder, { paths: ["bad"] }).updateWorkloadPolicies(web, automate, signal), {
      name: "ManifestError",
      message:
        /^error executing annotation updater command "echo so far; .*" from file "bad\/\.flux\.yaml": exit status 2\noutput:\n(so far\nno\n|no\nso far\n)$/,
    });
    const without = storeOf(folder, { paths: ["none"] });
    await assert.rejects(without.updateWorkloadPolicies(web, automate, signal), {
      name: "NoUpdatersError",
      message: "no updaters.policy commands to run in .flux.yaml (from path none)",
    });
    await assert.rejects(without.setWorkloadImage(web, "main", parseImageRef("a:1"), signal), {
      message: "no update.containerImage commands to run in .flux.yaml (from path none)",
    });
  });

  it("changes the files of paths without a .flux.yaml in place", async () => {
    using folder = new TempFolder();
    folder.write("gen/.flux.yaml", generators("cat c.txt"));
    folder.write("gen/c.txt", configMap("c"));
    const path = folder.write("plain/web.yaml", deployment("web"));
    const store = storeOf(folder, { paths: ["gen", "plain"] });

    assert.ok(await store.updateWorkloadPolicies(web, automate, signal));

    assert.match(readFileSync(path, "utf8"), /fluxcd.io\/automated: 'true'/);
    assert.deepEqual((await store.resources(signal)).resources.get(web)?.policies, { automated: "true" });
  });
});

describe("patchUpdated", () => {
  it("keeps changes in its patch file, and runs its generators once", async () => {
    using folder = new TempFolder();
    folder.write("app/.flux.yaml", patched("echo run >> ../runs; cat web.txt c.txt", "changes/patch.yaml"));
    folder.write("app/web.txt", `${deployment("web", "org/app:1")}---\n`);
    folder.write("app/c.txt", configMap("c"));
    mkdirSync(join(folder.path, "app", "changes"));
    const store = storeOf(folder, { paths: ["app"] });

    const changed = [
      await store.updateWorkloadPolicies(web, automate, signal),
      await store.updateWorkloadPolicies(web, automate, signal),
    ];
    await store.setWorkloadImage(web, "main", parseImageRef("org/app:2"), signal);

    const { resources } = await store.resources(signal);
    assert.deepEqual(changed, [true, false]);
    assert.deepEqual(resources.get(web)?.policies, { automated: "true" });
    assert.equal(resources.get(web)?.containers?.[0]?.image.tag, "2");
    assert.equal(readFileSync(join(folder.path, "runs"), "utf8"), "run\n");
    const patch = join(folder.path, "app", "changes", "patch.yaml");
    assert.equal(statSync(patch).mode & 0o777, 0o600);
    assert.equal(
      readFileSync(patch, "utf8"),
      dedent(`
        ---
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          annotations:
            fluxcd.io/automated: "true"
          name: web
          namespace: default
        spec:
          template:
            spec:
              $setElementOrder/containers:
              - name: main
              containers:
              - image: org/app:2
                name: main
      `),
    );
  });

  it("says what is wrong with its patch file", async () => {
    using folder = new TempFolder();
    folder.write("nowhere/.flux.yaml", patched("true", "changes/patch.yaml"));
    folder.write("lost/.flux.yaml", patched("true", "patch.yaml"));
    folder.write("lost/patch.yaml", configMap("lost"));
    folder.write("broken/.flux.yaml", patched("true", "patch.yaml"));
    folder.write("broken/patch.yaml", "kind: [");
    folder.write("twice/.flux.yaml", patched("cat c.txt c.txt", "patch.yaml"));
    folder.write("twice/c.txt", `${configMap("c")}---\n`);

    const faults: readonly (readonly [path: string, message: RegExp])[] = [
      ["nowhere", /^base directory \("changes"\) of patchFile \("changes\/patch\.yaml"\) does not exist$/],
      [
        "lost",
        /^processing "\.flux\.yaml", cannot apply patchFile "patch\.yaml" to generated resources: patch refers to missing resource \(default:configmap\/lost\)$/,
      ],
      [
        "broken",
        /^processing "\.flux\.yaml", cannot apply patchFile .* resources: cannot parse patch\.yaml: /,
      ],
      [
        "twice",
        /^processing "\.flux\.yaml", .*: duplicate definition of 'default:configmap\/c' \(in twice\/\.flux\.yaml\)$/,
      ],
    ];
    for (const [path, message] of faults) {
      await assert.rejects(storeOf(folder, { paths: [path] }).resources(signal), {
        name: "ManifestError",
        message,
      });
    }
  });
});

describe("an error of a command", () => {
  const secret = (value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default}\nstringData: {password: ${value}}\n`;

  it("holds nothing of a Secret: printed before, in the files, or known from an earlier load", async () => {
    using folder = new TempFolder();
    folder.write("printed/.flux.yaml", generators(`cat s.txt; echo "bad: canary-printed" >&2; exit 1`));
    folder.write("printed/s.txt", secret("canary-printed"));
    folder.write("filed/.flux.yaml", generators(`cat ../kept/s.yaml >&2; exit 1`));
    folder.write("kept/s.yaml", secret("canary-filed"));
    folder.write(
      "known/.flux.yaml",
      generators(`[ ! -e fail ] || { echo canary-known >&2; exit 1; }; sed s/@/canary-known/ s.txt`),
    );
    folder.write("known/s.txt", secret("@"));
    folder.write("broken/.flux.yaml", generators(`cat s.txt; echo "? canary-broken"; exit 1`));
    folder.write("broken/s.txt", secret("canary-broken"));
    folder.write(
      "updated/.flux.yaml",
      `${generators("cat web.txt")}  updaters: [{policy: {command: cat ../kept/s.yaml; exit 1}}]\n`,
    );
    folder.write("updated/web.txt", deployment("web"));
    const secrets = new SecretValues();

    const messages = [
      await failureOf(storeOf(folder, { paths: ["printed"], secrets }).resources(signal)),
      await failureOf(storeOf(folder, { paths: ["filed"], secrets }).resources(signal)),
      await failureOf(storeOf(folder, { paths: ["broken"], secrets }).resources(signal)),
      await failureOf(
        storeOf(folder, { paths: ["updated"], secrets }).updateWorkloadPolicies(web, automate, signal),
      ),
    ];
    await storeOf(folder, { paths: ["known"], secrets }).resources(signal);
    folder.write("known/fail", "");
    messages.push(await failureOf(storeOf(folder, { paths: ["known"], secrets }).resources(signal)));

    for (const message of messages) {
      assert.match(message, /^error executing /);
      assert.doesNotMatch(message.replace(/ command ".*?" from file/, ""), /canary/);
    }
    assert.match(messages[0] ?? "", /bad: <hidden>/);
  });
});

interface StoreOptions extends Partial<ConfigAwareOptions> {
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly secrets?: SecretValues;
  readonly clock?: Clock;
}

function storeOf(folder: TempFolder, options: StoreOptions = {}): ConfigAwareFiles {
  const {
    environment = {},
    timeout = 60_000,
    secrets = new SecretValues(),
    clock = systemClock,
    ...rest
  } = options;
  const generation = { environment: { PATH: process.env["PATH"], ...environment }, timeout, clock, secrets };
  return new ConfigAwareFiles({
    root: folder.path,
    paths: [],
    scopes: scopes({ Secret: "namespaced" }),
    generation,
    ...rest,
  });
}

/** A .flux.yaml of commands, each a text or a mapping as YAML has it. */
function generators(...commands: readonly string[]): string {
  const items = commands.map((command) =>
    command.startsWith("{command") ? command : `{command: ${JSON.stringify(command)}}`,
  );
  return `version: 1\ncommandUpdated:\n  generators: [${items.join(", ")}]\n`;
}

function patched(command: string, patchFile: string): string {
  return `version: 1\npatchUpdated:\n  generators: [{command: ${JSON.stringify(command)}}]\n  patchFile: ${patchFile}\n`;
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error("it did not fail");
}
