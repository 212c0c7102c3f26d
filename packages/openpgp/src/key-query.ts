import { partsOf } from "./key-block.ts";
import type { BlockState } from "./key-state.ts";
import type { PublicKey } from "./public-key.ts";

/** What `gpg --local-user` is given, understood. */
export interface KeyQuery {
  /** True if only the named key or subkey will do. */
  readonly isExact: boolean;
  /** True if the key as a whole matches. */
  matches(state: BlockState): boolean;
  /** True for the key or subkey that is named. */
  isPart(key: PublicKey): boolean;
  /** The mail address in the user ID that matches. */
  mailIn(state: BlockState): string | undefined;
}

/** Hexadecimal digits, with what may be around them. */
const keyName = /^(0x)?0?([0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{40})(!?)$/i;

/** A fingerprint as gpg prints it for people. */
const spacedFingerprint = /^(?:[0-9a-f]{4} {1,2}){9}[0-9a-f]{4}$/i;

/** Understands a fingerprint, a key ID, or (part of) a user ID, as gpg's manual describes them. */
export function parseKeyQuery(text: string): KeyQuery {
  const trimmed = text.trim();
  const spaced = spacedFingerprint.test(trimmed) ? trimmed.replaceAll(" ", "") : trimmed;
  const [, , name, bang] = keyName.exec(spaced) ?? [];
  return name === undefined ? userIdQuery(trimmed) : keyQuery(name.toUpperCase(), bang === "!");
}

function keyQuery(name: string, isExact: boolean): KeyQuery {
  const isPart = ({ fingerprint }: PublicKey): boolean => fingerprint.endsWith(name);
  return {
    isExact,
    isPart,
    matches: ({ block }) => partsOf(block).some(({ key }) => isPart(key)),
    mailIn: () => undefined,
  };
}

function userIdQuery(text: string): KeyQuery {
  const isMatch = userIdMatcher(text);
  return {
    isExact: false,
    isPart: () => false,
    matches: ({ userIds }) => userIds.some((userId) => isMatch(userId.text)),
    mailIn: ({ userIds }) => mailOf(userIds.find((userId) => isMatch(userId.text))?.text ?? ""),
  };
}

/** The first character may say how to compare. */
function userIdMatcher(text: string): (userId: string) => boolean {
  const rest = text.slice(1);
  switch (text[0]) {
    case "=":
      return (userId) => userId === rest;
    case "<":
      return (userId) => mailOf(userId)?.toLowerCase() === rest.replace(/>$/, "").toLowerCase();
    case "@":
      return (userId) => contains(mailOf(userId) ?? "", rest);
    case "*":
      return (userId) => contains(userId, rest);
    default:
      return (userId) => text !== "" && contains(userId, text);
  }
}

function contains(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

/** The address in a user ID: between angle brackets, or the whole of it. */
function mailOf(userId: string): string | undefined {
  const address = /<([^<>]*)>/.exec(userId)?.[1] ?? userId;
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}
