import type { AgeInfo } from "@fava/wire/endpoints/age.ts";
import { countryByCode } from "@fava/wire/countries.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import { interfaceLanguages, offeredLanguagesDefault } from "@fava/wire/languages.ts";
import type { OtherUser, OwnUser, Person, RemoteUser } from "@fava/wire/people.ts";
import { ownUser } from "#testing/own-user.ts";
import type { Answers } from "#testing/fixture-world.ts";

/** People and default responses of the fixtures, as of an installation with default settings. */

const numbered: string[] = [];

/** A person as all users see them. The name identifies the person and their portrait. */
export function personOf(name: string, change: Partial<Person> = {}): Person {
  if (!numbered.includes(name)) numbered.push(name);
  return {
    user_id: 1_001 + numbered.indexOf(name),
    externalId: `x-${name.toLowerCase()}`,
    nickname: name,
    avatar: portraitOf(name),
    sex: 2,
    ...countryOf("BR"),
    followStatus: 0,
    likeStatus: 0,
    presence: null,
    ...change,
  };
}

/** The same person's profile. */
export function otherUserOf(name: string, change: Partial<OtherUser> = {}): OtherUser {
  return {
    ...personOf(name),
    user_no: "10482193",
    about: "",
    location: "",
    photos: [],
    can_message: "yes",
    official: 0,
    ...change,
  };
}

/** The same person as the partner in a call. */
export function remoteOf(name: string, change: Partial<RemoteUser> = {}): RemoteUser {
  const { user_id, externalId, nickname, avatar, sex, country_id, country_name, country_flag } = personOf(name);
  const shown = { user_id, external_id: externalId, nickname, avatar, sex, country_id, country_name, country_flag };
  return { ...shown, price: 0, ...change };
}

export function portraitOf(name: string): string {
  return `/media/portrait/${name.toLowerCase()}`;
}

const countryNames: Readonly<Record<string, string>> = {
  BR: "Brazil",
  DE: "Germany",
  FR: "France",
  JP: "Japan",
  PT: "Portugal",
  TR: "Türkiye",
  US: "United States",
};

/** The three country fields of a person. @throws Error for a code without a name here */
export function countryOf(code: string): { country_id: number; country_name: string; country_flag: string } {
  const [id, name] = [countryByCode(code)?.id, countryNames[code]];
  if (id === undefined || name === undefined) throw new Error(`no country ${code} among the fixtures`);
  return { country_id: id, country_name: name, country_flag: `/flags/${code}.svg` };
}

/** The signed-in user of most fixtures. */
export const ana: OwnUser = ownUser({
  nickname: "Ana",
  user_no: "10481234",
  avatar: portraitOf("ana"),
  country: "BR",
  ...countryOf("BR"),
  createTime: "2026-10-01T09:30:00Z",
});

export const settings: OutputOf<Endpoints["getLanguage"]> = {
  languages: interfaceLanguages
    .filter(({ value }) => offeredLanguagesDefault.some((offered) => offered === value))
    .map(({ value, text }) => ({ value, text })),
  online_count_mode: "real",
  online_count: 110_482,
  prices: { gender: 1_600, country: 800, both: 2_000 },
  smallest_pack: { golds: 10_000, price_minor: 999, currency_code: "USD" },
  contact: {
    email: "help@fava.test",
    official_account: "Fava",
    official_id: "x-fava",
    messaging_link: "https://messages.test/fava",
    company: "Fava Test Ltd",
    address: "1 Bean Street, London",
    business_email: "business@fava.test",
    phone: "+1 555 0100",
  },
  help_lines: [],
};

/** The time of the gallery's screenshots: a Saturday afternoon in autumn. */
export const galleryNowMs = Date.UTC(2026, 10, 21, 14, 12);

/** Fake responses of the endpoints to a user who is not signed in. */
export const visitorAnswers: Answers = {
  getLanguage: settings,
  countryList: ({ language = "en" }) => {
    const names = new Intl.DisplayNames(language, { type: "region" });
    return Object.keys(countryNames).map((code) => {
      const { country_id, country_flag } = countryOf(code);
      return { id: country_id, code, languageText: names.of(code) ?? code, flag: country_flag };
    });
  },
  loginPrepare: () => ({
    nonce: "nonce",
    server_time: Date.now(),
    providers: ([1, 2, 3] as const).map((login_type) => ({
      login_type,
      mode: "sandbox" as const,
      client_id: "",
      url: "/sandbox/identity",
    })),
  }),
  appealPushInfo: { key: null, on: false },
};

/** A user who needs no age check. */
export const noAgeCheck: AgeInfo = {
  required: false,
  why: null,
  state: "none",
  methods: [],
  vendor: "Sandbox",
  retry_at: null,
  until: null,
};

/** A user whose country needs an age check. */
export const neededAgeCheck: AgeInfo = { ...noAgeCheck, required: true, why: "country", methods: ["any", "document"] };

/** The responses for a member who has met nobody yet and searches without a match. */
export function memberAnswers(user: OwnUser, nowMs: () => number = Date.now): Answers {
  return {
    ...visitorAnswers,
    myInfo: user,
    active: {},
    logout: {},
    pushInfo: { key: null, choice: null },
    ageInfo: noAgeCheck,
    passkeyInfo: { passkeys: [], codes_left: 0 },
    mailInfo: { on: false, email: null, pending: null, kinds: [] },
    matchSubscriptionInfo: { wish: null },
    beanWallet: {
      balance: user.credit5,
      debt: 0,
      held: 0,
      cap: { beans: null, pending: null, spent_today: 0 },
      rate: settings.smallest_pack,
    },
    conversationList: { conversations: [], next: null, unread_total: 0, requests: { count: 0, latest_nick: null } },
    recentList: { rows: [], next: null },
    myWeek: { people: 0, countries: 0, seconds: 0 },
    homePeople: { meets: [], missed: [], friends: [] },
    hourList: { rows: [] },
    matchStart: () => ({ state: "searching", price: 0, since: nowMs() }),
    talkInfo: { languages: [], interests: [], prefer: 1, leaves_out: [], leaves_out_max: 5 },
    matchWaitEstimate: { seconds: 10, basis: "yours" },
    matchStop: {},
    matchInfoUpdate: true,
    startVideo: { is_enough: 1 },
    testRoomSign: () => ({ token: "room", iceServers: [], policy: "all", expiresAt: nowMs() + 3_600_000 }),
  };
}
