import fc from "fast-check";
import { expect, test } from "vitest";
import { fuzz } from "@fava/wire/testing/depth.ts";
import { PhraseScanner } from "./phrase-scan.ts";
import { scanText } from "./text-scan.ts";

/** The phrases in a text, without contact data. */
const findPhrases = (text: string, languages?: ReadonlySet<string>) =>
  scanText(text, languages ? { languages } : {}).filter(({ language }) => language !== null);
/** A scanner that knows only these phrases. */
const scannerOf = (language: string, phrases: readonly string[]) => {
  const rows = phrases.map((text) => ({
    text,
    kind: "insult" as const,
    confidence: "sure" as const,
    negatable: false,
    unless: [],
  }));
  const words = { classes: {}, negations: [], reported: [], told: [], clauseBreaks: [], digits: {} };
  return new PhraseScanner([{ language, ...words, phrases: [...rows] }], { words: [], digits: [] });
};
const sure = (text: string) => findPhrases(text).filter(({ confidence }) => confidence === "sure");
/** The findings as written in the text, with their kind. */
const found = (text: string) => sure(text).map(({ kind, start, end }) => [kind, text.slice(start, end)]);

test.each([
  ["you are a b1tch", "b1tch"],
  ["you b i t c h!", "b i t c h"],
  ["you Wh0re, go away", "Wh0re"],
  ["ne orospu çocuğu adamsın", "orospu çocuğu"],
  ["SİKTİR git", "SİKTİR"],
  ["dasar kontol lu", "kontol"],
  ["يا شرموطة", "شرموطة"],
  ["你这个傻逼走开", "傻逼"],
  ["ну ты и мудак", "мудак"],
  ["hijo de puta!", "hijo de puta"],
  ["putangina mo", "putangina"],
])("finds the insult in %j", (text, insult) => {
  const [first] = found(text);
  expect(first?.[0]).toBe("insult");
  // The rule may match more than the insult, here "SİKTİR git".
  expect(first?.[1]).toContain(insult);
});

test.each([
  "what the fuck, that is great",
  "Scunthorpe, cockpit, classic assassin",
  "my therapist likes grapes and bitcoin",
  "sex education is important",
  "ben ama sana kızmadım",
  "Picasso'yu severim",
  "sikke koleksiyonum var",
  "aku suka anjing dan kucing",
  "操作系统很逼真",
  "보지 마세요",
  "Compute the reputation of the dispute",
  "das Arschloch-Kartenspiel ist kein Schimpfen".replace("Arschloch-", ""),
  "хорошая погода, скучаю",
  "كسر القلب",
  "m a r i a",
])("finds no insult in %j", (text) => {
  expect(sure(text)).toEqual([]);
});

test.each(["KILL   yourself now", "bunuh diri aja sana", "kendini öldür", "你快去死吧", "اقتل نفسك"])(
  "finds the threat in %j",
  (text) => {
    expect(found(text).map(([kind]) => kind)).toContain("threat");
  },
);

test.each(["send nudes pls", "memeni göster", "buka baju dong", "脱光给我看", "وريني صدرك"])(
  "finds the request in %j",
  (text) => {
    expect(found(text).map(([kind]) => kind)).toContain("solicitation");
  },
);

test.each([
  ["kill-yourself", "kill-yourself"],
  ["just k y s now", "k y s"],
  ["k i l l y o u r s e l f", "k i l l y o u r s e l f"],
  ["k.i.l.l.y.o.u.r.s.e.l.f", "k.i.l.l.y.o.u.r.s.e.l.f"],
  ["go kіll yourself", "kіll yourself"],
  ["ki\u200bll you\u00adrself", "ki\u200bll you\u00adrself"],
  ["kiiiill yourrrself", "kiiiill yourrrself"],
  ["K1LL Y0URSELF", "K1LL Y0URSELF"],
  ["k!ll yourself", "k!ll yourself"],
  ["kill\nyourself", "kill\nyourself"],
  ["kill😂yourself", "kill😂yourself"],
  ["ｋｉｌｌ yourself", "ｋｉｌｌ yourself"],
  ["k\u0336i\u0336l\u0336l\u0336 yourself", "k\u0336i\u0336l\u0336l\u0336 yourself"],
  ["killyourself", "killyourself"],
])("finds the disguised threat in %j, with its place", (text, phrase) => {
  expect(found(text)).toContainEqual(["threat", phrase]);
});

