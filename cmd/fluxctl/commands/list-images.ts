import type { ListImagesOptions, WorkloadImagesReport } from "../../../src/api/types/api-server.ts";
import { encodeImageList } from "../../../src/api/types/v6-images.ts";
import { bool, flagsOf, int, text } from "../../../src/base/cli/declare.ts";
import { stringifyGoJson } from "../../../src/base/go-json.ts";
import { compareGoStrings } from "../../../src/base/go-order.ts";
import { parseResourceIdIn } from "../../../src/resource/id.ts";
import { allWorkloadsSpec } from "../../../src/update/spec.ts";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { namespaceOr } from "../namespace.ts";
import { checkOutputFormat } from "../output/format.ts";
import { printImages } from "../output/images.ts";

/** `fluxctl list-images`: which images there are for what runs. */
export function listImagesCommand(): Command {
  const flags = declareFlags();
  return {
    use: "list-images",
    example: "  fluxctl list-images --namespace default --workload=deployment/foo",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkOutputFormat(flags.outputFormat.value);
      const options = await optionsOf(flags, context);
      const client = await context.connect();
      const workloads = await client.listImages(options, context.signal);
      const sorted = workloads.toSorted((a, b) => compareGoStrings(a.id, b.id));
      context.out(print(sorted, flags));
    },
  };
}

type ListImagesFlags = ReturnType<typeof declareFlags>;

function declareFlags() {
  return {
    namespace: text("namespace", "", "Namespace", { shorthand: "n" }),
    workload: text("workload", "", "Show images for this workload", { shorthand: "w" }),
    limit: int("limit", 10, "Number of images to show (0 for all)", { shorthand: "l" }),
    noHeaders: bool("no-headers", false, "Don't print headers (default print headers)"),
    outputFormat: text("output-format", "tab", "Output format (tab or json)", { shorthand: "o" }),
    controller: text("controller", "", "Show images for this controller", {
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

function print(workloads: readonly WorkloadImagesReport[], flags: ListImagesFlags): string {
  const limit = flags.limit.value;
  if (flags.outputFormat.value !== "json") {
    return printImages(workloads, { headers: !flags.noHeaders.value, limit });
  }
  if (limit < 0) {
    throw new UsageError("opts.limit cannot be less than 0");
  }
  const shown = limit === 0 ? workloads : workloads.map((workload) => firstImages(workload, limit));
  return `${stringifyGoJson(encodeImageList(shown), { sortKeys: false })}\n`;
}

function firstImages({ id, containers }: WorkloadImagesReport, limit: number): WorkloadImagesReport {
  return {
    id,
    containers: containers.map((each) => ({ ...each, available: each.available.slice(0, limit) })),
  };
}
