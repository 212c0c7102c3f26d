import type { DaemonPod } from "../running-install/daemon-pod.ts";

/** Commands for a shell, one per line. */
export interface SwitchCommands {
  readonly switch: readonly string[];
  readonly rollBack: readonly string[];
}

/** What to switch, and in which context of the kubeconfig. */
export interface Switch {
  readonly pod: DaemonPod;
  readonly newImage: string;
  /** "" for the current context. */
  readonly context: string;
}

/** The commands that set the new image and the old one: with Helm if the Deployment belongs to a release. */
export function switchCommands(asked: Switch): SwitchCommands {
  const { pod, newImage } = asked;
  const wait = kubectl(asked, `rollout status deployment/${word(pod.deployment)}`);
  return {
    switch: [setImage(asked, newImage), wait],
    rollBack: [setImage(asked, pod.image), wait],
  };
}

function setImage(asked: Switch, image: string): string {
  const { pod, context } = asked;
  const { namespace, deployment, container, release } = pod;
  const [repository, tag] = splitImage(image);
  if (release === undefined || tag === undefined) {
    return kubectl(asked, `set image deployment/${word(deployment)} ${word(`${container}=${image}`)}`);
  }
  return [
    `helm upgrade ${word(release.name)} fluxcd/flux`,
    `--version ${word(release.chartVersion)}`,
    ...(context === "" ? [] : [`--kube-context ${word(context)}`]),
    `--namespace ${word(namespace)} --reuse-values`,
    `--set image.repository=${word(repository)} --set-string image.tag=${word(tag)}`,
  ].join(" ");
}

function kubectl({ pod, context }: Switch, rest: string): string {
  const where = context === "" ? "" : ` --context=${word(context)}`;
  return `kubectl${where} -n ${word(pod.namespace)} ${rest}`;
}

/** No tag for an image with a digest: the chart takes only a repository and a tag. */
function splitImage(image: string): readonly [repository: string, tag: string | undefined] {
  const [, repository, tag] = /^([^@]+):([^@:/]+)$/.exec(image) ?? [];
  return [repository ?? image, tag];
}

/** Quotes a word for the shell if necessary. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
