import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { until } from "@weir/testing";
import { fluxctlInstall, withImage } from "../../support/flux-installs.ts";
import { PodWorld } from "../../support/pods/pod-world.ts";
import { weirImageName } from "../../support/pods/switch/images.ts";

const secret = "flux-git-deploy";

describe("fluxd in a pod says what is missing, and what to do:", { skip: PodWorld.lacks() }, () => {
  let world: PodWorld;
  before(async () => {
    world = await PodWorld.start();
  });
  after(() => world[Symbol.asyncDispose]());

  it("a flag that it doesn't have", async () => {
    await install("unknown-flag", { extraArgs: ["--git-signing-kye=ABC"] });

    await refusal("unknown-flag", [/unknown flag: --git-signing-kye/, /--git-signing-key/]);
  });

  it("the mount of a deploy key that the Secret holds; the key stays there", async () => {
    const namespace = "unmounted";
    await install(namespace, {
      edit: (pod) => ({
        ...pod,
        volumes: pod.volumes.slice(1),
        containers: pod.containers.map(withoutFirst),
      }),
      key: "a key that git servers know",
    });

    await refusal(namespace, [
      /\/etc\/fluxd\/ssh\/identity/,
      /unmounted\/flux-git-deploy/,
      /mount the Secret/,
    ]);
    const { data } = (await world.kube.get(`/api/v1/namespaces/${namespace}/secrets/${secret}`)) ?? {};
    assert.deepEqual(data, { identity: base64("a key that git servers know") });
  });

  it("the image that runs as root, or a group for its files, where only root may read the deploy key", async () => {
    await install("unreadable", { image: "weir:test", key: "a key" });

    await refusal("unreadable", [
      /\/etc\/fluxd\/ssh\/identity\b.* Permission denied/,
      /set fsGroup in its securityContext, or use the tag of Weir's image that ends in -root/,
    ]);
  });

  it("the right to write the Secret with the deploy key", async () => {
    await install("no-secret", { rules: [{ ...everything, verbs: ["get", "list", "watch"] }] });

    await refusal("no-secret", [/no-secret\/flux-git-deploy/, /grant .* patch on secrets/]);
  });

  it("the right to list kinds of workloads", async () => {
    const namespace = "no-list";
    const rules = [{ apiGroups: [""], resources: ["secrets", "namespaces"], verbs: ["*"] }];
    await install(namespace, { rules });
    await world.kubectl.rolledOut({ namespace, name: "deployment/flux" });

    const { exit, stdout } = await world.fluxctl("check", `--k8s-fwd-ns=${namespace}`);

    assert.equal(exit, 1);
    assert.match(stdout, /failed +permissions .*list, watch deployments\.apps/);
    assert.match(stdout, /What to do: grant these permissions/);
  });

  /** Installs Weir by the manifests of fluxctl install, with something wrong in them. */
  async function install(namespace: string, mistake: Mistake): Promise<void> {
    const { extraArgs = [], image = weirImageName } = mistake;
    const shape = fluxctlInstall({
      namespace,
      gitUrl: "ssh://git@gitsrv/~/config.git",
      gitEmail: "flux@example.test",
      registryDisableScanning: true,
      extraArgs,
    });
    const { objects } = withImage(shape, image);
    const home = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await world.kubectl.apply([home, ...objects.map((object) => mistaken(object, namespace, mistake))]);
  }

  /** Waits until fluxd's last words say all of that. */
  async function refusal(namespace: string, words: readonly RegExp[]): Promise<void> {
    const logs = ["logs", "deployment/flux", "-n", namespace];
    await until(`the refusal in ${namespace}`, async () => {
      const { stdout } = await world.kubectl.run(logs);
      return words.every((word) => word.test(stdout));
    });
  }
});

/** What is wrong in an installation. */
interface Mistake {
  readonly extraArgs?: readonly string[];
  /** Instead of the one for Deployments of Flux v1. */
  readonly image?: string;
  readonly edit?: (pod: PodSpec) => JsonObject;
  /** What the Secret holds as the deploy key. */
  readonly key?: string;
  /** What fluxd may do, instead of everything. */
  readonly rules?: readonly JsonObject[];
}

interface PodSpec extends JsonObject {
  readonly volumes: readonly JsonObject[];
  readonly containers: readonly Container[];
}

interface Container extends JsonObject {
  readonly volumeMounts: readonly JsonObject[];
}

interface DeploymentSpec extends JsonObject {
  readonly template: JsonObject & { readonly spec: PodSpec };
}

const everything = { apiGroups: ["*"], resources: ["*"], verbs: ["*"] };

function mistaken(object: KubeObject, namespace: string, { edit, key, rules }: Mistake): KubeObject {
  const { kind, metadata } = object;
  switch (kind) {
    case "ClusterRole":
      return { ...object, metadata: { ...metadata, name: namespace }, rules: rules ?? [everything] };
    case "ClusterRoleBinding": {
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: namespace };
      return { ...object, metadata: { ...metadata, name: namespace }, roleRef };
    }
    case "Secret":
      return key === undefined ? object : { ...object, data: { identity: base64(key) } };
    case "Deployment": {
      const { template, ...spec } = object.spec as DeploymentSpec;
      const pod = edit?.(template.spec) ?? template.spec;
      return { ...object, spec: { ...spec, template: { ...template, spec: pod } } };
    }
    default:
      return object;
  }
}

/** The first mount is that of the deploy key. */
function withoutFirst(container: Container): JsonObject {
  return { ...container, volumeMounts: container.volumeMounts.slice(1) };
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
