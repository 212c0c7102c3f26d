import type { JsonObject } from "@weir/base";
import type { ChartNames, ChartValues } from "./chart-values.ts";
import { keyMounts, type Mount } from "./install.ts";

/** The volumes of the chart's pod, and where its container has them. */
export function chartMounts(values: ChartValues, names: ChartNames): readonly Mount[] {
  const { fullName, deployKeySecret } = names;
  return [
    ...(values.kube?.externalConfig === true
      ? []
      : [mount("kubedir", "/root/.kubectl", { configMap: { name: `${fullName}-kube-config` } })]),
    ...(values.ssh?.knownHosts === undefined
      ? []
      : [
          readOnly("sshdir", "/root/.ssh", {
            configMap: { name: `${fullName}-ssh-config`, defaultMode: 0o600 },
          }),
        ]),
    ...gitConfig(values, names),
    ...keyMounts(deployKeySecret),
    ...registryMounts(values),
    ...gpgMounts(values),
    ...extraMounts(values),
  ];
}

function gitConfig({ git }: ChartValues, { fullName }: ChartNames): readonly Mount[] {
  if (git?.config === undefined) {
    return [];
  }
  const secretName = "secretName" in git.config ? git.config.secretName : `${fullName}-git-config`;
  const source = { secret: { secretName, defaultMode: 0o400 } };
  return [{ ...readOnly("git-config", "/root/.gitconfig", source), subPath: "gitconfig" }];
}

function registryMounts({ registry = {} }: ChartValues): readonly Mount[] {
  const azure = { hostPath: { path: "/etc/kubernetes/azure.json", type: "" } };
  return [
    ...(registry.acr === true ? [readOnly("acr-credentials", "/etc/kubernetes/azure.json", azure)] : []),
    ...(registry.dockerConfigSecret === undefined
      ? []
      : [
          readOnly("docker-credentials", "/dockercfg/", {
            secret: { secretName: registry.dockerConfigSecret },
          }),
        ]),
  ];
}

function gpgMounts({ gpgKeys = {} }: ChartValues): readonly Mount[] {
  const { secretName, configMapName } = gpgKeys;
  return [
    ...(secretName === undefined
      ? []
      : [readOnly("gpg-keys", "/root/gpg-import/private", { secret: { secretName, defaultMode: 0o400 } })]),
    ...(configMapName === undefined
      ? []
      : [
          readOnly("gpg-public-keys", "/root/gpg-import/public", {
            configMap: { name: configMapName, defaultMode: 0o400 },
          }),
        ]),
  ];
}

/** The extra volumes that are mounted. */
function extraMounts({ extraVolumes = [], extraVolumeMounts = [] }: ChartValues): readonly Mount[] {
  return extraVolumeMounts.flatMap(({ name, mountPath }) =>
    extraVolumes.filter((volume) => volume.name === name).map(({ source }) => mount(name, mountPath, source)),
  );
}

function mount(name: string, path: string, source: JsonObject): Mount {
  return { name, path, source };
}

function readOnly(name: string, path: string, source: JsonObject): Mount {
  return { name, path, readOnly: true, source };
}
