import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MessageError, parseRequest, printResponse } from "../../../src/websocket/messages.ts";

describe("a request", () => {
  it("is a method, its parameters, and an ID that is kept as text", () => {
    assert.deepEqual(
      parseRequest('{"method":"RPCServer.Ping","params":[{}],"id":123456789012345678901234567890}'),
      {
        method: "RPCServer.Ping",
        params: [{}],
        id: "123456789012345678901234567890",
      },
    );
  });

  it("may lack everything", () => {
    assert.deepEqual(parseRequest("{}"), { method: "", params: undefined, id: "null" });
    assert.deepEqual(parseRequest('{"method":null,"params":null,"id":null}'), {
      method: "",
      params: undefined,
      id: "null",
    });
  });

  it("has keys in any case, of which the last counts", () => {
    assert.deepEqual(parseRequest('{"method":"a","METHOD":"b","Params":[1],"id":1,"ID":2}'), {
      method: "b",
      params: [1],
      id: "2",
    });
  });

  it("is not read out of what every object inherits, nor does it change that", () => {
    const request = parseRequest('{"__proto__":{"method":"a","polluted":1},"constructor":{"id":7}}');

    assert.deepEqual(request, { method: "", params: undefined, id: "null" });
    assert.equal("polluted" in {}, false);
  });

  it("is refused where it is no JSON, or its method no text", () => {
    for (const text of ["{x}", '{"a":1]', '{"method":7}', '{"method":["a"]}', "{'method':1}"]) {
      assert.throws(() => parseRequest(text), MessageError, text);
    }
  });
});

describe("an answer", () => {
  it("has the ID byte for byte, and null beside a result or an error", () => {
    assert.equal(
      printResponse("-1.5000E+400", { result: { Result: null } }),
      '{"id":-1.5000E+400,"result":{"Result":null},"error":null}\n',
    );
    assert.equal(
      printResponse('{"a" : "<"}', { error: "a < b" }),
      '{"id":{"a" : "<"},"result":null,"error":"a \\u003c b"}\n',
    );
  });
});
