import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { TempFolder, until } from "@weir/testing";
import { programs } from "./programs.ts";

/** What a shell prints when it waits for a command. */
const prompt = "ready>";

/** How a terminal is to be. */
export interface TerminalOptions {
  /** The shell that runs in it, and its arguments. */
  readonly shell?: readonly [program: string, ...args: readonly string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/**
 * A real pseudo-terminal in which a shell runs, with the built programs on its PATH, a home of its own and nothing of
 * this process's environment. tmux is both the terminal and the eye that looks at its screen.
 */
export class TestTerminal implements AsyncDisposable {
  readonly #server = `weir-test-${randomUUID()}`;
  readonly #home = new TempFolder();

  /** Resolves when the shell waits for a command. */
  static async start(options: TerminalOptions = {}): Promise<TestTerminal> {
    const terminal = new TestTerminal();
    await terminal.#open(options);
    return terminal;
  }

  /** The home of whoever sits at the terminal. */
  get home(): string {
    return this.#home.path;
  }

  /** Presses keys by tmux's names for them, e.g. "Enter", "Down", "C-c". */
  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
  }

  /** Types a text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", "--", text);
  }

  /** Makes the terminal that large. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  /** Clears the screen, and types a command and Enter. */
  async enter(command: string): Promise<void> {
    const line = `clear; ${command}`;
    await this.type(line);
    // Else a prompt from before could be taken for the one behind the command.
    await until("the command to be typed", async () =>
      withoutBlanks(await this.screen()).endsWith(withoutBlanks(line)),
    );
    await this.press("Enter");
  }

  /** What is on the screen, without blanks at the ends of lines and empty lines below. */
  async screen(): Promise<string> {
    return (await this.#tmux("capture-pane", "-p")).replaceAll(/ +$/gm, "").trimEnd();
  }

  /** The same with the codes for colours. */
  colouredScreen(): Promise<string> {
    return this.#tmux("capture-pane", "-p", "-e");
  }

  /** True where the cursor can be seen. */
  async showsCursor(): Promise<boolean> {
    return (await this.#tmux("display-message", "-p", "#{cursor_flag}")).trim() === "1";
  }

  /** Waits until the screen shows that, and resolves to all of it. */
  async shows(wanted: string | RegExp): Promise<string> {
    let seen = "";
    const isThere = (): boolean => (typeof wanted === "string" ? seen.includes(wanted) : wanted.test(seen));
    try {
      return await until(`${String(wanted)} on the screen`, async () => {
        seen = await this.screen();
        return isThere() && seen;
      });
    } catch (error) {
      throw new Error(`the screen does not show ${String(wanted)} but:\n${seen}`, { cause: error });
    }
  }

  /** Waits until a command is over that `enter` began, and resolves to the screen without the prompt below it. */
  async finished(): Promise<string> {
    const screen = await this.shows(new RegExp(`^(?:[^]*\\n)?${prompt}$`));
    return screen.slice(0, -prompt.length);
  }

  /** The exit status of the last command. */
  async status(): Promise<number> {
    await this.type('echo "status=$?"');
    await this.press("Enter");
    const screen = await this.shows(new RegExp(`\\nstatus=\\d+\\n${prompt}$`));
    return Number(/\nstatus=(\d+)\n/.exec(screen)?.[1]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const shell = Number(await this.#tmux("display-message", "-p", "#{pane_pid}"));
    await this.#tmux("kill-server");
    // A shell that is told to end may still write to its home.
    await until("the shell to end", () => !isAlive(shell));
    this.#home[Symbol.dispose]();
  }

  async #open({ shell, env = {}, columns = 100, rows = 30 }: TerminalOptions): Promise<void> {
    const [program, ...args] = shell ?? ["bash", "--norc", "--noprofile"];
    const surroundings = {
      PATH: `${programs}:${process.env["PATH"] ?? ""}`,
      HOME: this.#home.path,
      LC_ALL: "C.UTF-8",
      PS1: prompt,
      PROMPT: prompt,
      GIT_CONFIG_NOSYSTEM: "1",
      ...env,
    };
    const size = ["-x", String(columns), "-y", String(rows)];
    await this.#run(["-u", "-f", "/dev/null", "new-session", "-d", ...size, program, ...args], surroundings);
    await this.shows(prompt);
  }

  #tmux(...args: readonly string[]): Promise<string> {
    return this.#run(args, { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8" });
  }

  async #run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
    const { stdout } = await promisify(execFile)("tmux", ["-L", this.#server, ...args], { env });
    return stdout;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A long line goes on in the next, and blanks may be lost there. */
function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/g, "");
}
