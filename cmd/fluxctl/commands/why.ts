import { AdvisedError } from "@weir/base";
import { flagsOf, suggest, text } from "@weir/cli";
import { encodeWhy, type UnknownAnswer, type WhyReport } from "@weir/flux/api";
import { didYouMean } from "../advice/on-errors.ts";
import { type Command, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { declareOutputFormat, outputFormatOf, printAs } from "../output/format.ts";
import { printWhy } from "../output/why.ts";

/** `fluxctl why`: answers why a resource, an image, or a commit is as it is, and what to do. */
export function whyCommand(): Command {
  const flags = {
    namespace: text("namespace", { usage: "Namespace of a resource given without one", shorthand: "n" }),
    outputFormat: declareOutputFormat(),
  };
  return {
    use: "why RESOURCE|IMAGE|COMMIT",
    long: `Answer why something is as it is: what git wants and who changed that last, what is live, which fields differ
and who wrote them, whether it is synced, what holds it up, and what to do next.
- A resource is named as kind/name or namespace:kind/name; its name alone is enough if nothing else has it.
- For an image, the answer says which workloads run it, and why each of them does or does not move to it.
- For a commit, it says what it changed, whether that is synced, and what was refused.
Nothing is changed. The values of Secrets and of encrypted files are not shown.`,
    example: `  fluxctl why deployment/helloworld
  fluxctl why prod:configmap/settings -o yaml
  fluxctl why quay.io/weaveworks/helloworld:master-a000002
  fluxctl why 0123456789ab`,
    flags: flagsOf(flags),
    async run(args, context) {
      const [subject = "", ...others] = args;
      if (subject === "" || others.length > 0) {
        throw new UsageError("name one resource, image, or commit", {
          advice: ["For example: fluxctl why deployment/helloworld"],
        });
      }
      const format = outputFormatOf(flags.outputFormat.value);
      const namespace = await namespaceOr(flags.namespace.value, context);
      const client = await context.connect();
      const report = await context.waitFor(`why ${subject} is as it is`, () =>
        requireWeir("`fluxctl why`", client.why({ subject, namespace }, context.signal)),
      );
      if (report.kind === "unknown") {
        throw unknownSubject(report, namespace);
      }
      const printed = await printAs(format, {
        isEmpty: false,
        json: () => encodeWhy(report),
        table: (wide) => printWhy(report, { wide, paint: context.paint }),
        names: () => namesIn(report),
      });
      const isDocument = format === "json" || format === "yaml";
      (isDocument ? context.outDocument : context.out)(printed);
    },
  };
}

/** How many names to suggest. */
const shownNames = 3;

/** Nothing has the given name. */
class UnknownSubjectError extends AdvisedError {
  override readonly name = "UnknownSubjectError";
}

/** The names that are nearest, with and without their namespaces. */
function unknownSubject({ subject, verdict, known }: UnknownAnswer, namespace: string): Error {
  const ids = [`${namespace}:${subject}`, subject].flatMap((name) => suggest(name, known));
  const unqualified = known.filter(
    (name) => suggest(subject, [name.slice(name.indexOf(":") + 1)]).length > 0,
  );
  const named = known.filter((name) => suggest(subject, [name.slice(name.lastIndexOf("/") + 1)]).length > 0);
  const all = [...new Set([...ids, ...unqualified, ...named])];
  const near = all.filter((name) => name.startsWith(`${namespace}:`));
  const meant = (near.length > 0 ? near : all).slice(0, shownNames);
  const advice = didYouMean(meant);
  const otherwise = ["To list all workloads: fluxctl list-workloads -a; everything in git: fluxctl tree -a"];
  return new UnknownSubjectError([verdict, ...advice].join("\n"), advice.length > 0 ? [] : otherwise);
}

function namesIn(report: WhyReport): readonly string[] {
  switch (report.kind) {
    case "image":
      return report.uses.map(({ workload }) => workload);
    case "commit":
      return report.changes.map(({ id }) => id);
    case "resource":
    case "unknown":
      return [report.subject];
  }
}
