import type { JsonObject } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { binding, type FluxInstall, fluxdPodSpec, fluxImage, keyMounts, type Mount } from "./install.ts";

/** What `fluxctl install` of Flux v1 is told by its flags; the defaults are its own. */
export interface FluxctlInstallOptions {
  /** Without it the namespace of the kubeconfig's context, so "default" on most machines. */
  readonly namespace?: string;
  readonly gitUrl: string;
  readonly gitEmail: string;
  readonly gitBranch?: string;
  readonly gitPaths?: readonly string[];
  readonly gitLabel?: string;
  readonly gitUser?: string;
  readonly gitReadonly?: boolean;
  readonly manifestGeneration?: boolean;
  /** Leaves memcached out. */
  readonly registryDisableScanning?: boolean;
  readonly extraArgs?: readonly string[];
}

/** What `fluxctl install` of Flux v1 prints, applied as it is. */
export function fluxctlInstall(options: FluxctlInstallOptions): FluxInstall {
  const {
    gitBranch = "master",
    gitLabel = "flux",
    gitUser = "Flux",
    registryDisableScanning = false,
  } = options;
  const paths = options.gitPaths ?? [];
  return manifests({
    namespace: options.namespace ?? "default",
    createsNamespace: false,
    memcached: !registryDisableScanning,
    args: [
      ...always,
      `--git-url=${options.gitUrl}`,
      `--git-branch=${gitBranch}`,
      ...(paths.length === 0 ? [] : [`--git-path=${paths.join(",")}`]),
      `--git-label=${gitLabel}`,
      `--git-user=${gitUser}`,
      `--git-email=${options.gitEmail}`,
      ...(options.gitReadonly === true ? ["--git-readonly"] : []),
      ...(options.manifestGeneration === true ? ["--manifest-generation=true"] : []),
      metricsPort,
      ...(registryDisableScanning ? ["--registry-disable-scanning"] : []),
      ...(options.extraArgs ?? []),
    ],
  });
}

/** What people edit in Flux's deploy/ folder; its comments suggest the mounts. */
export interface DeployFolderOptions {
  readonly gitUrl: string;
  readonly gitBranch?: string;
  readonly extraArgs?: readonly string[];
  /** Mounts the ConfigMap "flux-ssh-config", which the folder does not make, as root's .ssh. */
  readonly sshConfig?: boolean;
  /** Points kubectl at a kubeconfig from the ConfigMap "flux-kubeconfig", which the folder does not make. */
  readonly kubeconfig?: boolean;
  /** Mounts the Secret "flux-gpg-keys", which the folder does not make. */
  readonly gpgKeys?: boolean;
  /** Takes GIT_AUTHUSER and GIT_AUTHKEY from this Secret, e.g. "flux-git-auth". */
  readonly gitAuthSecret?: string;
}

/** Flux's deploy/ folder, edited by hand and applied file by file: always in the namespace "flux". */
export function deployFolderInstall(options: DeployFolderOptions): FluxInstall {
  const { gitUrl, gitBranch = "master", extraArgs = [], gitAuthSecret } = options;
  return manifests({
    namespace: "flux",
    createsNamespace: true,
    memcached: true,
    args: [
      ...always,
      `--git-url=${gitUrl}`,
      `--git-branch=${gitBranch}`,
      "--git-label=flux-sync",
      "--git-user=Flux automation",
      "--git-email=flux@example.com",
      metricsPort,
      ...extraArgs,
    ],
    mounts: [
      ...(options.sshConfig === true ? [fromConfigMap("ssh-config", "flux-ssh-config", "/root/.ssh")] : []),
      ...(options.kubeconfig === true
        ? [fromConfigMap("kubeconfig", "flux-kubeconfig", "/etc/fluxd/kube")]
        : []),
      ...(options.gpgKeys === true ? [gpgKeys] : []),
    ],
    ...(options.kubeconfig === true
      ? { env: [{ name: "KUBECONFIG", value: "/etc/fluxd/kube/config" }] }
      : {}),
    ...(gitAuthSecret === undefined ? {} : { envFrom: [{ secretRef: { name: gitAuthSecret } }] }),
  });
}

/** What an overlay changes in the deploy/ folder. */
export interface KustomizedOptions {
  /** The `namespace:` of the kustomization. */
  readonly namespace?: string;
  readonly gitUrl: string;
  readonly gitUser: string;
  readonly gitPaths?: readonly string[];
  readonly extraArgs?: readonly string[];
}

