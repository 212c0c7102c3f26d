import assert from "node:assert/strict";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { it } from "node:test";
import { configMapPath, dedent, describeOnEachCluster, TempFolder } from "@weir/testing";
import { type FluxctlResult, runFluxctl } from "../support/fluxctl.ts";
import { KnownImages } from "../support/known-images.ts";
import { configMap, deployment, namespace } from "../support/manifests.ts";
import { OwnFluxd } from "../support/own-fluxd.ts";
import { TestRepository } from "../support/repository.ts";

const definition = dedent(`
  apiVersion: apiextensions.k8s.io/v1
  kind: CustomResourceDefinition
  metadata: { name: gadgets.diff.example.test }
  spec:
    group: diff.example.test
    names: { kind: Gadget, plural: gadgets, singular: gadget }
    scope: Namespaced
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: integer, minimum: 1 } } }
`);

function gadget(name: string, size: number): string {
  return dedent(`
    apiVersion: diff.example.test/v1
    kind: Gadget
    metadata: { name: ${name}, namespace: lab }
    spec: { size: ${size} }
  `);
}

function secret(name: string, value: string): string {
  return dedent(`
    apiVersion: v1
    kind: Secret
    metadata: { name: ${name}, namespace: default }
    stringData: { password: ${value} }
  `);
}

/** A clone in which somebody works. */
async function change(
  { workTree }: TestRepository,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(workTree, path);
    if (text === null) {
      await rm(file);
    } else {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
  }
}

/** The lines of `-o short`, with one blank between words. */
function linesOf({ stdout }: FluxctlResult): readonly string[] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replaceAll(/ +/g, " "));
}

