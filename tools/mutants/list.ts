/** State machines and policies that Stryker mutates, with their tests and the percentage of mutants these must notice. */
export const machines: readonly { file: string; tests: string; percentMin: number }[] = [
  { file: "server/src/billing/order-machine.ts", tests: "server/src/billing/order-machine.test.ts", percentMin: 46 },
  {
    file: "server/src/calls/inspection-machine.ts",
    tests: "server/src/calls/inspection-machine.test.ts",
    percentMin: 75,
  },
  { file: "server/src/calls/meter-machine.ts", tests: "server/src/calls/meter-machine*.test.ts", percentMin: 57 },
  { file: "server/src/calls/room-machine.ts", tests: "server/src/calls/room-machine.test.ts", percentMin: 93 },
  { file: "server/src/moderation/ban-policy.ts", tests: "server/src/moderation/ban-policy.test.ts", percentMin: 87 },
  { file: "server/src/people/ring-machine.ts", tests: "server/src/people/ring-machine.test.ts", percentMin: 47 },
];

/**
 * Lines that Stryker does not break: SQL, services whose tests need the database, and machines whose tests are too slow
 * for every mutant. Grouped by file, with the tests that must fail. The key of a line says what would happen to users or
 * their money; its value is a text that the file has exactly once, and the replacement. Paths are relative to the root.
 */
