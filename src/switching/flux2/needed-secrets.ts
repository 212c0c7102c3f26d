import { partsOfResourceId } from "@weir/flux";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { signsWithOpenPgp } from "../../fluxd-flags/signing-key.ts";
import { verifyModeOf } from "../../fluxd-flags/verify-mode.ts";
import type { DaemonPod } from "../running-install/daemon-pod.ts";
import type { AutomatedImage } from "./automated-images.ts";
import type { NeededSecret } from "./exported-object.ts";
import type { Source } from "./git-repository.ts";

/** What determines the Secrets. */
export interface SecretSources {
  readonly flags: FluxdFlags;
  readonly pod: DaemonPod;
  readonly source: Source;
  /** The exported images. */
  readonly images: readonly AutomatedImage[];
  /** True if an ImageUpdateAutomation is exported. */
  readonly pushes: boolean;
}

/** The Secrets that the exported objects use, and how to create them. Doesn't read their values. */
export function neededSecrets(sources: SecretSources): readonly NeededSecret[] {
  return [...gitSecret(sources), ...keySecrets(sources), ...pullSecrets(sources)];
}

function gitSecret({ flags, pod, source }: SecretSources): readonly NeededSecret[] {
  const { url, secrets, namespace } = source;
  switch (url.access) {
    case "open":
      return [];
    case "password":
      return [
        {
          name: secrets.git,
          purpose: `user and password for ${url.host}, with the keys username and password.${fromSecrets(pod)}`,
          commands: [
            `kubectl create secret generic ${secrets.git} -n ${namespace} --from-file=username=<FILE> --from-file=password=<FILE>`,
          ],
        },
      ];
    case "ssh":
      return [
        {
          name: secrets.git,
          purpose: `the deploy key, with the keys identity and known_hosts. Compare the host keys with those that ${url.host} publishes`,
          commands: [
            `ssh-keyscan ${url.port === "" ? "" : `-p ${url.port} `}${quoted(url.host)} > known_hosts`,
            `kubectl create secret generic ${secrets.git} -n ${namespace} --from-file=known_hosts --from-file=identity=<(kubectl get secret ${quoted(flags.k8sSecretName.value)} -n ${pod.namespace} -o go-template=${quoted(`{{index .data "${flags.k8sSecretDataKey.value}" | base64decode}}`)})`,
          ],
        },
      ];
  }
}

function fromSecrets({ secrets }: DaemonPod): string {
  return secrets.length === 0
    ? ""
    : ` One of the Secrets that fluxd uses may contain them: ${secrets.join(", ")}`;
}

function keySecrets({ flags, source, pushes }: SecretSources): readonly NeededSecret[] {
  const { secrets, namespace } = source;
  const create = (name: string, key: string): string =>
    `kubectl create secret generic ${name} -n ${namespace} --from-file=${key}=<FILE>`;
  const hasKeys = flags.gitGpgKeyImport.value.length > 0;
  return [
    ...((verifyModeOf(flags) ?? "none") === "none"
      ? []
      : [
          {
            name: secrets.publicKeys,
            purpose: "the public keys of everyone who commits, each in a file with the extension .asc",
            commands: [create(secrets.publicKeys, "author.asc")],
          },
        ]),
    ...(flags.sops.value && hasKeys
      ? [
          {
            name: secrets.decryption,
            purpose: "the private keys that SOPS decrypts with, each in a file with the extension .asc",
            commands: [create(secrets.decryption, "sops.asc")],
          },
        ]
      : []),
    ...(pushes && signsWithOpenPgp(flags)
      ? [
          {
            name: secrets.signingKey,
            purpose: "the private key that signs commits, with the key git.asc",
            commands: [create(secrets.signingKey, "git.asc")],
          },
        ]
      : []),
  ];
}

/** One Secret for each name; if several namespaces have it, the first one is copied. */
function pullSecrets({ images, source: { namespace } }: SecretSources): readonly NeededSecret[] {
  const places = new Map<string, string>();
  for (const { workload } of images) {
    for (const name of workload.pullSecrets) {
      places.set(name, places.get(name) ?? partsOfResourceId(workload.id).namespace);
    }
  }
  return [...places]
    .filter(([, place]) => place !== namespace)
    .map(([name, place]) => ({
      name,
      purpose: `pulls images, copied from namespace ${place}`,
      commands: [
        `kubectl create secret docker-registry ${name} -n ${namespace} --from-file=.dockerconfigjson=<(kubectl get secret ${name} -n ${place} -o go-template='{{index .data ".dockerconfigjson" | base64decode}}')`,
      ],
    }));
}

/** Quotes a word for a shell. */
function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
