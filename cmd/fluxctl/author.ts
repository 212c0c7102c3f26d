import { ExecError, exec } from "@weir/base/node";

/**
 * Who works here, as git's configuration says: "Name <email>", or the one of them that is set, or "" where
 * neither is or git cannot be asked.
 */
export async function authorFromGit(): Promise<string> {
  const settings = await userSettings();
  const name = settings.get("user.name") ?? "";
  const email = settings.get("user.email") ?? "";
  return name !== "" && email !== "" ? `${name} <${email}>` : email || name;
}

/** Of a setting that stands several times, the last counts, as for git itself. */
async function userSettings(): Promise<ReadonlyMap<string, string>> {
  try {
    const { stdout } = await exec("git", ["config", "--null", "--get-regexp", "^user\\.(name|email)$"]);
    return new Map(stdout.split("\0").map(parseSetting));
  } catch (error) {
    if (error instanceof ExecError) {
      return new Map();
    }
    throw error;
  }
}

/** git puts the key and its value on lines of their own. */
function parseSetting(entry: string): readonly [key: string, value: string] {
  const at = entry.indexOf("\n");
  return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
