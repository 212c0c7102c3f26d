import { inOneLine, shortRevision, type Told } from "./told.ts";

/** A commit in the git repository. */
export interface PushedCommit {
  readonly revision: string;
  readonly author: string;
  readonly subject: string;
}

/** fluxd's own commits; its events tell more about them. */
const fluxd = "Weave Flux";

/** More commits than that are only counted. */
const mostCommits = 3;

/** Tells the commits that people have pushed, oldest first. */
export function tellCommits(commits: readonly PushedCommit[]): readonly Told[] {
  const pushed = commits.filter(({ author }) => author !== fluxd);
  const told = pushed.slice(-mostCommits).map(
    ({ revision, author, subject }): Told => ({
      sign: ">",
      text: inOneLine(`${author} pushed ${shortRevision(revision)}: ${subject}`),
    }),
  );
  const others = pushed.length - told.length;
  const count = others === 1 ? "1 commit was" : `${others} commits were`;
  return others > 0 ? [{ sign: ">", text: `${count} pushed, and then:` }, ...told] : told;
}
