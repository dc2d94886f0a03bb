import type { OwnUser } from "@fava/wire/people.ts";

/** The signed-in user, with a complete profile. */
export function ownUser(change: Partial<OwnUser> = {}): OwnUser {
  return {
    id: 1,
    user_id: 7,
    user_no: "1048",
    nickname: "ana",
    avatar: "/media/ana.webp",
    sex: 2,
    birthday: "2000-01-01",
    birth_year: 2000,
    country: "BR",
    country_id: 5,
    country_name: "Brazil",
    country_flag: "/flags/BR.svg",
    credit5: 0,
    role: 0,
    language: "en",
    accountType: 1,
    createTime: "",
    loginTime: "",
    externalId: "x-ana",
    loginIp: "",
    imei: "",
    thirdPartyId: "",
    profile_complete: true,
    age_try_again: null,
    tencent_sign: "sign",
    about: "",
    location: "",
    nickname_next: null,
    searchable: 1,
    ringable: 1,
    ...change,
  };
}
