import type { Seen } from "@weir/demo";

/** Something to try in the demo. */
export interface Lesson {
  /** Why one would want it; a sentence without the stop. */
  readonly topic: string;
  /** What to type into a shell, in the clone of the repository. */
  readonly lines: readonly string[];
  /** What to look at afterwards. */
  readonly look: string;
  /** How the demo knows that somebody has tried it. */
  readonly tried: Tried;
  /** What fluxd does about it by itself, some time later. */
  readonly leadsTo?: Seen;
  /** The exit statuses of fluxctl that are no failure, if not only 0. */
  readonly statuses?: readonly number[];
  /** It needs keys from a person, so it can't run by itself. */
  readonly needsKeys?: true;
}

/** A command of fluxctl, perhaps with a flag, or something that the demo has seen. */
export type Tried = { readonly command: string; readonly flag?: string } | { readonly seen: Seen };

/** What a person has done so far. */
export interface Done {
  /** The arguments of each fluxctl that was run. */
  readonly commands: readonly string[];
  readonly seen: ReadonlySet<Seen>;
}

/** True if a person has tried it. */
export function isTried({ tried }: Lesson, { commands, seen }: Done): boolean {
  if ("seen" in tried) {
    return seen.has(tried.seen);
  }
  const { command, flag } = tried;
  return commands.some((each) => {
    const words = each.split(" ");
    return words[0] === command && (flag === undefined || words.some((word) => isFlag(word, flag)));
  });
}

function isFlag(word: string, flag: string): boolean {
  return word === flag || word.startsWith(`${flag}=`);
}

/**
 * The lesson to suggest next: the first one that wasn't tried, those first that weren't suggested yet. Undefined if
 * all were tried.
 */
export function nextLesson(
  lessons: readonly Lesson[],
  done: Done,
  suggested: readonly Lesson[],
): Lesson | undefined {
  const untried = lessons.filter((lesson) => !isTried(lesson, done));
  const times = (lesson: Lesson): number => suggested.filter((each) => each === lesson).length;
  return untried.toSorted((a, b) => times(a) - times(b))[0];
}
