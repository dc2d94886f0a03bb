import { beforeEach, describe, expect, test } from "vitest";
import { codes } from "@fava/wire/codes.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import { ageAskMs, ageReferenceKeptMs } from "@fava/wire/limits.ts";
import { AgeWorld } from "#test/fixtures/age-world.ts";
import { refusalOf } from "#test/fixtures/session-world.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const minor = 8;
let world: AgeWorld;
let ana: bigint;

beforeEach(async () => {
  world = await AgeWorld.open();
  ana = await world.moderation.person();
});

const later = (ms: number) => world.moderation.clock.advance(ms);
const refusal = (why: string, state: string, retry_at: number | null = null) => ({
  code: codes.forbidden,
  data: { reason: "age_check", why, state, retry_at },
});

describe("a check", () => {
  test("[AGE-20] lets a user pass the gate of a country, once, and tells the page", async () => {
    expect(await refusalOf(world.ages.require(ana))).toEqual(refusal("country", "none"));
    const info = await world.ages.info(ana);
    expect(info).toMatchObject({ required: true, why: "country", state: "none", methods: ["any", "document"] });
    const ref = await world.begin(ana);
    expect(await refusalOf(world.ages.require(ana))).toEqual(refusal("country", "pending"));
    world.choose(ref, "pass");
    expect(await world.ages.info(ana)).toMatchObject({ required: false, state: "passed", methods: [] });
    await world.ages.require(ana);
    expect(world.pushed).toEqual([`100003 ${ana}`, `100007 ${ana}`]);
    expect(await world.rowsOf(ana)).toMatchObject([{ state: "passed", method: "estimate", why: "country", url: null }]);
  });

  test("stores no fact about the user except result, method, vendor and time", async () => {
    await world.check(ana, "pass");
    const [row] = await world.rowsOf(ana);
    const facts = ["id", "user_id", "vendor", "vendor_ref", "url", "state", "method", "why"];
    const times = ["created_at", "expires_at", "next_ask_at", "decided_at"];
    expect(Object.keys(row ?? {}).toSorted()).toEqual(facts.concat(times).toSorted());
  });

  test("is not needed elsewhere, and cannot begin there", async () => {
    const bo = await world.moderation.person();
    await world.moderation.db.updateTable("users").set({ country_id: 19 }).where("id", "=", bo).execute();
    expect(await world.ages.info(bo)).toMatchObject({ required: false, why: null, state: "none" });
    expect((await refusalOf(world.ages.begin(bo, "any"))).code).toBe(codes.badInput);
  });

  test("offers a document after a failed estimate, and calls nobody a minor", async () => {
    const info = await world.check(ana, "fail_estimate");
    expect(info).toMatchObject({ required: true, state: "failed", methods: ["document"], retry_at: null });
    expect(await world.moderation.caseOf(ana)).toBeUndefined();
    const ref = await world.begin(ana);
    expect(world.vendor.checkByRef(ref)?.request.allowsEstimate).toBe(false);
    world.choose(ref, "pass");
    expect(await world.ages.info(ana)).toMatchObject({ required: false });
  });

  test("[AGE-27] opens a restricted case after a document under 18, and waits for a moderator", async () => {
    const info = await world.check(ana, "fail_document");
    expect(info).toMatchObject({ required: true, why: "asked", state: "failed", methods: [], retry_at: null });
    const caseId = (await world.moderation.caseOf(ana))!;
    expect(await world.moderation.caseRow(caseId)).toMatchObject({ queue: "restricted", rule: "age_document" });
    expect(await refusalOf(world.ages.begin(ana, "any"))).toEqual(refusal("asked", "failed"));
    const rae = await world.moderation.administrator();
    const viewer = await world.moderation.viewer(rae);
    const list = await world.moderation.cases.caseService.list(viewer, { box: "restricted", order: "harm" });
    expect(list.rows).toMatchObject([{ id: String(caseId), is_paused: true }]);
    await world.moderation.withClaim(rae, `case:${caseId}`, () =>
      world.moderation.cases.decisions.operate(viewer, caseId, { operation: 1, note: "" }),
    );
    expect(await world.gateOf(ana)).toBe("country");
    expect((await world.ages.info(ana)).methods).not.toEqual([]);
  });

  test("counts as none after the person left the vendor's page", async () => {
    expect(await world.check(ana, "leave")).toMatchObject({
      required: true,
      state: "none",
      methods: ["any", "document"],
    });
  });

  test("passes late, when the vendor answers late", async () => {
    world.choose(await world.begin(ana), "late");
    expect(await world.ages.info(ana)).toMatchObject({ state: "pending" });
    later(minuteMs);
    await world.ages.askDue();
    expect(await world.gateOf(ana)).toBeNull();
  });
});

