import { type Finding, failed, isJsonObject, passed } from "@weir/base";

const subject = "cluster";
/**
 * The oldest minor version with the API versions of CustomResourceDefinitions and workloads that fluxd uses.
 */
const oldest = 16;

/** Finding on the API server's response to a version request. */
export function versionFinding(answer: unknown, server: string): Finding {
  const given = isJsonObject(answer) ? answer["gitVersion"] : undefined;
  const version = typeof given === "string" ? given : "";
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined) {
    return failed(
      subject,
      `${server} does not report its Kubernetes version`,
      "make sure that the kubeconfig points to a Kubernetes API server",
    );
  }
  return Number(major) === 1 && Number(minor) < oldest
    ? failed(subject, `Kubernetes ${version} at ${server} is too old`, `use Kubernetes 1.${oldest} or later`)
    : passed(subject, `Kubernetes ${version} responds at ${server}`);
}
