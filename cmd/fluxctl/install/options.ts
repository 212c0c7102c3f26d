import { version } from "@weir/base";
import { ownImage, ownRootImage } from "../../../src/own-image/own-image.ts";
import { UsageError } from "../command.ts";
import type { InstallFlags } from "./flags.ts";
import type { ApiKinds, InstallParameters } from "./parameters.ts";
import { parseGrant } from "./permissions.ts";

/** Throws UsageError if a required flag is missing. */
export function checkGiven({ gitUrl, gitEmail }: Pick<InstallFlags, "gitUrl" | "gitEmail">): void {
  for (const { value, declaration } of [gitUrl, gitEmail]) {
    if (value === "") {
      throw new UsageError(`please supply a valid --${declaration.name} argument`);
    }
  }
}

/** The parameters of an installation, from the flags. Throws UsageError if they're invalid. */
export function parametersOf(flags: InstallFlags, namespace: string): InstallParameters {
  checkNamespace(namespace, "--namespace");
  flags.allowNamespace.value.forEach((each) => {
    checkNamespace(each, "--k8s-allow-namespace");
  });
  checkPermissions(flags);
  const podSecurity = podSecurityOf(flags);
  const usualImage = podSecurity === "restricted" ? ownImage(version) : ownRootImage(version);
  return {
    image: flags.image.value || usualImage,
    namespace,
    createNamespace: flags.createNamespace.value,
    gitUrl: flags.gitUrl.value,
    gitBranch: flags.gitBranch.value,
    gitPaths: flags.gitPath.value,
    gitLabel: flags.gitLabel.value,
    gitUser: flags.gitUser.value,
    gitEmail: flags.gitEmail.value,
    gitReadonly: flags.gitReadonly.value,
    manifestGeneration: flags.manifestGeneration.value,
    registryDisableScanning: flags.registryDisableScanning.value,
    memcached: flags.memcached.value,
    memcachedNetworkPolicy: flags.memcachedNetworkPolicy.value,
    addSecurityContext: flags.addSecurityContext.value,
    allowedNamespaces: flags.allowNamespace.value,
    permissions: flags.leastPrivilege.value ? "least" : "everything",
    grants: flags.grant.value.map(grantOf),
    podSecurity,
    fluxdArguments: flags.fluxdArg.value,
  };
}

/** Kubernetes' rule for namespace names. */
function checkNamespace(name: string, flag: string): void {
  if (name.length > 63 || !/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is not a valid namespace name (${flag}): use at most 63 lowercase letters, digits and hyphens, without a hyphen at the start or end`,
    );
  }
}

function checkPermissions({ leastPrivilege, allowNamespace, grant }: InstallFlags): void {
  if (leastPrivilege.value && allowNamespace.value.length === 0) {
    throw new UsageError(
      "--least-privilege requires --k8s-allow-namespace, with the namespaces that fluxd manages",
    );
  }
  if (grant.value.length > 0 && !leastPrivilege.value) {
    throw new UsageError(
      "--grant requires --least-privilege; without it, fluxd has full access to the cluster",
    );
  }
}

function grantOf(text: string): ApiKinds {
  const kinds = parseGrant(text);
  if (kinds === undefined) {
    throw new UsageError(
      `invalid value ${JSON.stringify(text)} for --grant: use a name printed by "kubectl api-resources -o name", e.g. roles.rbac.authorization.k8s.io`,
    );
  }
  return kinds;
}

function podSecurityOf({ podSecurity: { value } }: InstallFlags): InstallParameters["podSecurity"] {
  if (value !== "" && value !== "restricted") {
    throw new UsageError(`invalid value ${JSON.stringify(value)} for --pod-security: use "restricted"`);
  }
  return value;
}

/** True for a URL that contains a password, and not a variable in its place. */
export function holdsPassword(gitUrl: string): boolean {
  const [, password = ""] = /^[a-z+]+:\/\/[^/@:]*:([^/@]+)@/i.exec(gitUrl) ?? [];
  return password !== "" && !/^\$\([^)]+\)$/.test(password);
}
