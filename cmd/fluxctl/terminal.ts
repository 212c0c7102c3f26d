/** What surrounds fluxctl: its two outputs and its environment. */
export interface Terminal {
  /** Writes to stdout. */
  readonly out: (text: string) => void;
  /** Writes to stderr. */
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}