test.each(["傻 逼", "يا عَاهِرَة", "оrоsрu çocuğu"])("finds the disguised insult in %j", (text) => {
  expect(found(text).map(([kind]) => kind)).toContain("insult");
});

test.each([
  ["ru", "мудак", "мyдaк"],
  ["ru", "пизда", "nизда"],
  ["el", "μαλακας", "μaλaκας"],
  ["en", "bitch", "bіtсh"],
])("reads a word of two scripts in the script of most of its letters: %s %s, written %s", (language, word, written) => {
  expect(scannerOf(language, [word]).find(written)).toMatchObject([{ start: 0, end: written.length }]);
});

test.each([
  "我去看奶奶",
  "给我透露点消息",
  "昨天生日你妈妈来了吗",
  "靴を脱いで",
  "แกงกะหรี่",
  "soyun",
  "mending mati lampu",
  "رأيت لبوة في الحديقة",
  "jalabiya",
  "Scunthorpe",
])("finds nothing inside the words of %j", (text) => {
  expect(sure(text)).toEqual([]);
});

test.each([
  "no, I will not send nudes",
  "stop asking me to get naked",
  "I never pay for sex",
  "I don't send nudes",
  "he told me to kill yourself",
  "she said kill yourself to me",
  "is it ok to say kill yourself",
  "I refuse to show my tits",
])("finds nothing in %j, which refuses or quotes", (text) => {
  expect(sure(text)).toEqual([]);
});

test.each([
  "he called me a stupid bitch and I don't know what to do",
  "my stepdad calls me a useless piece of shit",
  "she said I am a worthless whore",
  'my ex keeps writing "you are a worthless whore", can you help me',
  "he texted me “you are an ugly slut”",
  'bana "sen bir sürtüksün" yazdı',
  "他们叫我黑鬼",
  '他给我发"你这个贱人"',
  "what does motherfucker mean?",
  "狗日的天气",
  "宝宝晚上要吃奶",
  "下雨你湿了吗",
  "I'm going to shoot you the photo later",
])("finds no insult in %j, which reports another's words or insults nobody", (text) => {
  expect(sure(text)).toEqual([]);
});

test.each([
  "everyone says you are a worthless whore",
  "listen to me you dumb bitch",
  "call me, you dirty slut",
  'he said "hello" you stupid bitch',
  '"sen bir sürtüksün" tamam mı',
  "你这个贱人",
  '"hello". "you stupid bitch"',
  "I'm going to shoot you, and the photo is for the police",
])("finds the insult in %j, which reports nobody's words", (text) => {
  expect(sure(text)).not.toEqual([]);
});

test("finds sexual lines about minors also when they are told or quoted", () => {
  const words = {
    classes: {},
    negations: [],
    reported: ["wrote"],
    told: ["called me a"],
    clauseBreaks: [],
    digits: {},
  };
  const row = { text: "dolt", confidence: "sure" as const, negatable: false, unless: [] };
  const countIn = (kind: "insult" | "minor", text: string) =>
    new PhraseScanner([{ language: "en", ...words, phrases: [{ ...row, kind }] }], { words: [], digits: [] }).find(text)
      .length;
  for (const text of ["he called me a dolt", 'he wrote "dolt"'])
    expect([countIn("insult", text), countIn("minor", text)]).toEqual([0, 1]);
});

test.each(["no. kill yourself", "never mind\nsend nudes", "I don't like you, kill yourself"])(
  "finds the phrase in %j, whose refusal belongs to another clause",
  (text) => {
    expect(sure(text)).not.toEqual([]);
  },
);

test.each(["Randi", "Kike Lopez", "Ibne Safi", "Pute", "Puto Anom", "jalabiya"])(
  "finds nothing in the name %j",
  (text) => {
    expect(sure(text)).toEqual([]);
  },
);

