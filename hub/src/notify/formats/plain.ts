import type { TextFormat } from "./format.ts";

/** Text that nobody interprets. */
export const plainFormat: TextFormat = {
  escape: (text) => text,
  link: (url) => url,
};
