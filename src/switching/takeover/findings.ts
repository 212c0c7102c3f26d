/** What Weir would be missing in the place of a running Flux v1, as findings with advice. Pure. */
import { type Finding, failed, passed, warning } from "@weir/base";
import { makeResourceId, type ResourceId } from "@weir/flux";
import { timelessFlag, uselessFlags } from "../../fluxd-flags/support.ts";
import type { DaemonArguments } from "../running-install/daemon-arguments.ts";
import type { DaemonPod } from "../running-install/daemon-pod.ts";

/** Would Weir's fluxd start with these flags, and do what they ask for? */
export function flagFindings({ flags, error }: DaemonArguments): readonly Finding[] {
  const subject = "flags";
  if (error !== "") {
    return [failed(subject, `Weir would not start: ${error}`, "remove the flag, or keep running Flux v1")];
  }
  const timeless = timelessFlag(flags);
  const wrong =
    timeless === undefined
      ? []
      : [
          failed(
            subject,
            `Weir would not start: ${timeless} must be longer than 0s`,
            "set it to a time such as 20s",
          ),
        ];
  const useless = uselessFlags(flags);
  const ignored =
    useless.length === 0
      ? []
      : [
          warning(
            subject,
            `Weir ignores ${useless.join(", ")}`,
            "no action needed: Weir doesn't run kubectl",
          ),
        ];
  const found = [...wrong, ...ignored];
  return found.length > 0 ? found : [passed(subject, "Weir supports all flags of this Deployment")];
}

/** Programs that start fluxd in Weir's image, which also has them at their paths in Flux's image. */
const starters = ["fluxd", "/usr/local/bin/fluxd", "tini", "/sbin/tini", "/usr/bin/tini", "--"];

/** Does a command in the Deployment replace the entrypoint with a program that Weir's image doesn't have? */
export function commandFindings({ program }: DaemonArguments): readonly Finding[] {
  const foreign = program.filter((word) => !starters.includes(word));
  return foreign.length === 0
    ? []
    : [
        failed(
          "command",
          `the container's command runs ${foreign.join(" ")}, which Weir's image doesn't have`,
          "remove `command` from the container so that the image starts fluxd; move its arguments to `args`",
        ),
      ];
}

/** Can the nodes pull the image? Only they can tell, so this warns if it comes from another registry. */
export function imageFinding({ image, pullSecrets }: DaemonPod, newImage: string): Finding {
  const subject = "image";
  const [before, after] = [registryOf(image), registryOf(newImage)];
  if (image === newImage) {
    return passed(subject, `the Deployment already runs ${newImage}`);
  }
  if (before === after) {
    return passed(subject, `${newImage} comes from ${after}, like the current image`);
  }
  const secrets = pullSecrets.length === 0 ? "" : ` with pull secret ${pullSecrets.join(", ")}`;
  return warning(
    subject,
    `the current image comes from ${before}${secrets}; ${newImage} comes from ${after}`,
    `make sure that the nodes can pull from ${after}, or copy the image to ${before} and use --image`,
  );
}

/** Warns if a sync or the Helm operator would put the old image back. */
export function ownerFindings(
  { namespace, deployment, antecedent }: DaemonPod,
  inGit: ReadonlySet<ResourceId>,
): readonly Finding[] {
  const isSynced = inGit.has(makeResourceId(namespace, "deployment", deployment));
  return [
    ...(isSynced
      ? [
          warning(
            "git",
            `git contains the manifest of Deployment ${deployment} itself`,
            "change the image in git instead of running the commands below, which the next sync would undo",
          ),
        ]
      : []),
    ...(antecedent === ""
      ? []
      : [
          warning(
            "helm",
            `${antecedent} installs the chart`,
            "set image.repository and image.tag in its values instead of running the commands below, which the Helm operator would undo",
          ),
        ]),
  ];
}

/** The registry host of an image. */
function registryOf(image: string): string {
  const [host = ""] = image.split("/");
  return image.includes("/") && /[.:]|^localhost$/.test(host) ? host : "docker.io";
}
