import { ContainerLog, type LogWorld } from "./container-log.ts";
import { judge } from "./errors.ts";
import type { PodView } from "./pod.ts";
import { nameOfSource } from "./printer.ts";
import type { Wanted } from "./query.ts";
import { chosenContainers } from "./selection.ts";

/** Which logs to print. */
export interface OnceOptions {
  readonly wanted: Wanted;
  readonly container: string;
  readonly previous: boolean;
}

/**
 * Prints the logs of pods as they are now, one after the other. What isn't there is told on stderr. Resolves to false if
 * a log couldn't be read, or if none was there. Rejects with LogsError.
 */
export async function printLogs(
  pods: readonly PodView[],
  { wanted, container, previous }: OnceOptions,
  world: LogWorld,
  signal: AbortSignal,
): Promise<boolean> {
  let [read, failed] = [0, 0];
  for (const pod of pods) {
    for (const { name } of chosenContainers(pod, container)) {
      const source = { namespace: pod.namespace, pod: pod.name, container: name };
      try {
        await new ContainerLog(world, source, wanted).read({ previous, follow: false }, signal);
        read += 1;
      } catch (error) {
        signal.throwIfAborted();
        const verdict = judge(error, { right: "get pods/log", namespace: pod.namespace });
        if (verdict.kind === "fatal") {
          throw verdict.error;
        }
        failed += verdict.kind === "temporary" ? 1 : 0;
        world.printer.tell(`${nameOfSource(source)}: ${verdict.reason}`);
      }
    }
  }
  world.printer.flush();
  return read > 0 && failed === 0;
}
