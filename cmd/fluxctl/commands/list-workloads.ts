import { compareGoStrings } from "@weir/base";
import { bool, flagsOf, text } from "@weir/cli";
import { encodeWorkloads, type WorkloadStatusReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { adviceOnNamespace } from "../advice/on-workloads.ts";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { declareAllNamespaces, namespaceOr } from "../flags/namespace.ts";
import { declareOutputFormat, fluxOutputFormatOf, outputFormatOf, type Printable } from "../output/format.ts";
import { printWorkloads } from "../output/workloads.ts";
import { showList } from "../waiting/watch-list.ts";

/** `fluxctl list-workloads`: lists the workloads in the cluster, and their policies in git. */
export function listWorkloadsCommand(): Command {
  const flags = declareFlags();
  return {
    use: "list-workloads",
    example: "  fluxctl list-workloads",
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const formatOf = flags.watch.value ? outputFormatOf : fluxOutputFormatOf;
      const format = formatOf(flags.outputFormat.value, context);
      const namespace = flags.allNamespaces.value ? "" : await namespaceOr(flags.namespace.value, context);
      const find = async (client: ApiClient, signal: AbortSignal): Promise<Printable> => {
        const workloads = await client.listWorkloads({ namespace, workloads: [] }, signal);
        return printable(chosen(workloads, flags.container.value), flags, context);
      };
      const explainEmpty = async (client: ApiClient): Promise<readonly string[]> =>
        namespace === "" ? [] : await adviceOnNamespace(namespace, client, context);
      await showList({ format, find, explainEmpty }, flags.watch.value, context);
    },
  };
}

type ListWorkloadsFlags = ReturnType<typeof declareFlags>;

function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Confine query to namespace", shorthand: "n" }),
    allNamespaces: declareAllNamespaces(),
    container: text("container", { usage: "Filter workloads by container name", shorthand: "c" }),
    noHeaders: bool("no-headers", { usage: "Don't print headers (default print headers)" }),
    outputFormat: declareOutputFormat(),
    watch: bool("watch", { usage: "Keep running, and update the list when it changes", shorthand: "w" }),
  };
}

/** The workloads with a container of that name, or all if it's ""; sorted. */
function chosen(
  workloads: readonly WorkloadStatusReport[],
  container: string,
): readonly WorkloadStatusReport[] {
  return workloads
    .filter(({ containers }) => container === "" || containers.some(({ name }) => name === container))
    .toSorted((a, b) => compareGoStrings(a.id, b.id));
}

function printable(
  workloads: readonly WorkloadStatusReport[],
  { noHeaders }: ListWorkloadsFlags,
  { paint }: CommandContext,
): Printable {
  return {
    isEmpty: workloads.length === 0,
    json: () => encodeWorkloads(workloads),
    table: (wide) => printWorkloads(workloads, { headers: !noHeaders.value, wide, paint }),
    names: () => workloads.map(({ id }) => id),
  };
}
