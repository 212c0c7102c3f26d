import { Deadline, type Finding, failed, messageOf, toError } from "@weir/base";
import { bool, flagsOf, text } from "@weir/cli";
import { encodeFindings } from "@weir/flux/api";
import { adviceOn } from "../advice/on-errors.ts";
import type { ClusterToCheck } from "../check/cluster.ts";
import { checkDaemon } from "../check/daemon.ts";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { fillFromEnvironment } from "../flags/globals.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { printFindings } from "../output/findings.ts";
import { declareOutputFormat, outputFormatOf, printAs } from "../output/format.ts";

/** `fluxctl check`: checks that fluxd has everything it needs and all permissions, and suggests remedies. */
export function checkCommand(): Command {
  const flags = declareFlags();
  return {
    use: "check",
    long: `Check that fluxd has everything it needs: the cluster, its pod, the git repository, permissions, image
registries and the image cache. Each problem comes with advice on how to fix it. To test write access to the
git repository, the check pushes a tag and then deletes it.
The exit status is 0 if no check failed, and 1 otherwise. Warnings don't count as failures.`,
    example: `  # Before you install: can you install fluxd in this namespace?
  fluxctl check --pre --namespace=flux

  # After you install
  fluxctl check --k8s-fwd-ns=flux`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      const format = outputFormatOf(flags.outputFormat.value);
      if (flags.namespace.value !== "" && !flags.pre.value) {
        throw new UsageError("--namespace requires --pre; use --k8s-fwd-ns to specify where fluxd runs");
      }
      const findings = await context.waitFor("the checks", () =>
        flags.pre.value ? before(flags.namespace.value, context) : after(context),
      );
      context.out(await printAs(format, printable(findings, context)));
      const bad = findings.filter(({ verdict }) => verdict === "failed");
      if (bad.length > 0) {
        context.err(`${bad.length} of ${findings.length} checks failed\n`);
        context.exitWith(1);
      }
    },
  };
}

function declareFlags() {
  return {
    pre: bool("pre", { usage: "check whether fluxd can be installed, instead of checking a running fluxd" }),
    namespace: text("namespace", { usage: "with --pre, the namespace to install fluxd in", shorthand: "n" }),
    outputFormat: declareOutputFormat(),
  };
}

function printable(findings: readonly Finding[], { paint, screen }: CommandContext) {
  return {
    isEmpty: findings.length === 0,
    json: () => encodeFindings(findings),
    table: () => printFindings(findings, { paint, marks: screen !== undefined }),
    names: () => findings.filter(({ verdict }) => verdict === "failed").map(({ subject }) => subject),
  };
}

async function before(namespace: string, context: CommandContext): Promise<readonly Finding[]> {
  const where = await namespaceOr(namespace, context);
  return inTime(context, async (cluster) => {
    const { checkBefore } = await import("../check/cluster.ts");
    return checkBefore(where, cluster);
  });
}

/** With a URL, only fluxd can be asked; otherwise, the cluster can report on its pod. */
async function after(context: CommandContext): Promise<readonly Finding[]> {
  fillFromEnvironment(context.globals, { ...context, err: () => undefined });
  const { url, token } = context.globals;
  if (url.value !== "" || token.value !== "") {
    return (await askDaemon(context)).findings;
  }
  const { checkPod, checkAccount } = await import("../check/cluster.ts");
  const pod = await inTime(context, checkPod);
  if (pod.some(({ verdict }) => verdict === "failed")) {
    return pod;
  }
  const { findings, isOld } = await askDaemon(context);
  return [...pod, ...findings, ...(isOld ? await inTime(context, checkAccount) : [])];
}

async function askDaemon(context: CommandContext): ReturnType<typeof checkDaemon> {
  const { globals, clock, signal } = context;
  try {
    const client = await context.connect();
    using deadline = new Deadline(clock, globals.timeout.value, signal);
    return await checkDaemon(client, deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    const advice = adviceOn(toError(error), globals);
    const finding = failed(
      "API",
      `cannot query fluxd: ${messageOf(error)}`,
      advice.join("\n") || "check fluxd's log",
    );
    return { findings: [finding], isOld: false };
  }
}

async function inTime(
  { globals, env, clock, signal }: CommandContext,
  look: (cluster: ClusterToCheck) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  using deadline = new Deadline(clock, globals.timeout.value, signal);
  const findings = await look({ flags: globals, env, signal: deadline.signal });
  signal.throwIfAborted();
  return findings;
}
