import type { CommandContext } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { openTerminalInput } from "../terminal.ts";
import { act } from "./actions.ts";
import type { InkScreen } from "./ink-screen.ts";
import { initialState, type Key, type TopEvent, type TopState } from "./model.ts";
import { Source } from "./source.ts";
import { update } from "./update.ts";
import { view } from "./view.ts";

/** What to show, and how. */
export interface TopOptions {
  /** "" for all. */
  readonly namespace: string;
  readonly hasColours: boolean;
}

/** Shows everything until somebody quits. Rejects if fluxd can't be reached at first; later, it's awaited. */
export async function runTop(options: TopOptions, context: CommandContext): Promise<void> {
  const { namespace } = options;
  const client = await context.connect();
  const shell = new Shell(options, context);
  const source = new Source(client, { namespace, context, tell: (event) => shell.tell(event) });
  await context.waitFor("the tree", () => requireWeir("`fluxctl top`", source.read(context.signal)));
  await shell.run(source);
  context.err(shell.lastWords);
}

/** Connects the model with the terminal and fluxd. */
class Shell {
  readonly #options: TopOptions;
  readonly #context: CommandContext;
  readonly #quit = Promise.withResolvers<true>();
  #state: TopState;
  #source: Source | undefined;
  #screen: InkScreen | undefined;
  #isDrawing = false;

  constructor(options: TopOptions, context: CommandContext) {
    this.#options = options;
    this.#context = context;
    const { columns, rows } = process.stdout;
    const where = options.namespace === "" ? "" : ` ${options.namespace}`;
    this.#state = initialState(`fluxctl top${where}`, columns, rows);
  }

  /** Something happened. */
  tell(event: TopEvent): void {
    const { state, effects } = update(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind === "quit") {
        this.#quit.resolve(true);
      } else {
        void act(effect, {
          context: this.#context,
          client: () => this.#connected().client,
          tell: (each) => this.tell(each),
        });
      }
    }
    this.#drawSoon();
  }

  /** Takes over the terminal until somebody quits, and gives it back in any case. */
  async run(source: Source): Promise<void> {
    const { openInkScreen } = await import("./ink-screen.ts");
    this.#source = source;
    using open = new DisposableStack();
    const output = process.stdout;
    const input = open.adopt(openTerminalInput(), (stream) => stream.destroy());
    const { hasColours } = this.#options;
    const onKeys = (keys: readonly Key[]): void => keys.forEach((key) => this.tell({ kind: "key", key }));
    const screen = openInkScreen({ input, output, hasColours, onKeys });
    const restore = once(() => {
      this.#screen = undefined;
      screen.restore();
    });
    open.defer(restore);
    this.#screen = screen;
    const onResize = (): void => this.tell({ kind: "resized", columns: output.columns, rows: output.rows });
    output.on("resize", onResize);
    open.defer(() => output.removeListener("resize", onResize));
    // So that what's printed about a bug that nothing caught can be seen.
    process.prependListener("uncaughtException", restore);
    process.prependListener("unhandledRejection", restore);
    open.defer(() => process.removeListener("uncaughtException", restore));
    open.defer(() => process.removeListener("unhandledRejection", restore));
    onResize();
    await Promise.race([this.#quit.promise, screen.broken, source.follow()]);
  }

  /** What a person should know after the terminal was given back; "" for nothing. */
  get lastWords(): string {
    const { running } = this.#state;
    return running === "" ? "" : `Not waited for: ${running}. See \`fluxctl events\` for the result.\n`;
  }

  #connected(): Source {
    if (this.#source === undefined) {
      throw new Error("there is no connection to fluxd yet");
    }
    return this.#source;
  }

  /** Several events in a row are drawn once. */
  #drawSoon(): void {
    if (!this.#isDrawing && this.#screen !== undefined) {
      this.#isDrawing = true;
      setImmediate(() => {
        this.#isDrawing = false;
        this.#screen?.draw(view(this.#state));
      });
    }
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) {
      isDone = true;
      act();
    }
  };
}
