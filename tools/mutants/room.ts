import type { Mutant } from "./mutant.ts";

const file = "server/src/calls/room-machine.ts";
const tests = ["server/src/calls/room-machine.test.ts"];

/** The life of a room, from the pairing to its end. */
export const roomMutants: readonly Mutant[] = [
  {
    file,
    find: 'if (state.kind === "ended") return { state, effects: none };',
    replace: 'if (state.kind === "ended" && event.type === "joined") return { state, effects: none };',
    why: "a room that is over ends again, with another reason",
    tests,
  },
  {
    file,
    find: 'dueOf(state, "offerer") === due ? "offerer" : "answerer"',
    replace: 'dueOf(state, "offerer") === due ? "answerer" : "offerer"',
    why: "the one who stayed is taken for the one who was lost, and pays",
    tests,
  },
  {
    file,
    find: "if (!playing[otherSide(side)])",
    replace: "if (!playing[side])",
    why: "a call is live, and paid, when one of the two has a picture",
    tests,
  },
  {
    file,
    find: "stalledAtMs: { ...before.stalledAtMs, [side]: null } };",
    replace: "stalledAtMs: before.stalledAtMs };",
    why: "a call ends although the picture is back",
    tests,
  },
  {
    file,
    find: "const stalledAtMs = { ...state.stalledAtMs, [side]: state.stalledAtMs[side] ?? nowMs };",
    replace: "const stalledAtMs = { ...state.stalledAtMs, [side]: nowMs };",
    why: "whoever keeps saying that no picture comes has a call for nothing",
    tests,
  },
  {
    file,
    find: "const { stalledAtMs, lost } = state;",
    replace: "const { stalledAtMs, lost } = { ...state, stalledAtMs: never };",
    why: "a picture that stopped while connecting may stand for the whole call",
    tests,
  },
  {
    file,
    find: "const { stalledAtMs, lost } = state;",
    replace: "const { stalledAtMs, lost } = { ...state, lost: never };",
    why: "a call with somebody who was lost while connecting never ends",
    tests,
  },
  {
    file,
    find: "].flat();\n  return dues.length === 0 ? null : Math.min(...dues);",
    replace: "].flat();\n  return dues.length === 0 ? null : Math.max(...dues);",
    why: "a side that is lost has more time when its picture had stopped before",
    tests,
  },
  {
    file,
    find: "? { state: withLoss(state, event.side, null), effects",
    replace: "? { state, effects",
    why: "a call ends although the one who was lost is back",
    tests,
  },
  {
    file,
    find: '  banned: "cut",\n',
    replace: "",
    why: "the other side of a call is told a ban apart from a cut",
    tests,
  },
  {
    file,
    find: 'const wasLive = state.kind === "live";',
    replace: "const wasLive = true;",
    why: "a match that never came about counts as a call that was had",
    tests,
  },
];
