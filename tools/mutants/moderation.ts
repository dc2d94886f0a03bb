import type { Mutant } from "./mutant.ts";

const banPolicy = "server/src/moderation/ban-policy.ts";
const decisions = "server/src/moderation/decisions.ts";
const inspection = "server/src/calls/inspection-machine.ts";
const policy = ["server/src/moderation/ban-policy.test.ts"];
const decided = ["server/src/moderation/decisions.test.ts"];
const looked = ["server/src/calls/inspection-machine.test.ts"];

/** Who is hidden, paused, banned and for how long, and who decides it. */
export const moderationMutants: readonly Mutant[] = [
  {
    file: banPolicy,
    find: "reliability < reliableFrom ? 1 : wholeWeight",
    replace: "reliability <= reliableFrom ? 1 : wholeWeight",
    why: "a reporter who is reliable enough weighs a third",
    tests: policy,
  },
  {
    file: banPolicy,
    find: "const untilMs = nowMs + (waits ? unsecondedBanMs : hours * hourMs);",
    replace: "const untilMs = waits ? null : nowMs + hours * hourMs;",
    why: "one person alone bans for good",
    tests: policy,
  },
  {
    file: banPolicy,
    find: '  if (viewer.userId === about.subjectId) return "own";\n',
    replace: "",
    why: "somebody decides a case about themself",
    tests: policy,
  },
  {
    file: "server/src/moderation/sanctions.ts",
    find: "    await this.#try(userId, () => sanctions.endSessions(userId));\n",
    replace: "",
    why: "a banned person stays signed in",
    tests: ["server/src/moderation/moderation-service.test.ts"],
  },
  {
    file: "server/src/moderation/decisions.ts",
    find: '      .where("ban_id", "=", ban.id)\n',
    replace: "",
    why: "lifting one ban takes back everybody's strikes",
    tests: decided,
  },
  {
    file: decisions,
    find: '      if (hadSay(about, viewer.userId)) throw forbidden("own_case");\n',
    replace: "",
    why: "the first moderator is their own second person",
    tests: decided,
  },
  {
    file: decisions,
    find: "return (await caseFacts(trx, caseId)) ?? found;",
    replace: "return found;",
    why: "two moderators at once decide one case twice",
    tests: decided,
  },
  {
    file: decisions,
    find: "const wrongCalls = operation === operations.warn ? [] : cut;",
    replace: "const wrongCalls = cut;",
    why: "whoever was warned rightly gets the beans of the call back",
    tests: decided,
  },
  {
    file: "server/src/calls/inspection-clocks.ts",
    find: "silentMs >= settings.silentHidesMs || unlookedMs >= settings.unlookedHidesMs",
    replace: "silentMs >= settings.silentHidesMs",
    why: "while nothing judges, pictures stay shown",
    tests: looked,
  },
  {
    file: inspection,
    find: 'camera: "back", nextMs: nowMs }',
    replace: 'camera: "on", nextMs: nowMs }',
    why: "a camera that was off is shown before anything has looked at it",
    tests: looked,
  },
  {
    file: inspection,
    find: 'if (event.view === "received") return received(',
    replace: 'if (event.view === "received" && !facts.isSure) return received(',
    why: "anybody has others suspended by a forged picture of them",
    tests: looked,
  },
  {
    file: inspection,
    find: "  if (!facts.isUsable && !facts.isClean) return soon(state, {}, judging);\n",
    replace: "",
    why: "whoever covers the camera for a moment is not suspended",
    tests: looked,
  },
];
