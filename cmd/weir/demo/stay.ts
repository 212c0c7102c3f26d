import { setTimeout as sleep } from "node:timers/promises";
import type { Seen } from "@weir/demo";
import { type Lesson, nextLesson } from "./guide/lesson.ts";
import type { Workplace } from "./guide/workplace.ts";
import type { Narration, News } from "./narration/narration.ts";
import type { Narrator } from "./narrator.ts";

/** How often to look for news, in milliseconds. */
const lookEveryMs = 250;
/** A suggestion comes when there was no news for so many looks, so that it doesn't interrupt. */
const quietLooks = 6;

const noNews: News = { told: [], seen: [] };

/** Tells what people do, and suggests one thing after another, until it's aborted. Rejects if fluxd ends before. */
export async function stayUp(options: StayOptions, signal: AbortSignal): Promise<void> {
  const { narration, narrator, workplace, assertRunning } = options;
  const guide = new Guide(options);
  guide.suggest();
  for (let quiet = 0; !signal.aborted; quiet += 1) {
    const news = await narration.look(signal).catch(() => {
      if (!signal.aborted) {
        assertRunning();
      }
      return noNews;
    });
    if (news.told.length > 0) {
      narrator.tell(news.told);
      quiet = 0;
    }
    if (guide.learn(workplace.calls(), news.seen)) {
      quiet = 0;
    }
    if (quiet >= quietLooks && guide.isDue) {
      guide.suggest();
    }
    await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What the demo needs while it stays up. */
export interface StayOptions {
  readonly lessons: readonly Lesson[];
  readonly workplace: Workplace;
  readonly narration: Narration;
  readonly narrator: Narrator;
  /** Throws if fluxd isn't running. */
  readonly assertRunning: () => void;
}

/** Knows what was tried, and suggests what wasn't. */
class Guide {
  readonly #lessons: readonly Lesson[];
  readonly #narrator: Narrator;
  readonly #seen = new Set<Seen>();
  readonly #suggested: Lesson[] = [];
  #commands: readonly string[] = [];
  #hasEnded = false;
  isDue = false;

  constructor({ lessons, narrator }: Pick<StayOptions, "lessons" | "narrator">) {
    this.#lessons = lessons;
    this.#narrator = narrator;
  }

  /** Takes what was done; true if that's something new. */
  learn(commands: readonly string[], seen: readonly Seen[]): boolean {
    const isNew = commands.length > this.#commands.length || seen.length > 0;
    this.#commands = commands;
    seen.forEach((each) => this.#seen.add(each));
    this.isDue ||= isNew;
    return isNew;
  }

  suggest(): void {
    this.isDue = false;
    const next = nextLesson(this.#lessons, { commands: this.#commands, seen: this.#seen }, this.#suggested);
    if (next !== undefined) {
      this.#suggested.push(next);
      this.#narrator.gap();
      this.#narrator.say(`Try next: ${next.topic}.`);
      next.lines.forEach((line) => this.#narrator.command(line));
      this.#narrator.gap();
    } else if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#narrator.gap();
      this.#narrator.say("You've tried it all. `fluxctl help` lists what else there is.");
    }
  }
}
