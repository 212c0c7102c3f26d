import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Door } from "../../../../../cmd/fluxctl/output/door.ts";
import { LivePicture } from "../../../../../cmd/fluxctl/output/live-picture.ts";

describe("LivePicture", () => {
  it("draws each picture over the one before, also where the screen got narrower", () => {
    let [written, columns] = ["", 80];
    const screen = { columns: () => columns, rows: () => 24 };

    const door = new Door(() => 7);

    {
      using picture = new LivePicture(screen, (text) => (written += door.pass(text)), door);
      picture.draw("123456\n2\n");
      columns = 3;
      picture.draw("x\n");
      picture.draw("y\n");
    }

    assert.equal(written, "\x1b[?25l123456\n2\n\x1b[3A\x1b[Jx\n\x1b[1A\x1b[Jy\n\x1b[?25h");
  });
});