describeOnEachCluster("fluxctl diff of a folder", (cluster) => {
  async function started(
    stack: AsyncDisposableStack,
    files: Readonly<Record<string, string>>,
    ...flags: readonly string[]
  ) {
    const repository = stack.use(await TestRepository.create(files));
    const { kubeconfigPath } = cluster;
    const fluxd = stack.use(
      await OwnFluxd.start({ repository, kubeconfigPath, flags, images: new KnownImages({}) }),
    );
    const env = { FLUX_URL: fluxd.apiUrl, KUBECONFIG: kubeconfigPath, HOME: fluxd.folder };
    const diff = (...args: readonly string[]): Promise<FluxctlResult> => runFluxctl(["diff", ...args], env);
    return { repository, diff, fluxd };
  }

  it("says what would change if its files, committed or not, were what git has", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, diff } = await started(
      stack,
      {
        ".gitignore": "ignored.yaml\n",
        "web.yaml": deployment("local-web"),
        "gone.yaml": configMap("local-gone"),
        "secret.yaml": secret("local-secret", "canary-before"),
      },
      "--sync-garbage-collection",
    );
    const local = `--local=${repository.workTree}`;
    const before = await diff(local);
    await change(repository, {
      "web.yaml": deployment("local-web", "example.test/app:2"),
      "gone.yaml": null,
      "secret.yaml": secret("local-secret", "canary-after"),
      "ignored.yaml": configMap("local-ignored"),
      "lab/namespace.yaml": namespace("lab"),
      "lab/gadget.yaml": `${definition}---\n${gadget("fine", 1)}`,
      "lab/settings.yaml": configMap("local-settings", "v1", "lab"),
    });

    const short = await diff(local, "-o", "short");
    const full = await diff(local);

    assert.deepEqual(
      [before.exit, before.stdout, before.stderr.trim()],
      [0, "", `In ${repository.workTree}: nothing to change.`],
    );
    assert.equal(short.exit, 1, short.stderr);
    assert.deepEqual(linesOf(short), [
      "create <cluster>:customresourcedefinition/gadgets.diff.example.test lab/gadget.yaml",
      "create <cluster>:namespace/lab lab/namespace.yaml",
      "delete default:configmap/local-gone",
      "change default:deployment/local-web web.yaml",
      "change default:secret/local-secret secret.yaml",
      "create lab:configmap/local-settings lab/settings.yaml not checked: the same sync creates Namespace lab",
      "create lab:gadget/fine lab/gadget.yaml not checked: the same sync creates CustomResourceDefinition gadgets.diff.example.test",
    ]);
    assert.match(full.stdout, /^-\s+- image: example.test\/app:1\n\+\s+- image: example.test\/app:2$/m);
    assert.match(full.stdout, /^-\s+password: \+{8}\n\+\s+password: \+{9}$/m);
    assert.doesNotMatch(full.stdout + full.stderr, /canary|fluxcd\.io\/sync/);
    assert.equal(await cluster.kube.get(configMapPath("local-settings", "lab")), undefined);
    assert.notEqual(await cluster.kube.get(configMapPath("local-gone")), undefined);
  });

  it("goes by the paths and namespaces of fluxd", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, diff } = await started(
      stack,
      { "deploy/a.yaml": configMap("paths-a"), "other/b.yaml": configMap("paths-b") },
      "--git-path=deploy",
      "--k8s-allow-namespace=default",
    );
    await change(repository, {
      "deploy/a.yaml": configMap("paths-a", "v2"),
      "deploy/c.yaml": configMap("paths-c", "v1", "kube-public"),
      "other/b.yaml": configMap("paths-b", "v2"),
    });

    const short = await diff(`--local=${repository.workTree}`, "-o", "short");
    const nowhere = await diff(`--local=${join(repository.workTree, "other")}`);

    assert.deepEqual(linesOf(short), [
      "change default:configmap/paths-a deploy/a.yaml",
      "leave kube-public:configmap/paths-c excluded by namespace constraints",
    ]);
    assert.equal(nowhere.exit, 2);
    assert.match(nowhere.stderr, /has no deploy, which is one of the git paths/);
  });

  it("doesn't run generators unless it's asked to, and says what it can't compare", async () => {
    await using stack = new AsyncDisposableStack();
    const generator = `version: 1\ncommandUpdated:\n  generators: [{ command: "cat a.txt; touch ran" }]\n`;
    const { repository, diff } = await started(
      stack,
      { ".flux.yaml": generator, "a.txt": configMap("generated-a") },
      "--manifest-generation",
      "--sync-garbage-collection",
    );
    await change(repository, { "a.txt": configMap("generated-a", "v2") });
    const local = `--local=${repository.workTree}`;

    const without = await diff(local, "-o", "name");
    const run = await diff(local, "-o", "name", "--run-generators");

    assert.deepEqual([without.exit, without.stdout], [0, ""]);
    assert.match(without.stderr, /commands in \.\/\.flux\.yaml were not run.*\n.*Deletions are not shown/);
    assert.deepEqual([run.exit, run.stdout], [1, "default:configmap/generated-a\n"]);
    await assert.rejects(stat(join(repository.workTree, "ran")), /ENOENT/);
  });

  it("gives the same result with a snapshot as with the cluster, and no snapshot holds a secret", async () => {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(new TempFolder());
    const { repository, diff } = await started(
      stack,
      {
        "web.yaml": deployment("snap-web"),
        "gone.yaml": configMap("snap-gone"),
        "same.yaml": secret("snap-same", "canary-same"),
        "secret.yaml": secret("snap-secret", "canary-before"),
      },
      "--sync-garbage-collection",
    );
    const file = join(folder.path, "snapshot.json");
    const saved = await diff(`--save-snapshot=${file}`);
    await change(repository, {
      "web.yaml": deployment("snap-web", "example.test/app:2"),
      "gone.yaml": null,
      "new.yaml": configMap("snap-new"),
      "secret.yaml": secret("snap-secret", "canary-after"),
    });

    const online = await diff(`--local=${repository.workTree}`, "-o", "short");
    const offline = await runFluxctl([
      "diff",
      `--local=${repository.workTree}`,
      "--offline",
      `--snapshot=${file}`,
      "-o",
      "short",
    ]);

    assert.equal(saved.exit, 0, saved.stderr);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const text = await readFile(file, "utf8");
    assert.doesNotMatch(text, new RegExp(`canary|${Buffer.from("canary").toString("base64")}`));
    assert.deepEqual(linesOf(offline), [
      "delete default:configmap/snap-gone",
      "create default:configmap/snap-new new.yaml",
      "change default:deployment/snap-web web.yaml",
      "change default:secret/snap-secret secret.yaml",
    ]);
    assert.deepEqual([offline.exit, offline.stdout], [online.exit, online.stdout]);
  });

  it("reports the same mistakes without the cluster as the API server", async () => {
    await using stack = new AsyncDisposableStack();
    const { repository, diff } = await started(stack, { "a.yaml": configMap("mistakes-a") });
    await change(repository, {
      "selector.yaml": deployment("mistakes-web").replace(
        "app: mistakes-web\n  template",
        "app: other\n  template",
      ),
      "several.yaml": [
        configMap("mistakes-fine"),
        configMap("Mistakes_Name"),
        deployment("mistakes-image").replace("          image: example.test/app:1\n", ""),
      ].join("---\n"),
      "secret.yaml": secret("mistakes-secret", "fine").replace(
        "stringData: { password: fine }",
        'data: { password: "canary is no base64" }',
      ),
      "service.yaml": dedent(`
        apiVersion: v1
        kind: Service
        metadata: { name: mistakes-service, namespace: default }
        spec: { ports: [{ port: 70000 }] }
      `),
      "namespace.yaml": configMap("mistakes-nowhere", "v1", "Not_A_Namespace"),
      "replicas.yaml": deployment("mistakes-replicas").replace("replicas: 1", "replicas: many"),
      "broken.yaml": "kind: [",
    });
    const local = `--local=${repository.workTree}`;

    const online = await diff(local, "-o", "name");
    const offline = await diff(local, "--offline", "-o", "name");

    const problems = ({ stderr }: FluxctlResult): readonly string[] =>
      stderr.split("\n").filter((line) => /^\w+\.yaml:\d+: /.test(line));
    assert.deepEqual([online.exit, offline.exit], [2, 2]);
    assert.deepEqual(
      problems(online).map((line) => line.split(": ").slice(0, 2).join(": ")),
      [
        'broken.yaml:2: scanning multidoc from "broken.yaml"',
        "namespace.yaml:1: Not_A_Namespace:configmap/mistakes-nowhere",
        'replicas.yaml:1: parsing YAML doc from "replicas.yaml"',
        "secret.yaml:1: default:secret/mistakes-secret",
        "selector.yaml:1: default:deployment/mistakes-web",
        "service.yaml:1: default:service/mistakes-service",
        "several.yaml:9: default:configmap/Mistakes_Name",
        "several.yaml:17: default:deployment/mistakes-image",
      ],
    );
    assert.deepEqual(problems(offline), problems(online));
    assert.doesNotMatch(online.stderr + offline.stderr, /canary/);
  });
});
