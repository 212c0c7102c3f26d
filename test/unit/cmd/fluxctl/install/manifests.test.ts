import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { installFiles } from "../../../../../cmd/fluxctl/install/manifests.ts";
import type { InstallParameters } from "../../../../../cmd/fluxctl/install/parameters.ts";

const plain: InstallParameters = {
  image: "example.test/weir:1",
  namespace: "flux",
  createNamespace: false,
  gitUrl: "git@example.test:org/repo",
  gitBranch: "main",
  gitPaths: [],
  gitLabel: "flux",
  gitUser: "Flux",
  gitEmail: "flux@example.test",
  gitReadonly: false,
  manifestGeneration: false,
  registryDisableScanning: false,
  memcached: true,
  memcachedNetworkPolicy: false,
  addSecurityContext: true,
  allowedNamespaces: [],
  permissions: "everything",
  grants: [],
  podSecurity: "",
  fluxdArguments: [],
};

const sshConfig = join(import.meta.dirname, "../../../../../docker/ssh_config");

/** Where the comments say to mount a known_hosts file. */
function knownHostsFolder(changes: Partial<InstallParameters>): string | undefined {
  const files = installFiles({ ...plain, ...changes });
  const text = files.find(({ name }) => name === "flux-deployment.yaml")?.content ?? "";
  return /^ *# - name: ssh-config\n *# +mountPath: (.*)$/m.exec(text)?.[1];
}

/** What tests look at of a document. */
interface Document {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly object[];
  readonly subjects?: readonly object[];
  readonly spec?: {
    readonly template: {
      readonly metadata?: { readonly labels?: object };
      readonly spec: PodSpec;
    };
  };
}

interface PodSpec {
  readonly securityContext?: object;
  readonly containers: readonly {
    readonly image: string;
    readonly args: readonly string[];
    readonly securityContext?: object;
  }[];
}

function documentsOf(changes: Partial<InstallParameters>): readonly Document[] {
  return installFiles({ ...plain, ...changes }).flatMap(({ content }) =>
    parseAllDocuments(content).map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS() as Document;
    }),
  );
}

/** "Kind namespace/name", or "Kind name". */
function namesOf(documents: readonly Document[]): readonly string[] {
  return documents.map(({ kind, metadata: { namespace, name } }) =>
    namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
  );
}

function podOf(name: string, changes: Partial<InstallParameters>): PodSpec {
  const found = documentsOf(changes).find(
    ({ kind, metadata }) => kind === "Deployment" && metadata.name === name,
  );
  assert.ok(found?.spec);
  return found.spec.template.spec;
}

function argumentsOf(changes: Partial<InstallParameters>): readonly string[] {
  return podOf("flux", changes).containers.flatMap(({ args }) => args);
}

describe("installFiles", () => {
  it("begins with the namespace where that is to be made", () => {
    assert.equal(namesOf(documentsOf({ createNamespace: true }))[0], "Namespace flux");
  });

  it("has no memcached where fluxd keeps image metadata itself, and tells it so", () => {
    assert.deepEqual(
      namesOf(documentsOf({ memcached: false })).filter((name) => name.includes("memcached")),
      [],
    );
    assert.ok(argumentsOf({ memcached: false }).includes("--memcached-hostname="));
  });

  it("keeps all but fluxd from memcached where that is asked for, by the labels that their pods have", () => {
    const documents = documentsOf({ memcachedNetworkPolicy: true });
    const policy = documents.find(({ kind }) => kind === "NetworkPolicy");
    const labelsOf = (name: string): object | undefined =>
      documents.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === name)?.spec?.template
        .metadata?.labels;

    assert.deepEqual(policy?.metadata, { name: "memcached", namespace: "flux" });
    assert.deepEqual(policy.spec, {
      podSelector: { matchLabels: labelsOf("memcached") },
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: labelsOf("flux") } }],
          ports: [{ protocol: "TCP", port: 11211 }],
        },
      ],
    });
  });

  it("has no policy for a memcached that is not there", () => {
    const names = namesOf(documentsOf({ memcached: false, memcachedNetworkPolicy: true }));

    assert.ok(!names.includes("NetworkPolicy flux/memcached"));
  });

  it("grants Roles where fluxd works and one where it lives, and nothing in the whole cluster", () => {
    const documents = documentsOf({ permissions: "least", allowedNamespaces: ["shop", "web"] });

    assert.deepEqual(namesOf(documents).slice(0, 7), [
      "ServiceAccount flux/flux",
      "Role flux/flux-deploy-key",
      "RoleBinding flux/flux-deploy-key",
      "Role shop/flux",
      "RoleBinding shop/flux",
      "Role web/flux",
      "RoleBinding web/flux",
    ]);
    for (const { kind, subjects } of documents) {
      assert.ok(!kind.startsWith("ClusterRole"));
      const account = { kind: "ServiceAccount", name: "flux", namespace: "flux" };
      assert.deepEqual(subjects, kind === "RoleBinding" ? [account] : undefined);
    }
    assert.deepEqual(documents.find(({ kind }) => kind === "Role")?.rules, [
      {
        apiGroups: [""],
        resources: ["secrets"],
        resourceNames: ["flux-git-deploy"],
        verbs: ["get", "patch"],
      },
    ]);
  });

  it("keeps fluxd to its namespaces, whatever it is permitted", () => {
    assert.ok(argumentsOf({ allowedNamespaces: ["shop", "web"] }).includes("--k8s-allow-namespace=shop,web"));
  });

  it("runs nobody as root where pods are restricted", () => {
    for (const [name, runAsUser] of [
      ["flux", 1000],
      ["memcached", 11211],
    ] as const) {
      const pod = podOf(name, { podSecurity: "restricted" });

      assert.deepEqual(pod.securityContext, {
        runAsNonRoot: true,
        runAsUser,
        runAsGroup: runAsUser,
        fsGroup: runAsUser,
        seccompProfile: { type: "RuntimeDefault" },
      });
      assert.deepEqual(pod.containers[0]?.securityContext, {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("says where host keys have to be mounted, for root as in Flux v1 and for others where the image looks", () => {
    const files = /^ *GlobalKnownHostsFile (.*)$/m.exec(readFileSync(sshConfig, "utf8"))?.[1]?.split(" ");

    assert.equal(knownHostsFolder({}), "/root/.ssh");
    assert.ok(files?.includes(`${knownHostsFolder({ podSecurity: "restricted" })}/known_hosts`));
  });

  it("has no security context of memcached where that is switched off", () => {
    assert.equal(podOf("memcached", { addSecurityContext: false }).containers[0]?.securityContext, undefined);
  });

  it("keeps what is given as one value, whatever it looks like", () => {
    const odd = { gitUser: 'Jo: "the bot" #1', namespace: "123", fluxdArguments: ["--git-ci-skip", "yes"] };

    const documents = documentsOf({ ...odd, image: "example.test/a:b # c" });

    assert.ok(argumentsOf(odd).includes('--git-user=Jo: "the bot" #1'));
    assert.deepEqual(argumentsOf(odd).slice(-2), ["--git-ci-skip", "yes"]);
    assert.deepEqual(documents.at(-1)?.metadata, { name: "flux", namespace: "123" });
    assert.equal(documents.at(-1)?.spec?.template.spec.containers[0]?.image, "example.test/a:b # c");
  });
});
