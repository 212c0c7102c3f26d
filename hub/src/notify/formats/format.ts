/** How a service writes text. Templates are written in it; the values that they show are not. */
export interface TextFormat {
  /** Writes any text so that it's shown as it is: without formatting, links, mentions, and effects on what follows. */
  readonly escape: (text: string) => string;
  /** Writes a URL of ours so that a template can link to it. */
  readonly link: (url: string) => string;
}

/** Separates characters that together would be a mention, reference, link, or emoji, and is invisible itself. */
export const separator = "\u200b";