/**
 * The deploy/ folder as the base of a kustomization, with the patch that Flux's tutorial suggests. A list of arguments
 * has no merge key: the patch's arguments replace the base's, so --git-label and --listen-metrics are gone.
 */
export function kustomizedInstall(options: KustomizedOptions): FluxInstall {
  const { namespace = "flux", gitUser, gitPaths = ["namespaces", "workloads"] } = options;
  return manifests({
    namespace,
    createsNamespace: true,
    memcached: true,
    args: [
      "--manifest-generation=true",
      `--memcached-hostname=memcached.${namespace}`,
      ...always,
      "--git-branch=master",
      `--git-path=${gitPaths.join(",")}`,
      `--git-user=${gitUser}`,
      `--git-email=${gitUser}@users.noreply.github.com`,
      `--git-url=${options.gitUrl}`,
      ...(options.extraArgs ?? []),
    ],
  });
}

/** Asks memcached at its cluster IP, and makes keys in memory. */
const always = ["--memcached-service=", "--ssh-keygen-dir=/var/fluxd/keygen"];
const metricsPort = "--listen-metrics=:3031";

const gpgKeys: Mount = {
  name: "gpg-keys",
  path: "/root/gpg-import",
  readOnly: true,
  source: { secret: { secretName: "flux-gpg-keys", defaultMode: 0o400 } },
};

function fromConfigMap(name: string, configMap: string, path: string): Mount {
  return { name, path, source: { configMap: { name: configMap } } };
}

interface Manifests {
  readonly namespace: string;
  readonly createsNamespace: boolean;
  readonly memcached: boolean;
  readonly args: readonly string[];
  readonly mounts?: readonly Mount[];
  readonly env?: readonly JsonObject[];
  readonly envFrom?: readonly JsonObject[];
}

const labels = { name: "flux" };

function manifests(given: Manifests): FluxInstall {
  const { namespace, createsNamespace, memcached } = given;
  const deployKeySecret = "flux-git-deploy";
  return {
    namespace,
    deployment: "flux",
    container: "flux",
    podLabels: labels,
    serviceAccount: "flux",
    deployKeySecret,
    objects: [
      ...(createsNamespace ? [{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } }] : []),
      ...account(namespace),
      { apiVersion: "v1", kind: "Secret", metadata: { name: deployKeySecret, namespace }, type: "Opaque" },
      ...(memcached ? memcachedObjects(namespace) : []),
      deployment(given, deployKeySecret),
    ],
  };
}

/** The account may do everything, non-resource URLs included. */
function account(namespace: string): readonly KubeObject[] {
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "flux", namespace, labels } },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "flux", labels },
      rules: [
        { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
        { nonResourceURLs: ["*"], verbs: ["*"] },
      ],
    },
    binding("ClusterRole", { name: "flux", labels }, { role: "flux", account: { name: "flux", namespace } }),
  ];
}

function deployment(
  { namespace, args, mounts = [], env, envFrom }: Manifests,
  deployKeySecret: string,
): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "flux", namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: "Recreate" },
      template: {
        metadata: { annotations: { "prometheus.io/port": "3031" }, labels },
        spec: {
          nodeSelector: { "beta.kubernetes.io/os": "linux" },
          serviceAccountName: "flux",
          ...fluxdPodSpec({
            image: fluxImage,
            args,
            mounts: [...keyMounts(deployKeySecret), ...mounts],
            ports: [{ containerPort: 3030 }],
            ...(env === undefined ? {} : { env }),
            ...(envFrom === undefined ? {} : { envFrom }),
          }),
        },
      },
    },
  };
}

function memcachedObjects(namespace: string): readonly KubeObject[] {
  const selector = { name: "memcached" };
  const metadata = { name: "memcached", namespace };
  return [
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { ports: [{ name: "memcached", port: 11211 }], selector },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: {
        replicas: 1,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            nodeSelector: { "beta.kubernetes.io/os": "linux" },
            containers: [
              {
                name: "memcached",
                image: "memcached:1.6.10-alpine",
                imagePullPolicy: "IfNotPresent",
                args: ["-m 512", "-I 5m", "-p 11211"],
                ports: [{ name: "clients", containerPort: 11211 }],
                securityContext: { runAsUser: 11211, runAsGroup: 11211, allowPrivilegeEscalation: false },
              },
            ],
          },
        },
      },
    },
  ];
}
