import { parseAllDocuments } from "yaml";

const name = "flux-ssh-config";

interface PodSpec {
  readonly securityContext?: { readonly runAsUser?: number };
  readonly volumes: object[];
  readonly containers: readonly { readonly volumeMounts: object[] }[];
}

/** The manifests of an installation whose fluxd knows these host keys: what comments in deploy/ say to do. */
export function withKnownHosts(manifests: string, namespace: string, knownHosts: string): readonly object[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS() as object | null);
  const configMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace },
    data: { known_hosts: knownHosts },
  };
  const present = objects.filter((object) => object !== null);
  present.filter(isDaemon).forEach(({ spec }) => mount(spec.template.spec));
  const isNamespace = (object: object): boolean => "kind" in object && object.kind === "Namespace";
  return [...present.filter(isNamespace), configMap, ...present.filter((object) => !isNamespace(object))];
}

function mount({ volumes, containers, securityContext }: PodSpec): void {
  const home = (securityContext?.runAsUser ?? 0) === 0 ? "/root" : "/home/node";
  volumes.push({ name: "ssh-config", configMap: { name } });
  containers.forEach(({ volumeMounts }) =>
    volumeMounts.push({ name: "ssh-config", mountPath: `${home}/.ssh` }),
  );
}

function isDaemon(
  object: object,
): object is { readonly spec: { readonly template: { readonly spec: PodSpec } } } {
  const { kind, metadata } = object as { kind?: string; metadata?: { name?: string } };
  return kind === "Deployment" && metadata?.name === "flux";
}
