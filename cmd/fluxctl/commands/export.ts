import { bool, flagsOf, text } from "@weir/cli";
import { type Command, refuseArguments, UsageError } from "../command.ts";
import { choiceOf } from "../flags/choice.ts";

const targets = ["flux2"] as const;
const formats = ["yaml", "json"] as const;

/** `fluxctl export --for=flux2`: writes a running install as objects of another tool. */
export function exportCommand(): Command {
  const flags = declareFlags();
  return {
    use: "export --for=flux2",
    long: `Write the objects with which Flux v2 continues the work of this install: GitRepository, Kustomization,
ImageRepository, ImagePolicy, and ImageUpdateAutomation. Nothing is changed, and no Secret is read. Comments say
which Secrets and markers are needed, and what has no equivalent in Flux v2. Everything that would change the
cluster or git is suspended until you resume it.

With --mark, put the markers that Flux v2 needs into the manifests of a checkout instead. Without --write, only show
where they would go. The exit status is 1 if some have to be added by hand.`,
    example: `  fluxctl export --for=flux2 --k8s-fwd-ns=flux > flux2.yaml
  fluxctl export --for=flux2 -o json | jq '.items[].kind'
  fluxctl export --for=flux2 --mark=path/to/clone --write`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      if (flags.target.value === "") {
        throw new UsageError(`--for is required: use ${targets.map((each) => `--for=${each}`).join(" or ")}`);
      }
      const target = choiceOf(targets, flags.target.value, "value of --for");
      const format = choiceOf(formats, flags.outputFormat.value, "output format");
      if (flags.write.value && flags.mark.value === "") {
        throw new UsageError("--write requires --mark");
      }
      const { exportForFlux2 } = await loaders[target]();
      await exportForFlux2(
        {
          format,
          namespace: flags.namespace.value,
          deployment: flags.deployment.value,
          gitUrl: flags.gitUrl.value,
          ...(flags.mark.value === ""
            ? {}
            : { mark: { folder: flags.mark.value, write: flags.write.value } }),
        },
        context,
      );
    },
  };
}

const loaders = { flux2: () => import("../export/flux2.ts") } as const;

function declareFlags() {
  return {
    target: text("for", {
      usage: `Tool to write the objects for (${targets.join(", ")})`,
      values: targets,
    }),
    namespace: text("namespace", {
      default: "flux-system",
      usage: "Namespace of the exported objects",
      shorthand: "n",
    }),
    deployment: text("deployment", { usage: "Name of fluxd's Deployment, if its labels don't tell" }),
    gitUrl: text("git-url", { usage: "URL for Flux v2 to fetch from (default: the --git-url of fluxd)" }),
    mark: text("mark", {
      usage:
        "Clone of the repository whose manifests get the markers, a `directory` with the branch that fluxd syncs",
    }),
    write: bool("write", {
      usage: "With --mark, write the markers instead of showing where they would go",
    }),
    outputFormat: text("output-format", {
      default: "yaml",
      usage: `Output format (${formats.join(", ")})`,
      shorthand: "o",
      values: formats,
    }),
  };
}
