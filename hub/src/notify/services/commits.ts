/** What GitHub and GitLab have in common: a notification as reports about commits. */
import { makeVisible } from "@weir/base";
import { contentOf, type Notification, titleOf } from "../content.ts";
import { cutText } from "../cut.ts";
import type { NotableEvent } from "../event.ts";
import { markdownFormat } from "../formats/markdown.ts";
import type { Outcome } from "../retry.ts";

/** The events of a notification that concern one commit. */
export interface CommitReport {
  readonly revision: string;
  readonly notification: Notification;
  /** Names the status among those of other programs and instances. */
  readonly context: string;
  /** False if the newest event is an error. */
  readonly isGood: boolean;
}

/** A notification about more commits reports the newest of them. */
const maxCommits = 10;
const maxContext = 100;
const maxComment = 20_000;

/** One report for each commit and instance, oldest first; none if no event names a commit. */
export function commitReports({ id, events, template }: Notification): readonly CommitReport[] {
  const named = events.filter(({ revision }) => isHash(revision));
  const groups = Map.groupBy(named, ({ revision, instance }) => JSON.stringify([revision, instance.id]));
  return [...groups.values()].slice(-maxCommits).flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            revision: first.revision,
            notification: { id, events: [first, ...others], template },
            context: cutText(`weir/${makeVisible(first.instance.name)}`, maxContext),
            isGood: (others.at(-1) ?? first).severity !== "error",
          },
        ],
  );
}

/** The description of a commit status: one line of plain text. */
export function descriptionOf({ notification }: CommitReport, limit: number): string {
  return cutText(titleOf(notification), limit);
}

/** The target of a commit status; "" if there is none. */
export function linkOf({ notification: { events } }: CommitReport): string {
  return (events.at(-1) ?? events[0]).link;
}

/** A comment on a pull or merge request, in Markdown. Its last line tells that this notification was sent. */
export function commentOf({ notification }: CommitReport): string {
  const { title, text, facts, link } = contentOf(notification, {
    format: markdownFormat,
    maxText: maxComment,
  });
  const parts = [
    `**${markdownFormat.escape(title)}**`,
    text,
    facts.map(({ name, value }) => `- ${name}: ${markdownFormat.escape(value)}`).join("\n"),
    link === "" ? "" : `[Open in the console](${markdownFormat.link(link)})`,
    markOf(notification),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The invisible line by which a comment of this notification is recognized. */
export function markOf({ id }: Notification): string {
  return `<!-- weir-notification: ${id} -->`;
}

/** Runs steps one after the other until one isn't delivered. Steps that were done before are done again by a retry. */
export async function inTurn(steps: readonly (() => Promise<Outcome>)[]): Promise<Outcome> {
  const answers: string[] = [];
  for (const step of steps) {
    const outcome = await step();
    if (outcome.kind !== "delivered") {
      return outcome;
    }
    answers.push(outcome.answer);
  }
  return { kind: "delivered", answer: answers.join("; ") || "no event names a commit: nothing to report" };
}

function isHash(revision: NotableEvent["revision"]): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(revision);
}
