import { bool, flagsOf, text } from "@weir/cli";
import type { ResourceStatus } from "@weir/flux";
import { encodeTree } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { adviceOnNamespace } from "../advice/on-workloads.ts";
import { type Command, refuseArguments } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { declareAllNamespaces, namespaceOr } from "../flags/namespace.ts";
import { declareOutputFormat, outputFormatOf, type Printable } from "../output/format.ts";
import { printTree } from "../output/tree.ts";
import { showList } from "../waiting/watch-list.ts";

/** `fluxctl tree`: shows the status of all resources in git and the objects that they own. */
export function treeCommand(): Command {
  const flags = declareFlags();
  return {
    use: "tree",
    example: `  fluxctl tree --namespace default
  fluxctl tree --all-namespaces --unhealthy`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const format = outputFormatOf(flags.outputFormat.value);
      const namespace = flags.allNamespaces.value ? "" : await namespaceOr(flags.namespace.value, context);
      const find = async (client: ApiClient, signal: AbortSignal): Promise<Printable> => {
        const { revision, resources } = await requireWeir(
          "`fluxctl tree`",
          client.tree({ namespace }, signal),
        );
        const shown = flags.unhealthy.value ? resources.filter(needsAttention) : resources;
        return {
          isEmpty: shown.length === 0,
          json: () => encodeTree({ revision, resources: shown }),
          table: (wide) => printTree(shown, { headers: !flags.noHeaders.value, wide, paint: context.paint }),
          names: () => shown.map(({ id }) => id),
        };
      };
      const explainEmpty = async (client: ApiClient): Promise<readonly string[]> =>
        namespace === "" ? [] : await adviceOnNamespace(namespace, client, context);
      await showList({ format, find, explainEmpty }, flags.watch.value, context);
    },
  };
}

function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Confine query to namespace", shorthand: "n" }),
    allNamespaces: declareAllNamespaces(),
    unhealthy: bool("unhealthy", { usage: "Show only resources that are out of sync or unhealthy" }),
    noHeaders: bool("no-headers", { usage: "Don't print headers (default print headers)" }),
    outputFormat: declareOutputFormat(),
    watch: bool("watch", { usage: "Keep running, and update the tree when it changes", shorthand: "w" }),
  };
}

/** True if a resource, or an object that it owns, has a problem. */
function needsAttention({ sync, health, children }: ResourceStatus): boolean {
  return (
    sync === "OutOfSync" ||
    sync === "Obsolete" ||
    !["", "Healthy", "Suspended"].includes(health) ||
    children.some(needsAttention)
  );
}
