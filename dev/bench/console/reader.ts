/** Somebody who looks at the console through its REST API. */
export class Reader {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(consoleUrl: string, token: string) {
    this.#url = `${consoleUrl}/api/console/v1`;
    this.#headers = { Authorization: `Bearer ${token}` };
  }

  /** Resolves to what's answered; rejects if it isn't what was asked for. */
  async get(path: string): Promise<unknown> {
    const response = await fetch(this.#url + path, { headers: this.#headers });
    if (!response.ok) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`);
    }
    return response.json();
  }

  /**
   * Reads live changes until the signal is aborted; resolves to how old each posted event was when it arrived, in
   * milliseconds.
   */
  async agesOfEvents(signal: AbortSignal): Promise<readonly number[]> {
    const ages: number[] = [];
    const response = await fetch(`${this.#url}/stream`, { headers: this.#headers, signal });
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for await (const bytes of response.body ?? []) {
        const now = Date.now();
        const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        ages.push(...lines.flatMap((line) => postedAt(line) ?? []).map((posted) => now - posted));
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
    return ages;
  }
}

/** The message of a posted event begins with the time at which it was posted. */
function postedAt(line: string): number | undefined {
  const match = /^data: \{"type":"event",.*"message":"(\d{13}) \d+"/.exec(line);
  return match === null ? undefined : Number(match[1]);
}
