/** What of a running Flux v1 Weir would need and lack; each a finding with what to do. Pure. */
import { type Finding, failed, passed, warning } from "@weir/base";
import { refusedUses, timelessFlag, uselessFlags } from "../fluxd-flags/support.ts";
import { makeResourceId, type ResourceId } from "../resource/id.ts";
import type { DaemonArguments } from "./daemon-arguments.ts";
import type { DaemonPod } from "./daemon-pod.ts";

/** Would Weir's fluxd start with these flags, and do what they ask for? */
export function flagFindings({ flags, error }: DaemonArguments): readonly Finding[] {
  const subject = "flags";
  if (error !== "") {
    return [failed(subject, `Weir would not start: ${error}`, "remove the flag, or stay with Flux")];
  }
  const refused = refusedUses(flags).map(({ flag, advice }) =>
    failed(subject, `Weir would not start: ${flag} is not supported by this version of Weir yet`, advice),
  );
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
            "no action needed: Weir does not run kubectl",
          ),
        ];
  const found = [...refused, ...wrong, ...ignored];
  return found.length > 0 ? found : [passed(subject, "Weir supports all flags of this Deployment")];
}

/** What starts fluxd in Weir's image: these programs are there, also at their paths in Flux's image. */
const starters = ["fluxd", "/usr/local/bin/fluxd", "tini", "/sbin/tini", "/usr/bin/tini", "--"];

/** A command in the Deployment takes the place of the image's own, which differs. */
export function commandFindings({ program }: DaemonArguments): readonly Finding[] {
  const foreign = program.filter((word) => !starters.includes(word));
  return foreign.length === 0
    ? []
    : [
        failed(
          "command",
          `the container's command has ${foreign.join(" ")}, which Weir's image does not have at that path`,
          "remove `command` from the container, so that the image starts fluxd itself; its arguments belong in `args`",
        ),
      ];
}

/** Can the nodes get the image? Only they know; what can be told is where it is to come from. */
export function imageFinding({ image, pullSecrets }: DaemonPod, newImage: string): Finding {
  const subject = "image";
  const [before, after] = [registryOf(image), registryOf(newImage)];
  if (image === newImage) {
    return passed(subject, `the Deployment runs ${newImage} already`);
  }
  if (before === after) {
    return passed(subject, `${newImage} comes from ${after}, as the image that runs now`);
  }
  const secrets = pullSecrets.length === 0 ? "" : ` with pull secret ${pullSecrets.join(", ")}`;
  return warning(
    subject,
    `the image that runs now comes from ${before}${secrets}; ${newImage} comes from ${after}`,
    `make sure that the nodes can pull from ${after}, or copy the image to ${before} and use --image`,
  );
}

/** Who would put the old image back? Not told for a Deployment that nobody keeps as it is. */
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
            `git has a manifest of Deployment ${deployment} itself`,
            "change the image there and let it sync, instead of running the commands below; a sync would undo them",
          ),
        ]
      : []),
    ...(antecedent === ""
      ? []
      : [
          warning(
            "helm",
            `${antecedent} installs the chart`,
            "set image.repository and image.tag in its values, instead of running the commands below; the Helm operator would undo them",
          ),
        ]),
  ];
}

/** The host that an image is pulled from. */
function registryOf(image: string): string {
  const [host = ""] = image.split("/");
  return image.includes("/") && /[.:]|^localhost$/.test(host) ? host : "docker.io";
}