describe("[AGE-21] a notification", () => {
  test.each([
    ["forged", (ref: string) => world.notify(`${ref}x`)],
    ["unreadable", () => world.ages.hinted("sandbox", Buffer.from("{"), {})],
    ["of another vendor", (ref: string) => world.notify(ref, "yoti")],
    ["early", (ref: string) => world.notify(ref)],
  ])("changes nothing if it is %s", async (_what, notify) => {
    const ref = await world.begin(ana);
    await notify(ref);
    later(5_000);
    expect(await world.ages.info(ana)).toMatchObject({ required: true, state: "pending" });
  });

  test("decides only the check that it names", async () => {
    const bo = await world.moderation.person();
    const [anas, bos] = [await world.begin(ana), await world.begin(bo)];
    world.choose(anas, "pass");
    await world.notify(bos);
    expect([await world.gateOf(ana), await world.gateOf(bo)]).toEqual(["country", "country"]);
    await world.notify(anas);
    expect([await world.gateOf(ana), await world.gateOf(bo)]).toEqual([null, "country"]);
  });

  test("counts once, however often it comes", async () => {
    const ref = await world.begin(ana);
    world.choose(ref, "pass");
    await Promise.all([world.notify(ref), world.notify(ref), world.notify(ref)]);
    later(5_000);
    await world.notify(ref);
    expect(world.ages.figures).toMatchObject({ begun: 1, passed: 1 });
    expect(world.pushed).toHaveLength(2);
  });

  test("does not reopen a decided check", async () => {
    await world.check(ana, "fail_estimate");
    const [row] = await world.rowsOf(ana);
    await world.notify(row!.vendor_ref!);
    expect(await world.rowsOf(ana)).toMatchObject([{ state: "failed" }]);
  });
});

describe("beginning", () => {
  test("[AGE-22] has one check at a time, also when two requests race", async () => {
    const other = world.service(world.vendor);
    const begun = [world.ages, other].flatMap((ages) => [ages.begin(ana, "any"), ages.begin(ana, "document")]);
    const answers = await Promise.allSettled(begun);
    const urls = new Set(answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : [])));
    const refusals = answers.flatMap((answer) =>
      answer.status === "rejected" ? [(answer.reason as { code: number }).code] : [],
    );
    expect(urls.size).toBe(1);
    expect(refusals).toEqual(refusals.map(() => codes.slowDown));
    expect(await world.rowsOf(ana)).toHaveLength(1);
    expect(urls).toContain(await world.ages.begin(ana, "any"));
  });

  test("[AGE-23] is allowed 3 times in 24 hours and 6 times in 30 days", async () => {
    const { clock } = world.moderation;
    const limited = async () =>
      (await refusalOf(world.ages.begin(ana, "any"))) as { code: number; data: { until: number } };
    const firstMs = clock.nowMs();
    for (let tries = 0; tries < 3; tries += 1) await world.check(ana, "leave");
    const answer = await limited();
    expect(answer).toMatchObject({ code: codes.slowDown, data: { until: firstMs + dayMs } });
    expect(await world.ages.info(ana)).toMatchObject({ methods: [], retry_at: firstMs + dayMs });
    clock.advance(dayMs);
    for (let tries = 0; tries < 3; tries += 1) await world.check(ana, "leave");
    clock.advance(dayMs);
    expect((await limited()).data.until).toBe(firstMs + 30 * dayMs);
    clock.advance(30 * dayMs);
    await world.begin(ana);
  });

  test("[AGE-24] lets nobody new pass while the vendor is away, and checked users go on", async () => {
    const bo = await world.moderation.person();
    await world.check(bo, "pass");
    const ref = await world.begin(ana);
    world.choose(ref, "pass");
    await world.vendor[Symbol.asyncDispose]();
    later(minuteMs);
    await world.ages.askDue();
    expect(await world.ages.info(ana)).toMatchObject({ required: true, state: "pending" });
    await world.ages.require(bo);
    const cy = await world.moderation.person();
    expect((await refusalOf(world.ages.begin(cy, "any"))).code).toBe(codes.unavailable);
    expect(await world.rowsOf(cy)).toEqual([]);
  });

  test("is closed where the site has no vendor", async () => {
    const closed = world.service(null);
    expect(closed.hasVendor).toBe(false);
    expect(await closed.info(ana)).toMatchObject({ required: true, methods: [], vendor: null });
    expect(await refusalOf(closed.begin(ana, "any"))).toEqual(refusal("country", "none"));
  });

  test("ends a check that the vendor still calls pending a day after its end", async () => {
    await world.begin(ana);
    const { vendor } = world;
    vendor.ask = async () => ({ state: "pending", method: null });
    later(26 * hourMs);
    await world.ages.askDue();
    expect(await world.rowsOf(ana)).toMatchObject([{ state: "expired", method: null }]);
  });
});

