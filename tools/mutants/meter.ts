import type { Mutant } from "./mutant.ts";

const machine = "server/src/calls/meter-machine.ts";
const picture = "server/src/calls/meter-service.ts";
const store = "server/src/calls/meter-store.ts";
const stories = ["server/src/calls/meter-machine.test.ts"];
const service = ["server/src/calls/meter-service.test.ts"];

/** The meter of a paid call: which time counts, what it costs, and what is given back. */
export const meterMutants: readonly Mutant[] = [
  {
    file: machine,
    find: "Math.floor(countedMs / 1_000)",
    replace: "Math.ceil(countedMs / 1_000)",
    why: "a second that has only begun is paid",
    tests: stories,
  },
  {
    file: machine,
    find: 'state.kind === "opening" ? countedMs : Math.min(countedMs, boundaryMs(state))',
    replace: "countedMs",
    why: "a timer that comes late is paid by the person",
    tests: stories,
  },
  {
    file: machine,
    find: "const freeMs = Math.max(state.countedMs, isFree ? freeStartMs : 0);",
    replace: "const freeMs = isFree ? freeStartMs : 0;",
    why: "the time that a slow database took is paid",
    tests: stories,
  },
  {
    file: machine,
    find: 'hold: "failing", freeMs: state.freeMs + usedMs(state) }',
    replace: 'hold: "failing" }',
    why: "the part of a minute that had no hold is paid",
    tests: stories,
  },
  {
    file: machine,
    find: 'reading }, { type: "close-call" }, measured(state)],',
    replace: "reading }, measured(state)],",
    why: "a call goes on for nothing when the beans have run out",
    tests: stories,
  },
  {
    file: machine,
    find: 'hold === "held" || isFirst ? []',
    replace: 'hold !== "failing" || isFirst ? []',
    why: "the minute before stays held, and unpaid, when a call ends in a minute's first moment",
    tests: stories,
  },
  {
    file: machine,
    find: "state.minute > state.earlier.paid + 1 && usedMs(state) < mediaStallMs",
    replace: "state.minute > state.earlier.paid + 1 && usedMs(state) < 0",
    why: "the minute in which the picture stopped is not given back",
    tests: stories,
  },
  {
    file: machine,
    find: 'if (why === "left" || state.hold === "failing") return',
    replace: 'if (why === "left") return',
    why: "a minute that was had is given back because the ledger failed in the next",
    tests: stories,
  },
  {
    file: picture,
    find: "if (self.awaited || other.awaited || other.lost) return",
    replace: "if (self.awaited || other.awaited) return",
    why: "time counts while the other's connection is lost",
    tests: service,
  },
  {
    file: picture,
    find: 'if (other.hidden === "yes") return',
    replace: "if (other.cameraOff) return",
    why: "a picture that our checks hide is paid",
    tests: service,
  },
  {
    file: store,
    find: "or claimed.matches < ${freeMatchesPerDayMax}",
    replace: "or claimed.matches <= ${freeMatchesPerDayMax}",
    why: "more matches of a day begin for nothing than the product says",
    tests: service,
  },
  {
    file: store,
    find: "transfer.kind in ('call', 'credit')",
    replace: "transfer.kind in ('call')",
    why: "what was given back for a call is given back again",
    tests: ["server/src/calls/meter-credit.test.ts"],
  },
];