export const brokenLines: readonly {
  file: string;
  tests: string[];
  lines: Record<string, [from: string, to: string]>;
}[] = [
  {
    file: "server/src/db/migrations/0001-baseline/beans.sql",
    tests: ["server/src/billing/ledger.test.ts", "server/src/billing/caps.test.ts"],
    lines: {
      "two debits at once both spend the same beans": [
        "perform from bean_accounts where id in (v_from, v_to) and user_id is not null order by id for no key update;",
        "perform from bean_accounts where id in (v_from, v_to) and user_id is not null order by id;",
      ],
      "two users who send each other beans deadlock": [
        "and user_id is not null order by id for no key update;",
        "and user_id is not null order by id = v_to for no key update;",
      ],
      "a user cannot spend the last bean": [
        "v_have < p_amount and not p_overdraft",
        "v_have <= p_amount and not p_overdraft",
      ],
      "held beans can be spent": [
        "select balance - held into v_have from bean_accounts",
        "select balance into v_have from bean_accounts",
      ],
      "an idempotency key of another amount counts as the same transfer": [
        "v_known.amount, v_known.reference, v_known.overdraft)",
        "p_amount, v_known.reference, v_known.overdraft)",
      ],
      "two holds at once both take the same beans": [
        "select * into strict v_account from bean_accounts where user_id = p_user for no key update;",
        "select * into strict v_account from bean_accounts where user_id = p_user;",
      ],
      "a second hold takes held beans": [
        "v_have := greatest(v_account.balance - v_account.held, 0);",
        "v_have := greatest(v_account.balance, 0);",
      ],
      "open holds exceed the spending cap": [
        "greatest(v_cap - bean_spent(v_account.id, p_at) - v_account.held, 0)",
        "greatest(v_cap - bean_spent(v_account.id, p_at), 0)",
      ],
      "a refund counts against the spending cap of its day": [
        "from_account = p_account and kind = 'call' and at >=",
        "from_account = p_account and at >=",
      ],
      "a raised spending cap applies at once": [
        "select case when p_at >= from_at then beans else beans_until end",
        "select case when p_at >= from_at then beans else beans end",
      ],
      "a settlement posts more than its hold": [
        "if v_hold.id is null or p_amount > v_hold.amount then",
        "if v_hold.id is null then",
      ],
      "the unused rest of a hold is never released": [
        "update bean_accounts a set held = a.held - v_hold.amount where",
        "update bean_accounts a set held = a.held - p_amount where",
      ],
      "transfers can be deleted": [
        "create trigger bean_transfers_append_only before update or delete on bean_transfers",
        "create trigger bean_transfers_append_only before update on bean_transfers",
      ],
    },
  },
  {
    file: "server/src/calls/meter-service.ts",
    tests: ["server/src/calls/meter-service.test.ts"],
    lines: {
      "time counts while the partner's connection is lost": [
        "if (self.awaited || other.awaited || other.lost) return",
        "if (self.awaited || other.awaited) return",
      ],
      "a hidden picture is paid": ['if (other.hidden === "yes") return', "if (other.cameraOff) return"],
    },
  },
  {
    file: "server/src/calls/meter-store.ts",
    tests: ["server/src/calls/meter-cheats.test.ts", "server/src/calls/meter-credit.test.ts"],
    lines: {
      "one free match a day too many": [
        "or claimed.matches < ${freeMatchesPerDayMax}",
        "or claimed.matches <= ${freeMatchesPerDayMax}",
      ],
      "a call is refunded twice": ["transfer.kind in ('call', 'credit')", "transfer.kind in ('call')"],
    },
  },
  {
    file: "server/src/moderation/sanctions.ts",
    tests: ["server/src/moderation/moderation-service.test.ts"],
    lines: {
      "a banned person stays signed in": ["    await this.#try(userId, () => sanctions.endSessions(userId));\n", ""],
    },
  },
  {
    file: "server/src/moderation/decisions.ts",
    tests: ["server/src/moderation/decisions.test.ts"],
    lines: {
      "lifting one ban revokes the strikes of all users": ['      .where("ban_id", "=", ban.id)\n', ""],
      "the first moderator gives the second opinion, too": [
        '      if (hasDecidedBefore(about, viewer.userId)) throw forbidden("own_case");\n',
        "",
      ],
      "two moderators at once decide one case twice": [
        "return (await caseFacts(trx, caseId)) ?? found;",
        "return found;",
      ],
      "a user who was warned rightly is refunded for the call": [
        "const wrongCalls = operation === operations.warn ? [] : [...cut, ...(await reopenedCalls(trx, caseId))];",
        "const wrongCalls = cut;",
      ],
    },
  },
  {
    file: "server/src/calls/video-inspections.ts",
    tests: ["server/src/calls/search-inspection.test.ts", "server/src/calls/search-attacks.test.ts"],
    lines: {
      "an invented ticket is accepted": ["if (current?.id === ticketId) return", "if (current) return"],
    },
  },
  {
    file: "server/src/calls/inspection-service.ts",
    tests: ["server/src/calls/search-inspection.test.ts", "server/src/calls/search-attacks.test.ts"],
    lines: {
      "a new or flagged account opens clear": [
        "if (lookedMs === null || restrictions.startsCovered) return",
        "if (lookedMs === null) return",
      ],
      "a call whose last picture did not pass opens the next one clear": [
        "side.cleanMs = passed && isBelieved ? askedMs : null;",
        "side.cleanMs = isBelieved ? askedMs : null;",
      ],
      "the first frame of a clear call is judged ten seconds late": [
        "firstMs: nowMs + takenInMs - settings.leadMs };",
        "firstMs: nowMs + settings.intervalMs };",
      ],
      "a verdict from before a reload opens the next call clear": [
        "      side.cleanMs = null;\n      this.#inspections",
        "      this.#inspections",
      ],
      "a call that ends covered opens the next one clear": [
        "cleanMs: isShown && !isMissed ? cleanMs : null });",
        "cleanMs });",
      ],
    },
  },
  {
    file: "server/src/people/standing-service.ts",
    tests: ["server/src/moderation/moderation-service.test.ts"],
    lines: {
      "an account without a passed call is not new": ["&& calls >= newAccountCalls;", "&& calls >= 0;"],
      "an account of today is not new": ["created_at.getTime() <= nowMs - dayMs && calls", "calls"],
      "a strike of last week covers no picture": ["!isTried || isFlagged || isWatched", "!isTried || isWatched"],
    },
  },
  {
    file: "server/src/edge/http/request-gate.ts",
    tests: ["server/src/edge/http/request-gate.test.ts"],
    lines: {
      "a signed request is accepted over another user's socket": [
        'if (chatUserId !== null && session?.userId !== chatUserId) throw forbidden("not_yours");',
        "",
      ],
    },
  },
  {
    file: "server/src/edge/http/socket-requests.ts",
    tests: ["server/src/edge/http/request-gate.test.ts"],
    lines: {
      "every endpoint answers over the socket": ["gated.filter(({ endpoint }) => endpoint.overSocket)", "gated"],
    },
  },
  {
    file: "server/src/calls/matcher-search.ts",
    tests: [
      "server/src/calls/matcher-exclusions.test.ts",
      "server/src/calls/matcher-countries.test.ts",
      "server/src/calls/matcher.test.ts",
      "server/src/calls/matcher-tags.test.ts",
    ],
    lines: {
      "people who blocked each other meet": [
        "    if (this.#isExcluded?.(this.#people.userId(this.#person), this.#people.userId(candidate))) return true;\n",
        "",
      ],
      "users meet a partner from a country they left out": [
        "if (!this.#excludedCountries.bars(this.#person, candidate)) return false;",
        "return false;",
      ],
      "a user is matched with themselves": [
        "      if (candidate === this.#person) continue;\n      const sinceMs",
        "      const sinceMs",
      ],
      "a newcomer goes before a user who has waited longer": ["      if (sinceMs >= this.#foundSinceMs) break;\n", ""],
      "two users who met and have no other candidate wait for ten minutes": [
        "shorterWaitMs < partnerPatienceMs && this.#nowMs - moment < this.#gapMs",
        "shorterWaitMs < partnerPatienceMs || this.#nowMs - moment < this.#gapMs",
      ],
      "a user who just left a partner gets the same partner at once": [
        "Math.max(candidateSinceMs, this.#records.sinceMs(this.#person))",
        "Math.min(candidateSinceMs, this.#records.sinceMs(this.#person))",
      ],
      "a country that is paid for is not the other's": [
        "if (records.reach(person) === reach.required) return this.#lookAt(country, records.required(person));",
        "",
      ],
      "a near candidate is never chosen over far ones": ["if (isLast && !isBarred) choice.isEnded = true;", ""],
    },
  },
  {
    file: "server/src/calls/matcher.ts",
    tests: ["server/src/calls/matcher.test.ts", "server/src/calls/matcher-exclusions.test.ts"],
    lines: {
      "a place in the queue that is given back is lost": [
        "if (isSame && sinceMs >= records.sinceMs(person)) return null;",
        "if (isSame) return null;",
      ],
      "a user who changes the filter loses their place in the queue": [
        "sinceMs = Math.min(sinceMs, records.sinceMs(person));",
        "",
      ],
      "a user who was matched by a sweep is matched twice": [
        "if (this.#records.isWaiting(searching)) this.#remove(searching);",
        "",
      ],
      "a candidate behind many blocked users is never found": [
        "return looksAtRetry * 4 ** (",
        "return looksAtRetry * 1 ** (",
      ],
    },
  },
  {
    file: "server/src/calls/matcher-records.ts",
    tests: ["server/src/calls/matcher-exclusions.test.ts", "server/src/calls/matcher-id-table.test.ts"],
    lines: {
      "a newcomer takes over whom a stranger has met": ["    this.partners.forget(person);\n", ""],
      "a waiting user cannot be found and cannot stop": [
        "if (((slot - home) & this.#mask) < ((slot - hole) & this.#mask)) continue;",
        "if (((slot - home) & this.#mask) <= ((slot - hole) & this.#mask)) continue;",
      ],
    },
  },
  {
    file: "server/src/calls/matcher-tags.ts",
    tests: ["server/src/calls/matcher-tags.test.ts"],
    lines: {
      "a user without the preference waits for it": [
        "(talk.prefer === 1 ? talkFlags.prefers : 0)",
        "talkFlags.prefers",
      ],
    },
  },
  {
    file: "server/src/calls/inspection-clocks.ts",
    tests: ["server/src/calls/inspection-machine.test.ts"],
    lines: {
      "while nothing judges, pictures stay shown": [
        "silentMs >= settings.silentHidesMs || unjudgedMs >= settings.unjudgedHidesMs",
        "silentMs >= settings.silentHidesMs",
      ],
    },
  },
  {
    file: "server/src/calls/search-inspection.ts",
    tests: ["server/src/calls/search-inspection.test.ts", "server/src/calls/search-attacks.test.ts"],
    lines: {
      "a look of minutes ago opens the picture clear": [
        "cleanMs !== null && this.#inspections.nowMs - cleanMs <= freshMs",
        "cleanMs !== null",
      ],
      "calls left before a picture of them passed open the next one clear": [
        "return isFresh && !this.#isUntried(userId) ? cleanMs : null;",
        "return isFresh ? cleanMs : null;",
      ],
      "a verdict of the camera before counts for the one after": [
        "voidUpToMs: state.askedMs ?? state.voidUpToMs, cleanMs: null };",
        "cleanMs: null };",
      ],
      "a camera that was exchanged after its look is shown clear": [
        "voidUpToMs: state.askedMs ?? state.voidUpToMs, cleanMs: null };",
        "voidUpToMs: state.askedMs ?? state.voidUpToMs };",
      ],
      "a look outlives the camera it was of": [
        ": { ...voided(state), isCameraOn: false },",
        ": { ...state, isCameraOn: false },",
      ],
      "a look outlives the socket it came over": [
        ": { ...voided(state), isConnected: false },",
        ": { ...state, isConnected: false },",
      ],
      "a picture that did not pass leaves the look before it in force": [
        "return { ...state, cleanMs: null, poor: state.poor + 1, nextMs: nowMs + inMs };",
        "return { ...state, poor: state.poor + 1, nextMs: nowMs + inMs };",
      ],
      "an explicit picture passes while one searches": [
        "if (!passes(verdict, settings)) return poor(",
        "if (verdict === null) return poor(",
      ],
      "a picture held back counts from when it was sent": [
        "const clean = { ...state, cleanMs: askedMs,",
        "const clean = { ...state, cleanMs: nowMs,",
      ],
      "people who start covered are asked for pictures of no use": [
        "isWanted: !event.restrictions.startsCovered,",
        "isWanted: true,",
      ],
      "a look of the session before counts in the next": [
        "  gone(userId: bigint): void {\n    this.end(userId);\n    this.#handed.delete(userId);",
        "  gone(userId: bigint): void {\n    this.end(userId);",
      ],
      "a camera changed between two searches keeps its look": [
        "    this.#handed.delete(userId);\n    const search = this.#searches.get(userId);\n    if (search) this.#inspections",
        "    const search = this.#searches.get(userId);\n    if (search) this.#inspections",
      ],
    },
  },
];