describe("[AGE-25] the policy", () => {
  test("is the stricter one of the account's country and the present address", async () => {
    const session = { id: "s1", userId: ana };
    const policy = { byCountry: new Map([[countryOfAddress, true]]), elsewhere: false };
    world = await AgeWorld.open(policy);
    ana = await world.moderation.person();
    await storeSession(world, session.id, ana);
    const at = async (ip: string) => {
      await world.addresses.saw({ id: session.id, userId: ana }, ip);
      return world.gateOf(ana);
    };
    expect(await at("203.0.113.8")).toBeNull();
    expect(await at("203.0.113.7")).toBe("country");
    expect(await at("127.0.0.1")).toBeNull();
    expect(await at("203.0.113.7")).toBe("country");
    await world.check(ana, "pass");
    expect(await at("203.0.113.8")).toBeNull();
    expect(await at("203.0.113.7")).toBeNull();
  });

  test("forgets a known address when another server has seen a different one", async () => {
    const policy = { byCountry: new Map([[countryOfAddress, true]]), elsewhere: false };
    world = await AgeWorld.open(policy);
    ana = await world.moderation.person();
    await storeSession(world, "s1", ana);
    const session = { id: "s1", userId: ana };
    await world.addresses.saw(session, "203.0.113.7");
    await world.moderation.db.updateTable("sessions").set({ address_country_id: null }).execute();
    world.moderation.standings.cache.drop(ana);
    expect(await world.gateOf(ana)).toBeNull();
    await world.addresses.saw(session, "203.0.113.7");
    expect(await world.gateOf(ana)).toBe("country");
  });
});

describe("asked for by a moderator", () => {
  let rae: bigint;
  let caseId: bigint;

  beforeEach(async () => {
    world = await AgeWorld.open({ byCountry: new Map(), elsewhere: false });
    ana = await world.moderation.person();
    rae = await world.moderation.administrator();
    caseId = await world.moderation.reported(ana, {
      reasonId: minor,
      by: await world.moderation.person({ passedCalls: 10 }),
    });
  });

  const ask = async (who = rae) => {
    const viewer = await world.moderation.viewer(who);
    return world.moderation.withClaim(who, `case:${caseId}`, () =>
      world.moderation.cases.ageAsks.ask(viewer, caseId, "looks young"),
    );
  };
  const queue = async () => {
    const viewer = await world.moderation.viewer(rae);
    return (await world.moderation.cases.caseService.list(viewer, { box: "restricted", order: "harm" })).rows;
  };

  test("[AGE-26] rests matching without a strike, and leaves the queue for 14 days", async () => {
    const until = await ask();
    expect(until.getTime()).toBe(world.moderation.clock.nowMs() + ageAskMs);
    expect(await world.gateOf(ana)).toBe("asked");
    expect((await world.moderation.moderation.restrictionsOf(ana)).pausedUntil).toBeNull();
    expect(await world.moderation.strikesOf(ana)).toEqual([]);
    expect(await queue()).toEqual([]);
    expect(await world.ages.info(ana)).toMatchObject({ required: true, why: "asked", until: until.getTime() });
    later(ageAskMs);
    expect(await queue()).toMatchObject([
      { id: String(caseId), is_paused: true, due_at: expect.any(Number) as number },
    ]);
    expect(await world.gateOf(ana)).toBe("asked");
  });

  test("closes the case when the user passes, and judges no reporter", async () => {
    await ask();
    expect(await world.check(ana, "pass")).toMatchObject({ required: false, state: "passed" });
    expect(await world.moderation.caseRow(caseId)).toMatchObject({ state: "decided", operation: 1, decided_by: null });
    expect(await world.gateOf(ana)).toBeNull();
    expect(await world.moderation.auditOf(ana)).toEqual(expect.arrayContaining(["ask_age", "age_passed"]));
    const judged = await world.moderation.db.selectFrom("reports").select("was_right").execute();
    expect(judged).toEqual([{ was_right: null }]);
  });

  test("needs a new pass from a user who passed before", async () => {
    await ask();
    await world.check(ana, "pass");
    caseId = await world.moderation.reported(ana, { reasonId: minor });
    await ask();
    expect(await world.ages.info(ana)).toMatchObject({ required: true, why: "asked", state: "none" });
    expect(await world.checkedAt(ana)).not.toBeNull();
    await world.check(ana, "pass");
    expect(await world.gateOf(ana)).toBeNull();
  });

  test("keeps one question when the moderator asks twice", async () => {
    const until = await ask();
    later(hourMs);
    expect(await ask()).toEqual(until);
    const rows = await world.moderation.db.selectFrom("restraints").select("rule").where("what", "=", "age").execute();
    expect(rows).toEqual([{ rule: "age_asked" }]);
  });

  test("returns to the queue at once when a document says under 18", async () => {
    await ask();
    await world.check(ana, "fail_document");
    expect(await queue()).toMatchObject([{ id: String(caseId), rule: "age_document" }]);
    expect(await world.ages.info(ana)).toMatchObject({ state: "failed", methods: [], until: null });
  });

  test("returns a failed document to the queue when the ban of its case lapses", async () => {
    await ask();
    const ref = await world.begin(ana);
    const viewer = await world.moderation.viewer(rae);
    await world.moderation.withClaim(rae, `case:${caseId}`, () =>
      world.moderation.cases.decisions.operate(viewer, caseId, { operation: 4, hours: 0, note: "" }),
    );
    later(minuteMs);
    world.choose(ref, "fail_document");
    await world.notify(ref);
    later(3 * dayMs);
    await world.lapseSeconds();
    const rows = await queue();
    expect(rows).toMatchObject([{ rule: "age_document", is_paused: true }]);
    expect(rows[0]?.id).not.toBe(String(caseId));
    expect(await world.gateOf(ana)).toBe("asked");
  });

  test("is refused to moderators without the right, without a claim, and in other cases", async () => {
    const mia = await world.moderation.moderator();
    expect(await refusalOf(ask(mia))).toMatchObject({ code: codes.forbidden, data: { reason: "role" } });
    const viewer = await world.moderation.viewer(rae);
    const unclaimed = world.moderation.cases.ageAsks.ask(viewer, caseId, "");
    expect(await refusalOf(unclaimed)).toMatchObject({ code: codes.forbidden, data: { reason: "not_claimed" } });
    caseId = await world.moderation.reported(await world.moderation.person(), { reasonId: 4 });
    expect((await refusalOf(ask())).code).toBe(codes.badInput);
    expect(await world.gateOf(ana)).toBeNull();
  });

  test("offers the desk the question until it was asked", async () => {
    const viewer = await world.moderation.viewer(rae);
    const read = () =>
      world.moderation.withClaim(rae, `case:${caseId}`, () => world.moderation.cases.caseService.read(viewer, caseId));
    expect(await read()).toMatchObject({ may_ask_age: true });
    await ask();
    expect(await read()).not.toHaveProperty("may_ask_age");
  });
});

