import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { systemClock } from "#adapters/local/clock.ts";
import { systemRandom } from "#adapters/local/random.ts";
import type { FrameAnswer, PeerFrame } from "#ports/peer-frames.ts";
import { NobodyThereError, PeerFailedError, PeerSilentError } from "#ports/peers.ts";
import { leftovers } from "#test/fixtures/leftovers.ts";
import { takingFrames } from "#test/fixtures/taking-frames.ts";
import { HttpPeerFrames } from "./peer-frames.ts";

const serverSecret = "of a test, and long enough";
const process = "the-other";
const parts = { serverSecret, clock: systemClock, random: systemRandom };
const frame: PeerFrame = {
  userId: 9_007_199_254_740_993n,
  roomId: "room & one/ü",
  ticket: "t+1=",
  bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 10, 13]),
};
const refused = { kind: "refused", code: 400, message: "no such ticket", data: { field: "ticket" } } as const;

async function openStranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  leftovers.push({
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("[PEER-21] passes a frame to the other server unchanged, and returns its response", async () => {
  const taken: PeerFrame[] = [];
  const answers: FrameAnswer[] = [{ kind: "taken" }, refused];
  const url = await takingFrames({ ...parts, self: process }, async (each) => {
    taken.push(each);
    return answers.shift() ?? null;
  });
  const frames = new HttpPeerFrames(parts);
  expect(await frames.pass({ process, url }, frame)).toEqual({ kind: "taken" });
  expect(taken).toEqual([frame]);
  expect(await frames.pass({ process, url }, frame)).toEqual(refused);
  await expect(frames.pass({ process, url }, frame)).rejects.toThrow(NobodyThereError);
  await expect(frames.pass({ process: "of before", url }, frame)).rejects.toThrow(NobodyThereError);
  const stranger = new HttpPeerFrames({ ...parts, serverSecret: "of another site, and long enough" });
  await expect(stranger.pass({ process, url }, frame)).rejects.toThrow(PeerFailedError);
  expect(taken).toHaveLength(3);
});

test("gives up a process that is gone or does not answer", async () => {
  const frames = new HttpPeerFrames({ ...parts, timeoutMs: 50 });
  const silent = await openStranger(() => undefined);
  await expect(frames.pass({ process, url: silent }, frame)).rejects.toThrow(PeerSilentError);
  const slow = await openStranger((_request, response) => void response.writeHead(200).write("{"));
  await expect(frames.pass({ process, url: slow }, frame)).rejects.toThrow(PeerSilentError);
  await expect(frames.pass({ process, url: "http://127.0.0.1:1" }, frame)).rejects.toThrow(PeerSilentError);
});

test("ignores invalid answers of a process", async () => {
  const frames = new HttpPeerFrames(parts);
  const said = ["", "{}", "null", "<html>", '{"code":200,"data":{"kind":"maybe"}}', '{"code":500,"data":null}'];
  for (const text of said) {
    const url = await openStranger((_request, response) => void response.end(text));
    await expect(frames.pass({ process, url }, frame)).rejects.toThrow(PeerFailedError);
  }
  const far = await openStranger((_request, response) => void response.writeHead(302, { location: silentUrl }).end());
  await expect(frames.pass({ process, url: far }, frame)).rejects.toThrow(PeerSilentError);
  const huge = await openStranger((_request, response) => void response.end(Buffer.alloc(1_048_576, " ")));
  await expect(frames.pass({ process, url: huge }, frame)).rejects.toThrow(PeerSilentError);
});

const silentUrl = "http://127.0.0.1:1/";

test("limits the number of frames in flight", async () => {
  const waiting: (() => void)[] = [];
  const url = await openStranger((_request, response) => {
    waiting.push(() => response.end('{"code":200,"data":{"kind":"taken"}}'));
  });
  const frames = new HttpPeerFrames({ ...parts, timeoutMs: 60_000, passedAtOnceMax: 2 });
  const passing = [frames.pass({ process, url }, frame), frames.pass({ process, url }, frame)];
  await expect(frames.pass({ process, url }, frame)).rejects.toThrow(PeerSilentError);
  while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  for (const answer of waiting) answer();
  expect(await Promise.all(passing)).toEqual([{ kind: "taken" }, { kind: "taken" }]);
  const next = frames.pass({ process, url }, frame);
  while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  waiting[2]?.();
  expect(await next).toEqual({ kind: "taken" });
});
