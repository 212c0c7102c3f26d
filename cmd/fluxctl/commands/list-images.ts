import { bool, flagsOf, int, text } from "../../../src/base/cli/declare.ts";
import { parseResourceIdIn } from "../../../src/resource/id.ts";
import { type Command, refuseArguments, UsageError } from "../command.ts";
import { namespaceOr } from "../namespace.ts";
import { NotSupportedYetError } from "../not-yet.ts";
import { checkOutputFormat } from "../output/format.ts";

/** `fluxctl list-images`: which images there are for what runs. It judges its arguments, and cannot do more yet. */
export function listImagesCommand(): Command {
  const flags = declareFlags();
  return {
    use: "list-images",
    example: "  fluxctl list-images --namespace default --workload=deployment/foo",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkOutputFormat(flags.outputFormat.value);
      const { workload, controller } = flags;
      if (workload.value !== "" && controller.value !== "") {
        throw new UsageError("can't specify both the controller and image");
      }
      const given = workload.value || controller.value;
      if (given !== "") {
        parseResourceIdIn(await namespaceOr(flags.namespace.value, context), given);
      }
      throw new NotSupportedYetError("list-images", "use fluxctl list-workloads to see which images run");
    },
  };
}

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
