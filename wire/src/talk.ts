import * as v from "valibot";

/**
 * What people can say that they speak, at most 63. An id is the position of a bit: it means one language for ever, new
 * ones are appended, and that of one which is no longer offered is never another's. The first 27 are those of the
 * interface; `sgn` stands for a sign language, whichever.
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
 * Things to talk about, by the same rule, at most 64. Never among them: religion, politics, health, sex, origin, income,
 * or what somebody is looking for.
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

/** Of a sign language, which may say something of somebody's health. */
export const signLanguage = "sgn";

const tagIds = { languages: v.array(v.number()), interests: v.array(v.number()) };

/** What somebody says of themself to be brought together with people they can talk to: ids in their own order. */
const talkSchema = v.object({
  ...tagIds,
  /** 1: of those who suit, rather somebody with whom something is shared. */
  prefer: v.picklist([0, 1]),
});
export type Talk = v.InferOutput<typeof talkSchema>;

/** The same as the person alone reads it, with what is told to nobody at all. */
export const ownTalkSchema = v.object({
  ...talkSchema.entries,
  /** Ids of countries: people of them and the person do not meet by searching. */
  leaves_out: v.array(v.number()),
  /** How many there can be; 0: none, and nothing is to be shown of it. */
  leaves_out_max: v.number(),
});
export type OwnTalk = v.InferOutput<typeof ownTalkSchema>;

/** What two people both chose, in the order of the one who is told. */
export const sharedTagsSchema = v.object(tagIds);
export type SharedTags = v.InferOutput<typeof sharedTagsSchema>;

/** The id of the language that this tag of a browser or catalog names, as `pt` for "pt-BR"; null: none of ours. */
export function spokenLanguageId(tag: string): number | null {
  const base = tag.toLowerCase().split("-", 1)[0] ?? "";
  const id = spokenLanguages.findIndex((language) => language === (aliases[base] ?? base));
  return id === -1 ? null : id;
}

/** Codes of before, and of languages that go by another name here. */
const aliases: Readonly<Record<string, string>> = { in: "id", iw: "he", tl: "fil", nb: "no", nn: "no", cmn: "zh" };
