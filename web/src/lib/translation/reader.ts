import { talkInfo } from "@fava/wire/endpoints/talk.ts";
import { spokenLanguageId } from "@fava/wire/talk.ts";
import { useLanguage } from "#lib/i18n.ts";
import type { Language } from "#lib/languages.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import type { Reader } from "./browser-translator.ts";

const keptMs = 600_000;

/** The user with the interface language and the languages of the profile; null until those are loaded. */
export function useReader(): Reader | null {
  const language = useLanguage();
  const user = useUser();
  const input = user && { user_id: user.user_id };
  const { data, isPending } = useEndpointQuery(talkInfo, input, { staleTime: keptMs, gcTime: keptMs });
  return isPending ? null : readerOf(language, data?.languages);
}

export function readerOf(language: Language, spoken: readonly number[] = []): Reader {
  const own = spokenLanguageId(language);
  return { language, speaks: new Set(own === null ? spoken : [own, ...spoken]) };
}
