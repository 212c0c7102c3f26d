import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFileError } from "@weir/base";
import { flagsOf } from "@weir/cli";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { declareInstallFlags } from "../install/flags.ts";
import type { InstallFile } from "../install/manifests.ts";
import { checkGiven, holdsPassword, parametersOf } from "../install/options.ts";

const example = `# Install Flux and make it use Git repository git@github.com:<your username>/flux-get-started
fluxctl install --git-url 'git@github.com:<your username>/flux-get-started' --git-email=<your_git_email> | kubectl -f -`;

const passwordShown = `
Warning: the Deployment contains the password from --git-url, visible to everybody who can read the Deployment.
Store the password in a Secret named flux-git-auth instead, and use a URL like
https://$(GIT_AUTHUSER):$(GIT_AUTHKEY)@example.com/repo.git. For details, see the comment about GIT_AUTHUSER in
flux-deployment.yaml.
`;

/** `fluxctl install`: prints the manifests to install the daemon. */
export function installCommand(): Command {
  const flags = declareInstallFlags();
  return {
    use: "install",
    example,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkGiven(flags);
      const parameters = parametersOf(flags, await namespaceOr(flags.namespace.value, context));
      const { installFiles } = await import("../install/manifests.ts");
      await writeFiles(installFiles(parameters), flags.outputDir.value, context);
      if (holdsPassword(parameters.gitUrl)) {
        context.err(passwordShown);
      }
    },
  };
}

/** The manifests can't be written. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

/** Writes to stdout if no folder is named. */
async function writeFiles(
  files: readonly InstallFile[],
  folder: string,
  { out, err }: CommandContext,
): Promise<void> {
  if (folder === "") {
    files.forEach(({ content }) => out(content));
    return;
  }
  await checkFolder(folder);
  for (const { name, content } of files) {
    const path = join(folder, name);
    err(`writing ${path}\n`);
    await writeFile(path, content).catch((error: unknown) => {
      throw new InstallError(
        `cannot output manifest file ${name}: ${describeFileError("open", path, error)}`,
        { cause: error },
      );
    });
  }
}

async function checkFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new InstallError(describeFileError("stat", path, error), { cause: error });
  });
  if (!found.isDirectory()) {
    throw new InstallError(`${path} is not a directory`);
  }
}