describe("[AGE-28] the vendor's number", () => {
  test("is erased 30 days after the result, with the time of day, once the vendor was told to forget", async () => {
    await world.check(ana, "pass");
    const [before] = await world.rowsOf(ana);
    await world.ages.forgetOld();
    expect(world.forgotten).toEqual([]);
    later(ageReferenceKeptMs + dayMs);
    await world.ages.forgetOld();
    expect(world.forgotten).toEqual([before?.vendor_ref]);
    const [row] = await world.rowsOf(ana);
    expect(row).toMatchObject({ vendor_ref: null, state: "passed", method: "estimate", vendor: "sandbox" });
    expect([row!.created_at.getTime() % dayMs, row!.decided_at!.getTime() % dayMs]).toEqual([0, 0]);
    expect((await world.checkedAt(ana))!.getTime() % dayMs).toBe(0);
    await world.ages.require(ana);
  });

  test("waits a week for a vendor that is away, and is erased then", async () => {
    await world.check(ana, "pass");
    await world.vendor[Symbol.asyncDispose]();
    later(ageReferenceKeptMs + dayMs);
    await world.ages.forgetOld();
    expect((await world.rowsOf(ana))[0]?.vendor_ref).not.toBeNull();
    later(7 * dayMs);
    await world.ages.forgetOld();
    expect((await world.rowsOf(ana))[0]?.vendor_ref).toBeNull();
  });

  test("is forgotten at the vendor when the account is erased", async () => {
    const ref = await world.begin(ana);
    await world.ages.forgetAllOf(ana);
    expect(world.forgotten).toEqual([ref]);
  });
});

/** The country of the first address. */
const countryOfAddress = countryByCode("GB")!.id;

async function storeSession({ moderation }: AgeWorld, id: string, userId: bigint): Promise<void> {
  const at = new Date(moderation.clock.nowMs());
  await moderation.db
    .insertInto("sessions")
    .values({
      id,
      user_id: userId,
      token_hash: id,
      source: 1,
      ip: "",
      user_agent: "",
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + dayMs),
    })
    .execute();
}