test("rates a single word of a language that neither user speaks as likely at most", () => {
  const scanner = scannerOf("tr", ["kötüsöz"]);
  const confidenceOf = (languages: string[]) =>
    scanner.find("kötüsöz", new Set(languages)).map((one) => one.confidence);
  expect(confidenceOf(["en"])).toEqual(["likely"]);
  expect(confidenceOf(["en", "tr"])).toEqual(["sure"]);
  expect(findPhrases("傻逼", new Set(["en"])).map((one) => one.confidence)).not.toContain("likely");
});

test("reads all rules before it scans the first text", () => {
  const scanner = scannerOf("en", ["rotten fish", "(rotten"]);
  expect(() => scanner.find("rotten fish")).toThrow("open bracket");
  expect(() => scanner.find("rotten fish")).toThrow("cannot be read");
});

/** A scanner of one `near` row, whose three parts may stand in any order within eight tokens. */
function nearScanner(unless: readonly string[] = []): PhraseScanner {
  const row = { near: ["(record*|filmed) you", "(send|post)", "your (mom|family)"], within: 12, unless: [...unless] };
  const words = {
    classes: {},
    negations: ["never", "don't"],
    reported: ["he said"],
    told: [],
    clauseBreaks: ["but"],
    digits: {},
  };
  const phrases = [{ ...row, kind: "threat" as const, confidence: "sure" as const, negatable: true }];
  return new PhraseScanner([{ language: "en", ...words, phrases }], { words: [], digits: [] });
}

test.each([
  ["i recorded you and will send it to your mom", "recorded you and will send it to your mom"],
  ["your family sees what I post, I filmed you", "your family sees what I post, I filmed you"],
  ["ok. your mom. i send it. filmed you!", "your mom. i send it. filmed you"],
])("finds the parts of a rule about nearby words in any order in %j", (text, phrase) => {
  const [finding, ...others] = nearScanner().find(text);
  expect(others).toEqual([]);
  expect(text.slice(finding!.start, finding!.end)).toBe(phrase);
});

test.each([
  "i recorded you and will send it",
  "i recorded you a song, and when we are back home from the long trip we send it to your mom",
  "i filmed you but never would i send it to your mom",
  "he said he recorded you and would send it to your mom",
  "i recorded you a birthday song to send to your mom",
])("finds no rule about nearby words in %j", (text) => {
  expect(nearScanner(["recorded you a birthday"]).find(text)).toEqual([]);
});

test.each(["dolt", "Dolt!", "well, dolt", "that was it. dolt 😂", "dolt, go"])(
  "finds a phrase between the edges of %j",
  (text) => {
    expect(scannerOf("en", ["(^|hey) dolt ($|you)"]).find(text)).toHaveLength(1);
  },
);

test.each(["a dolt", "dolt of the year", "what a dolt, really", "dolt-like"])(
  "finds no phrase between edges in %j",
  (text) => {
    expect(scannerOf("en", ["^ dolt $"]).find(text)).toEqual([]);
  },
);

test("finds a near row once a stretch, and compares long texts in proportion to their length", () => {
  const scanner = nearScanner();
  const part = "filmed you send your mom ";
  expect(scanner.find(part.repeat(3))).toHaveLength(3);
  let comparisons = 0;
  scanner.find(part.repeat(2_000), undefined, (times) => (comparisons = times));
  expect(comparisons).toBeLessThan(part.length * 2_000);
});

test("names the language and the row of its rule in a finding", () => {
  expect(findPhrases("kill yourself")[0]).toMatchObject({ language: "en", ruleId: expect.stringMatching(/^en:\d+$/) });
});

test("reads letters beyond the first 65,536 signs, also behind half of one", () => {
  expect(found("\ud835 \ud835\ud835")).toEqual([]);
  expect(found("𝐤𝐢𝐥𝐥 yourself").map(([kind]) => kind)).toContain("threat");
});

test("scans any text without an error, with places inside of it", () => {
  const signs = fc.constantFrom(
    "f",
    "u",
    "c",
    "k",
    " ",
    "傻逼",
    "orospu",
    "\u0301",
    "\ud83d",
    "😀",
    "ß",
    "ﬁ",
    "İ",
    "send nudes",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(signs, fc.string({ unit: "grapheme", maxLength: 5 })), { maxLength: 60 }),
      (parts) => {
        const text = parts.join(" ");
        for (const { start, end } of findPhrases(text)) {
          expect(start).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      },
    ),
    fuzz(300),
  );
});
