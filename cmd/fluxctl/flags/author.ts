import { ExecError, exec } from "@weir/base/node";

/**
 * The author according to git's configuration: "Name <email>", or the one that is set, or "" if neither is
 * set or git isn't available.
 */
export async function authorFromGit(): Promise<string> {
  const settings = await userSettings();
  const name = settings.get("user.name") ?? "";
  const email = settings.get("user.email") ?? "";
  return name !== "" && email !== "" ? `${name} <${email}>` : email || name;
}

/** If a setting occurs several times, the last one counts, as in git. */
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

/** git prints the key and its value on separate lines. */
function parseSetting(entry: string): readonly [key: string, value: string] {
  const at = entry.indexOf("\n");
  return at < 0 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
}
