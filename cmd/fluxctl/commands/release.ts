import { bool, count, flagsOf, list, text } from "../../../src/base/cli/declare.ts";
import { InvalidImageRefError, parseImageRef } from "../../../src/image/ref.ts";
import { parseResourceIdIn } from "../../../src/resource/id.ts";
import { authorFromGit } from "../author.ts";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { namespaceOr } from "../namespace.ts";
import { NotSupportedYetError } from "../not-yet.ts";

const example = `  fluxctl release -n default --workload=deployment/foo --update-image=library/hello:v2
  fluxctl release --all --update-image=library/hello:v2
  fluxctl release --workload=default:deployment/foo --update-all-images`;

/** `fluxctl release`: updates images in git. It judges its arguments, and cannot do more yet. */
export async function releaseCommand(): Promise<Command> {
  const flags = { ...(await declareCommonFlags()), ...declareReleaseFlags() };
  return {
    use: "release",
    example,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkImageFlags(flags);
      checkWorkloadFlags(flags, context);
      await checkNames(flags, context);
      throw new NotSupportedYetError("release", "change the image in the manifest and push that to git");
    },
  };
}

type ReleaseFlags = Awaited<ReturnType<typeof declareCommonFlags>> & ReturnType<typeof declareReleaseFlags>;

async function declareCommonFlags() {
  return {
    verbose: count("verbose", "include skipped (and ignored, with -vv) workloads in output", {
      shorthand: "v",
    }),
    message: text("message", "", "attach a message to the update", { shorthand: "m" }),
    user: text("user", await authorFromGit(), "override the user reported as initiating the update"),
    namespace: text("namespace", "", "Workload namespace", { shorthand: "n" }),
  };
}

function declareReleaseFlags() {
  return {
    workloads: list("workload", [], "List of workloads to release <namespace>:<kind>/<name>"),
    all: bool("all", false, "Release all workloads"),
    image: text("update-image", "", "Update a specific image", { shorthand: "i" }),
    allImages: bool("update-all-images", false, "Update all images to latest versions"),
    exclude: list("exclude", [], "List of workloads to exclude"),
    dryRun: bool("dry-run", false, "Do not release anything; just report back what would have been done"),
    interactive: bool("interactive", false, "Select interactively which containers to update"),
    force: bool(
      "force",
      false,
      "Disregard locks and container image filters (has no effect when used with --all or --update-all-images)",
      { shorthand: "f" },
    ),
    watch: bool("watch", false, "Watch rollout progress during release", { shorthand: "w" }),
    controllers: list("controller", [], "List of controllers to release <namespace>:<kind>/<name>", {
      shorthand: "c",
      deprecated: "changed to --workload, use that instead",
    }),
  };
}

function checkImageFlags({ image, allImages }: ReleaseFlags): void {
  const choices = "--update-image=<image> or --update-all-images";
  if (image.value !== "" && allImages.value) {
    throw new UsageError(`please supply only one of ${choices}`);
  }
  if (image.value === "" && !allImages.value) {
    throw new UsageError(`please supply exactly one of ${choices}`);
  }
}

function checkWorkloadFlags(flags: ReleaseFlags, { err }: CommandContext): void {
  const { all, allImages, force, watch, dryRun } = flags;
  if (workloadsIn(flags).length === 0 && !all.value) {
    throw new UsageError("please supply either --all, or at least one --workload=<workload>");
  }
  if (watch.value && dryRun.value) {
    throw new UsageError("cannot use --watch with --dry-run");
  }
  if (force.value && all.value && allImages.value) {
    throw new UsageError("--force has no effect when used with --all and --update-all-images");
  }
  if (force.value && all.value) {
    err("Warning: --force will not ignore locked workloads when used with --all\n");
  } else if (force.value && allImages.value) {
    err("Warning: --force will not ignore container image tags when used with --update-all-images\n");
  }
}

/** Throws where a workload or an image is named wrongly. */
async function checkNames(flags: ReleaseFlags, context: CommandContext): Promise<void> {
  const namespace = await namespaceOr(flags.namespace.value, context);
  const workloads = flags.all.value ? [] : workloadsIn(flags);
  workloads.forEach((workload) => parseResourceIdIn(namespace, workload));
  if (flags.image.value !== "" && parseImageRef(flags.image.value).tag === "") {
    throw new InvalidImageRefError(
      flags.image.value,
      "blank tag (if you want latest, explicitly state the tag :latest): invalid image ID",
    );
  }
  flags.exclude.value.forEach((workload) => parseResourceIdIn(namespace, workload));
}

function workloadsIn({ workloads, controllers }: ReleaseFlags): readonly string[] {
  return [...workloads.value, ...controllers.value];
}
