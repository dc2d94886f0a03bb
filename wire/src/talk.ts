import * as v from "valibot";

/**
 * Languages that users can choose, at most 63. An id is a bit position: it never changes its language, new ones are
 * appended, and the id of a removed one is never reused. The first 27 are the interface languages; `sgn` stands for any
 * sign language.
 */
export const spokenLanguages = [
  "zh",
  "en",
  "ar",
  "tr",
  "id",
  "de",
  "ru",
  "fr",
  "fil",
  "ko",
  "nl",
  "ms",
  "pt",
  "ja",
  "th",
  "ur",
  "uk",
  "uz",
  "el",
  "it",
  "hi",
  "vi",
  "az",
  "ga",
  "is",
  "pl",
  "da",
  "es",
  "bn",
  "fa",
  "pa",
  "ta",
  "te",
  "mr",
  "gu",
  "kn",
  "ml",
  "sw",
  "ha",
  "yo",
  "am",
  "ro",
  "hu",
  "cs",
  "sk",
  "bg",
  "sr",
  "hr",
  "sl",
  "sq",
  "he",
  "sv",
  "no",
  "fi",
  "et",
  "lv",
  "lt",
  "ka",
  "hy",
  "kk",
  "my",
  "km",
  "sgn",
] as const;

/**
 * Topics, with the same rules for ids, at most 64. Never religion, politics, health, sex, origin, income, or what a
 * user is looking for.
 */
export const interests = [
  "cooking",
  "baking",
  "eating_out",
  "coffee_tea",
  "travel",
  "hiking",
  "camping",
  "cycling",
  "running",
  "swimming",
  "football",
  "basketball",
  "cricket",
  "tennis",
  "volleyball",
  "skiing",
  "skating",
  "climbing",
  "martial_arts",
  "dancing",
  "cars",
  "motorbikes",
  "fishing",
  "gardening",
  "pets",
  "stars",
  "photography",
  "drawing",
  "crafts",
  "do_it_yourself",
  "fashion",
  "architecture",
  "music",
  "singing",
  "instruments",
  "films",
  "series",
  "anime",
  "theatre",
  "books",
  "writing",
  "learning_languages",
  "history",
  "science",
  "programming",
  "video_games",
  "board_games",
  "chess",
] as const;

/** A sign language, which may reveal a user's health. */
export const signLanguage = "sgn";

const tagIds = { languages: v.array(v.number()), interests: v.array(v.number()) };

/** Languages and interests for matching, as ids in the user's own order. */
const talkSchema = v.object({
  ...tagIds,
  /** 1: prefer partners who share a language or interest. */
  prefer: v.picklist([0, 1]),
});
export type Talk = v.InferOutput<typeof talkSchema>;

/** The user's own view, with the settings that no other user sees. */
export const ownTalkSchema = v.object({
  ...talkSchema.entries,
  /** Countries whose users are not matched with this user. */
  leaves_out: v.array(v.number()),
  /** Maximum of `leaves_out`; 0: the page hides this setting. */
  leaves_out_max: v.number(),
});
export type OwnTalk = v.InferOutput<typeof ownTalkSchema>;

/** Languages and interests that two users share, in the receiver's order. */
export const sharedTagsSchema = v.object(tagIds);
export type SharedTags = v.InferOutput<typeof sharedTagsSchema>;

/** The id of the language of a browser or catalog tag, such as "pt-BR" for `pt`; null for an unknown one. */
export function spokenLanguageId(tag: string): number | null {
  const base = tag.toLowerCase().split("-", 1)[0] ?? "";
  const id = spokenLanguages.findIndex((language) => language === (aliases[base] ?? base));
  return id === -1 ? null : id;
}

/** Old codes, and languages with another code in our list. */
const aliases: Readonly<Record<string, string>> = { in: "id", iw: "he", tl: "fil", nb: "no", nn: "no", cmn: "zh" };
