import { bool, count, list, text } from "@weir/cli";
import {
  allWorkloadsSpec,
  latestImageSpec,
  parseImageSpec,
  parseResourceIdIn,
  type ReleaseImageSpec,
} from "@weir/flux";
import { refuseArguments, UsageError } from "../command.ts";
import { authorFromGit } from "../flags/author.ts";
import type { Terminal } from "../terminal.ts";

/** The flags of `fluxctl release`. */
export type ReleaseFlags = Awaited<ReturnType<typeof declareReleaseFlags>>;

const everyWorkload: ReleaseImageSpec["workloads"] = [allWorkloadsSpec];

/** Declares the flags; the default user comes from git. */
export async function declareReleaseFlags() {
  return {
    verbose: count("verbose", {
      usage: "include skipped (and ignored, with -vv) workloads in output",
      shorthand: "v",
    }),
    message: text("message", { usage: "attach a message to the update", shorthand: "m" }),
    user: text("user", {
      default: await authorFromGit(),
      usage: "override the user reported as initiating the update",
    }),
    namespace: text("namespace", { usage: "Workload namespace", shorthand: "n" }),
    ...declareChoices(),
    ...declareModes(),
  };
}

/** Throws UsageError if flags conflict; warns if one of them has no effect. */
export function checkReleaseFlags(flags: ReleaseFlags, terminal: Terminal): void {
  checkImageFlags(flags);
  checkWorkloadFlags(flags);
  checkForce(flags, terminal);
  warnOfEverything(flags, terminal);
}

/** The arguments of a release are wrong in a way that a person can be helped with. Throws UsageError. */
export function checkReleaseArguments(args: readonly string[], { watch }: ReleaseFlags): void {
  const [first] = args;
  if (first !== undefined && watch.value) {
    throw new UsageError("expected no (non-flag) arguments", {
      advice: [`With release, -w is short for --watch. To name a workload: --workload=${first}`],
    });
  }
  refuseArguments(args);
}

/** The release that the flags describe; `namespace` is the default namespace. Throws if a name is invalid. */
export function releaseSpecOf(flags: ReleaseFlags, namespace: string): ReleaseImageSpec {
  const { all, exclude, dryRun, interactive, force } = flags;
  const workloads = all.value
    ? everyWorkload
    : workloadsIn(flags).map((workload) => parseResourceIdIn(namespace, workload));
  const image = imageIn(flags);
  const excludes = exclude.value.map((workload) => parseResourceIdIn(namespace, workload));
  return {
    workloads,
    image,
    kind: dryRun.value || interactive.value ? "plan" : "execute",
    excludes: excludes.length === 0 ? null : excludes,
    force: force.value,
  };
}

function declareChoices() {
  return {
    workloads: list("workload", { usage: "List of workloads to release <namespace>:<kind>/<name>" }),
    all: bool("all", { usage: "Release all workloads" }),
    image: text("update-image", { usage: "Update a specific image", shorthand: "i" }),
    allImages: bool("update-all-images", { usage: "Update all images to latest versions" }),
    exclude: list("exclude", { usage: "List of workloads to exclude" }),
    controllers: list("controller", {
      usage: "List of controllers to release <namespace>:<kind>/<name>",
      shorthand: "c",
      deprecated: "changed to --workload, use that instead",
    }),
  };
}

function declareModes() {
  return {
    dryRun: bool("dry-run", { usage: "Do not release anything; just report back what would have been done" }),
    interactive: bool("interactive", { usage: "Select interactively which containers to update" }),
    force: bool("force", {
      usage:
        "Disregard locks and container image filters (has no effect when used with --all or --update-all-images)",
      shorthand: "f",
    }),
    watch: bool("watch", { usage: "Watch rollout progress during release", shorthand: "w" }),
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

function checkWorkloadFlags(flags: ReleaseFlags): void {
  if (workloadsIn(flags).length === 0 && !flags.all.value) {
    throw new UsageError("please supply either --all, or at least one --workload=<workload>");
  }
  if (flags.watch.value && flags.dryRun.value) {
    throw new UsageError("cannot use --watch with --dry-run");
  }
}

function checkForce({ force, all, allImages }: ReleaseFlags, { err }: Terminal): void {
  if (!force.value) {
    return;
  }
  if (all.value && allImages.value) {
    throw new UsageError("--force has no effect when used with --all and --update-all-images");
  }
  if (all.value) {
    err("Warning: --force will not ignore locked workloads when used with --all\n");
  } else if (allImages.value) {
    err("Warning: --force will not ignore container image tags when used with --update-all-images\n");
  }
}

/** As in Flux v1, the namespace only completes the names of workloads; a person is told so. */
function warnOfEverything({ all, namespace }: ReleaseFlags, { err, errScreen }: Terminal): void {
  if (all.value && namespace.value !== "" && errScreen !== undefined) {
    err(
      `Warning: --all covers the workloads of all namespaces, not only of ${namespace.value}; to leave some out, use --exclude\n`,
    );
  }
}

/** Throws InvalidImageRefError for an image without a tag. */
function imageIn({ image }: ReleaseFlags): ReleaseImageSpec["image"] {
  return image.value === "" ? latestImageSpec : parseImageSpec(image.value);
}

function workloadsIn({ workloads, controllers }: ReleaseFlags): readonly string[] {
  return [...workloads.value, ...controllers.value];
}
