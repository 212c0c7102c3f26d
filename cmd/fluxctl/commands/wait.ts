import { printDuration } from "@weir/base";
import { bool, flagsOf, list, optionalText, text } from "@weir/cli";
import { type ImageRef, parseImageRef, parseResourceIdIn, type ResourceId } from "@weir/flux";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { declareAllNamespaces, namespaceOr } from "../flags/namespace.ts";
import type { Ended, Wait } from "../waiting/watch.ts";

/** The time limit if none is given, in milliseconds. */
const usualTimeout = 5 * 60_000;

/** The value of --sync without one. */
const theHead = "HEAD";

/** `fluxctl wait`: waits for a sync, for health, or for an image. */
export function waitCommand(): Command {
  const flags = declareFlags();
  return {
    use: "wait [WORKLOAD...]",
    long: `Wait until a revision is synced, resources are healthy, or an image runs.
Without --sync, --health or --image, it waits for both --sync and --health. fluxd fetches from git at the
beginning; --sync waits for the head of the branch as it is then, --sync=REVISION for a commit. --health is for
the resources in git, in one namespace or with -A in all of them, or for the named workloads. --image waits until
all workloads that use the image's repository, or those that are named, run this image. --exclude leaves out
resources that --health and --image would wait for, or whose refusal would end it.
The time limit is 5 minutes, or that of --timeout.

It ends at once, with the reason, when somebody has to act first: syncing is suspended, a file in git can't be
read, a resource is refused, a commit isn't signed, a Job or a rollout has failed, or an image can't be pulled.
The exit status is 0 if everything is reached, 1 if fluxd can't be asked, 2 if somebody has to act first, and 3
after the time limit.`,
    example: `  fluxctl wait -A
  fluxctl wait --sync=$(git rev-parse HEAD) --health -n shop --timeout 10m
  fluxctl wait -n shop --exclude=deployment/batch
  fluxctl wait -n shop deployment/web --image=example.com/web:1.2.3`,
    flags: flagsOf(flags),
    async run(args, context) {
      const wait = await waitOf(args, flags, context);
      const client = await context.connect();
      const { watch } = await import("../waiting/watch.ts");
      const { timeout } = context.globals;
      const timeoutMs = timeout.isSet ? timeout.value : usualTimeout;
      tell(await watch({ ...wait, timeoutMs }, client, context), timeoutMs, context);
    },
  };
}

type WaitFlags = ReturnType<typeof declareFlags>;

function declareFlags() {
  return {
    sync: optionalText("sync", {
      bareText: theHead,
      usage: "Wait until the head of the branch, or this commit, is synced",
    }),
    health: bool("health", { usage: "Wait until resources, or the named workloads, are healthy" }),
    image: text("image", { usage: "Wait until workloads run this image, such as example.com/app:1.2.3" }),
    exclude: list("exclude", {
      usage: "Resources that don't count, such as deployment/foo or another:deployment/foo",
    }),
    namespace: text("namespace", { usage: "Namespace of the resources", shorthand: "n" }),
    allNamespaces: declareAllNamespaces(),
  };
}

async function waitOf(
  args: readonly string[],
  { sync, health, image, exclude, namespace, allNamespaces }: WaitFlags,
  context: CommandContext,
): Promise<Omit<Wait, "timeoutMs">> {
  const isUsual = !sync.isSet && !health.value && image.value === "";
  const place = allNamespaces.value ? "" : await namespaceOr(namespace.value, context);
  const idOf = (text: string): ResourceId => parseResourceIdIn(place === "" ? "default" : place, text);
  const excluded = exclude.value.map(idOf);
  const ids = args.map(idOf);
  const both = ids.filter((id) => excluded.includes(id));
  if (both.length > 0) {
    throw new UsageError(`${both.join(", ")} can't be both named and excluded`);
  }
  const revision = sync.value === theHead ? "" : sync.value;
  return {
    ids,
    excluded,
    namespace: ids.length > 0 ? "" : place,
    health: health.value || isUsual,
    ...(sync.isSet || isUsual ? { revision } : {}),
    ...(image.value === "" ? {} : { image: imageOf(image.value) }),
  };
}

function imageOf(value: string): ImageRef {
  const image = parseImageRef(value);
  if (image.tag === "") {
    throw new UsageError(`--image needs a tag, such as ${value}:1.2.3`);
  }
  return image;
}

function tell({ how, verdict }: Ended, timeoutMs: number, context: CommandContext): void {
  const { out, paint } = context;
  switch (how) {
    case "reached":
      out(`${paint.good("Done:")} ${verdict.reached.join("; ")}\n`);
      return;
    case "stuck":
      out(`${paint.bad("Stuck:")} ${inOneLine(verdict.stuck)}\n`);
      context.exitWith(2);
      return;
    case "timeout":
      out(
        `${paint.bad("Timed out")} after ${printDuration(timeoutMs)}, waiting for: ${inOneLine(verdict.waiting)}\n`,
      );
      context.exitWith(3);
  }
}

function inOneLine(lines: readonly string[]): string {
  return lines.map((line) => line.trim().replaceAll(/\s*\n\s*/g, "; ")).join("; ");
}
