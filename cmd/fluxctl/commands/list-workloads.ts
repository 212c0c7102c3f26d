import type { WorkloadStatusReport } from "../../../src/api/types/api-server.ts";
import { encodeWorkloads } from "../../../src/api/types/v6.ts";
import { bool, flagsOf, text } from "../../../src/base/cli/declare.ts";
import { stringifyGoJson } from "../../../src/base/go-json.ts";
import { compareGoStrings } from "../../../src/base/go-order.ts";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { namespaceOr } from "../namespace.ts";
import { checkOutputFormat } from "../output/format.ts";
import { printWorkloads } from "../output/workloads.ts";

/** `fluxctl list-workloads`: what runs in the cluster, and which policies it has in git. */
export function listWorkloadsCommand(): Command {
  const flags = declareFlags();
  return {
    use: "list-workloads",
    example: "  fluxctl list-workloads",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkOutputFormat(flags.outputFormat.value);
      const workloads = await find(flags, context);
      context.out(
        flags.outputFormat.value === "json"
          ? `${stringifyGoJson(encodeWorkloads(workloads), { sortKeys: false })}\n`
          : printWorkloads(workloads, !flags.noHeaders.value),
      );
    },
  };
}

function declareFlags() {
  return {
    namespace: text("namespace", "", "Confine query to namespace", { shorthand: "n" }),
    allNamespaces: bool("all-namespaces", false, "Query across all namespaces", { shorthand: "a" }),
    container: text("container", "", "Filter workloads by container name", { shorthand: "c" }),
    noHeaders: bool("no-headers", false, "Don't print headers (default print headers)"),
    outputFormat: text("output-format", "tab", "Output format (tab or json)", { shorthand: "o" }),
  };
}

async function find(
  { namespace, allNamespaces, container }: ReturnType<typeof declareFlags>,
  context: CommandContext,
): Promise<readonly WorkloadStatusReport[]> {
  const where = allNamespaces.value ? "" : await namespaceOr(namespace.value, context);
  const client = await context.connect();
  const workloads = await client.listWorkloads({ namespace: where, workloads: [] }, context.signal);
  const name = container.value;
  return workloads
    .filter(({ containers }) => name === "" || containers.some((each) => each.name === name))
    .toSorted((a, b) => compareGoStrings(a.id, b.id));
}
