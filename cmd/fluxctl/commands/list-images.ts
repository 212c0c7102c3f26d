import { compareGoStrings } from "@weir/base";
import { bool, flagsOf, int, text } from "@weir/cli";
import { allWorkloadsSpec, parseResourceIdIn, printImageRef } from "@weir/flux";
import {
  encodeImageList,
  type ImageScan,
  type ListImagesOptions,
  type WorkloadImagesReport,
} from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { explainImages } from "../advice/explain-images.ts";
import { describeScans } from "../advice/on-scans.ts";
import { adviceOnNamespace, adviceOnWorkloads } from "../advice/on-workloads.ts";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { declareOutputFormat, fluxOutputFormatOf, outputFormatOf, type Printable } from "../output/format.ts";
import { printImages } from "../output/images.ts";
import { showList } from "../waiting/watch-list.ts";

/** `fluxctl list-images`: lists the available images of workloads. */
export function listImagesCommand(): Command {
  const flags = declareFlags();
  return {
    use: "list-images",
    example: "  fluxctl list-images --namespace default --workload=deployment/foo",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const formatOf = flags.watch.value ? outputFormatOf : fluxOutputFormatOf;
      const format = formatOf(flags.outputFormat.value, context);
      const options = await optionsOf(flags, context);
      let scans: readonly ImageScan[] = [];
      const find = async (client: ApiClient, signal: AbortSignal): Promise<Printable> => {
        const explained = await explainImages(await client.listImages(options, signal), client, context);
        scans = explained.scans;
        const sorted = explained.workloads.toSorted((a, b) => compareGoStrings(a.id, b.id));
        return printable(sorted, flags, context);
      };
      const { workload, namespace } = options;
      const explainEmpty = (client: ApiClient): Promise<readonly string[]> =>
        workload === allWorkloadsSpec
          ? adviceOnNamespace(namespace, client, context)
          : adviceOnWorkloads([workload], client, context);
      const remarks = (): readonly string[] => describeScans(scans);
      await showList({ format, find, explainEmpty, remarks }, flags.watch.value, context);
    },
  };
}

type ListImagesFlags = ReturnType<typeof declareFlags>;

function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Namespace", shorthand: "n" }),
    workload: text("workload", { usage: "Show images for this workload", shorthand: "w" }),
    limit: int("limit", { default: 10, usage: "Number of images to show (0 for all)", shorthand: "l" }),
    noHeaders: bool("no-headers", { usage: "Don't print headers (default print headers)" }),
    outputFormat: declareOutputFormat(),
    watch: bool("watch", { usage: "Keep running, and update the list when it changes" }),
    controller: text("controller", {
      usage: "Show images for this controller",
      shorthand: "c",
      deprecated: "changed to --workload, use that instead",
    }),
  };
}

async function optionsOf(
  { namespace, workload, controller }: ListImagesFlags,
  context: CommandContext,
): Promise<ListImagesOptions> {
  if (workload.value !== "" && controller.value !== "") {
    throw new UsageError("can't specify both the controller and image");
  }
  const where = await namespaceOr(namespace.value, context);
  const given = workload.value || controller.value;
  return given === ""
    ? { workload: allWorkloadsSpec, namespace: where, fields: [] }
    : { workload: parseResourceIdIn(where, given), namespace: "", fields: [] };
}

function printable(
  workloads: readonly WorkloadImagesReport[],
  { limit, noHeaders }: ListImagesFlags,
  { paint, clock }: CommandContext,
): Printable {
  const look = { headers: !noHeaders.value, limit: limit.value, paint, now: clock.now() };
  return {
    isEmpty: workloads.length === 0,
    json: () => encodeImageList(limited(workloads, limit.value)),
    table: (wide) => printImages(workloads, { ...look, wide }),
    names: () => namesOf(limited(workloads, Math.max(0, limit.value))),
  };
}

/** The first images of each container; all of them if the limit is 0. */
function limited(workloads: readonly WorkloadImagesReport[], limit: number): readonly WorkloadImagesReport[] {
  if (limit < 0) {
    throw new UsageError("opts.limit cannot be less than 0");
  }
  return limit === 0 ? workloads : workloads.map((workload) => firstImages(workload, limit));
}

function firstImages({ id, containers }: WorkloadImagesReport, limit: number): WorkloadImagesReport {
  return {
    id,
    containers: containers.map((each) => ({ ...each, available: each.available.slice(0, limit) })),
  };
}

/** The images in the format for a release, each once. Images with only a tag have no name. */
function namesOf(workloads: readonly WorkloadImagesReport[]): readonly string[] {
  const images = workloads.flatMap(({ containers }) => containers.flatMap(({ available }) => available));
  const named = images.filter(({ ref }) => ref.image !== "");
  return [...new Set(named.map(({ ref }) => printImageRef(ref)))];
}
