import { codes } from "@fava/wire/codes.ts";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import type { Endpoints } from "@fava/wire/endpoints.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { type Answers, Refusal } from "#testing/fixture-world.ts";
import { ana } from "#testing/fixtures.ts";

/** A new account without birthday and gender. */
export const newcomer: OwnUser = { ...ana, sex: 0, birthday: "", birth_year: null, profile_complete: false };

/** A user of whom only the day of the next attempt is stored. */
export const underAge: OwnUser = { ...newcomer, age_try_again: "2033-10-28" };

/** A server that stores a newcomer's birthday and gender. */
export function onboardingAnswers(person: OwnUser = newcomer): Answers {
  let known = person;
  return {
    myInfo: () => known,
    userUpdate: ({ birthday = known.birthday, birth_year = known.birth_year, sex = known.sex }) => {
      known = { ...known, birthday, birth_year, sex, profile_complete: birthday !== "" && sex !== 0 };
      return known;
    },
  };
}

/** A server that rejects a birthday, because the user is under age. */
export function underAgeAnswers(): Answers {
  let known = newcomer;
  return {
    myInfo: () => known,
    userUpdate: () => {
      known = underAge;
      return new Refusal(codes.forbidden, { reason: "under_age", try_again_on: underAge.age_try_again });
    },
  };
}

/** The sign-in of a user, with a key that nobody verifies. */
export function loginOf(user: OwnUser): OutputOf<Endpoints["login"]> {
  const { user_id, user_no, avatar, nickname, sex, country_id, country_name, country_flag } = user;
  return {
    user_id,
    user_no,
    avatar,
    nickname,
    sex,
    country_id,
    country_name,
    country_flag,
    is_register: user.profile_complete ? 0 : 1,
    token: "token-of-the-sign-in",
    sign_key: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    tencent_id: user.externalId,
    tencent_sign: user.tencent_sign,
    server_time: Date.now(),
  };
}
