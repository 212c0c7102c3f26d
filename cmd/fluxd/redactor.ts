import { redactorOf } from "../../src/git/redact.ts";
import type { FluxdConfig } from "./settings.ts";
import { upstreamRedactor } from "./upstream.ts";

/** Returns a function that removes the configuration's passwords and tokens from a text. */
export function configRedactor({
  git,
  upstream,
}: Pick<FluxdConfig, "git" | "upstream">): (text: string) => string {
  const redactGit = redactorOf(git.url);
  const redactUpstream = upstreamRedactor(upstream);
  return (text) => redactUpstream(redactGit(text));
}
