import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";

/** The image that Flux v1 was last released as. */
export const fluxImage = "docker.io/fluxcd/flux:1.25.4";

/** An installed Flux v1: its objects in an order in which they can be applied, and where to find what in them. */
export interface FluxInstall {
  readonly namespace: string;
  /** The name of fluxd's Deployment. */
  readonly deployment: string;
  /** The name of its container. */
  readonly container: string;
  /** What fluxctl finds fluxd's pod by. */
  readonly podLabels: Readonly<Record<string, string>>;
  readonly serviceAccount: string;
  /** The Secret with the deploy key; not among the objects where the install does not make it. */
  readonly deployKeySecret: string;
  readonly objects: readonly KubeObject[];
}

/** What varies in the Deployment of fluxd. */
export interface FluxdPod {
  readonly image: string;
  readonly args: readonly string[];
  readonly env?: readonly JsonObject[];
  readonly envFrom?: readonly JsonObject[];
  readonly mounts: readonly Mount[];
  readonly ports: readonly JsonObject[];
}

/** A volume and where the container has it. */
export interface Mount {
  readonly name: string;
  readonly path: string;
  readonly readOnly?: boolean;
  readonly subPath?: string;
  /** What the volume is, e.g. `{ secret: { secretName } }`. */
  readonly source: JsonObject;
}

/** Everywhere the key for git is mounted so that only root can read it, and new keys are made in memory. */
export function keyMounts(secretName: string): readonly Mount[] {
  return [
    {
      name: "git-key",
      path: "/etc/fluxd/ssh",
      readOnly: true,
      source: { secret: { secretName, defaultMode: 0o400 } },
    },
    { name: "git-keygen", path: "/var/fluxd/keygen", source: { emptyDir: { medium: "Memory" } } },
  ];
}

/** The container and the volumes of a pod that runs fluxd; all shapes have the same probes and requests. */
export function fluxdPodSpec({ image, args, env, envFrom, mounts, ports }: FluxdPod): JsonObject {
  const probe = {
    httpGet: { path: "/api/flux/v6/identity.pub", port: 3030 },
    initialDelaySeconds: 5,
    timeoutSeconds: 5,
  };
  return {
    volumes: mounts.map(({ name, source }) => ({ name, ...source })),
    containers: [
      {
        name: "flux",
        image,
        imagePullPolicy: "IfNotPresent",
        ports: [...ports],
        livenessProbe: probe,
        readinessProbe: probe,
        resources: { requests: { cpu: "50m", memory: "64Mi" } },
        volumeMounts: mounts.map(({ name, path, readOnly, subPath }) => ({
          name,
          mountPath: path,
          ...(readOnly === undefined ? {} : { readOnly }),
          ...(subPath === undefined ? {} : { subPath }),
        })),
        ...(env === undefined ? {} : { env: [...env] }),
        ...(envFrom === undefined ? {} : { envFrom: [...envFrom] }),
        args: [...args],
      },
    ],
  };
}

/** The same install with another image in the place of fluxd's, as `kubectl set image` leaves it. */
export function withImage(install: FluxInstall, image: string): FluxInstall {
  return {
    ...install,
    objects: install.objects.map((object) =>
      object.kind === "Deployment" && object.metadata.name === install.deployment
        ? { ...object, spec: specWithImage(object.spec as DeploymentSpec, image) }
        : object,
    ),
  };
}

interface DeploymentSpec extends JsonObject {
  readonly template: JsonObject & {
    readonly spec: JsonObject & { readonly containers: readonly JsonObject[] };
  };
}

function specWithImage({ template, ...spec }: DeploymentSpec, image: string): JsonObject {
  const containers = template.spec.containers.map((each) =>
    each["name"] === "flux" ? { ...each, image } : each,
  );
  return { ...spec, template: { ...template, spec: { ...template.spec, containers } } };
}

/** A binding of the role of that name to a service account, in the cluster or in one namespace. */
export function binding(
  kind: "ClusterRole" | "Role",
  metadata: JsonObject & { readonly name: string; readonly namespace?: string },
  { role, account }: { readonly role: string; readonly account: { name: string; namespace: string } },
): KubeObject {
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: `${kind}Binding`,
    metadata,
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: role },
    subjects: [{ kind: "ServiceAccount", ...account }],
  };
}
