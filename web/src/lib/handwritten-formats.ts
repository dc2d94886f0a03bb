import { spokenLanguages } from "@fava/wire/talk.ts";
import type { DateStyle, HandwrittenFormats, Numeric } from "#lib/intl.ts";
import type { Language } from "#lib/languages.ts";

/**
 * Numbers and dates of the languages whose locale data Chromium lacks, after CLDR; `handwritten-formats.test.ts` compares them
 * with the full data of Node.js.
 */
interface Words {
  /** A language with the same number format, whose data browsers have. */
  readonly numbersLike: Language;
  /** How an amount is written with its currency; null: as in `numbersLike`. */
  readonly currency: { readonly codes: boolean; readonly own: Readonly<Record<string, string>> } | null;
  readonly units: Readonly<Record<"hour" | "minute" | "second" | "megabyte" | "kilobyte", string>>;
  /** The unit by plural form; `other` is for all other numbers. */
  readonly byte: Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };
  /** Twelve names, January first. */
  readonly months: readonly string[];
  readonly monthsAlone?: readonly string[];
  readonly monthsShort: readonly string[];
  /** Seven names, Sunday first. */
  readonly weekdays: readonly string[];
  readonly weekdaysShort: readonly string[];
  /** Templates of dates; `fields` names their parts. */
  readonly patterns: Readonly<Record<"long" | "medium" | "day" | "weekdayAndDay" | "moment" | "longMoment", string>>;
  /** Names of the languages, in the order of `spokenLanguages`. */
  readonly spoken: readonly string[];
  readonly ago: Readonly<Record<"minute" | "hour", Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>>;
}

const languages: Readonly<Partial<Record<Language, Words>>> = {
  az: {
    numbersLike: "id",
    currency: { codes: false, own: { USD: "US$", JPY: "JP¥", AZN: "₼" } },
    units: { hour: "saat", minute: "dəq", second: "san", megabyte: "MB", kilobyte: "kB" },
    byte: { other: "bayt" },
    months: list("yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr dekabr"),
    monthsShort: list("yan fev mar apr may iyn iyl avq sen okt noy dek"),
    weekdays: list("bazar|bazar ertəsi|çərşənbə axşamı|çərşənbə|cümə axşamı|cümə|şənbə", "|"),
    weekdaysShort: list("B. B.e. Ç.a. Ç. C.a. C. Ş."),
    patterns: {
      long: "{day} {month} {year}",
      medium: "{day} {short} {year}",
      day: "{day} {short}",
      weekdayAndDay: "{day} {short}, {weekday}",
      moment: "{date}, {time}",
      longMoment: "{date}, {time}",
    },
    spoken: [
      ...list("çin ingilis ərəb türk indoneziya alman rus fransız filippin koreya holland malay portuqal yapon"),
      ...list("tay urdu ukrayna özbək yunan italyan hind vyetnam azərbaycan irland island polyak danimarka"),
      ...list("ispan benqal fars pəncab tamil teluqu marathi qucarat kannada malayalam suahili hausa yoruba"),
      ...list("amhar rumın macar çex slovak bolqar serb xorvat sloven alban ivrit isveç norveç fin eston latış"),
      ...list("litva gürcü erməni qazax birman kxmer"),
    ],
    ago: { minute: { other: "{n} dəqiqə öncə" }, hour: { other: "{n} saat öncə" } },
  },
  uz: {
    numbersLike: "uk",
    currency: { codes: false, own: { USD: "US$", JPY: "JP¥", UZS: "soʻm" } },
    units: { hour: "soat", minute: "daq.", second: "son.", megabyte: "MB", kilobyte: "kB" },
    byte: { other: "bayt" },
    months: list("yanvar fevral mart aprel may iyun iyul avgust sentabr oktabr noyabr dekabr"),
    monthsAlone: list("Yanvar Fevral Mart Aprel May Iyun Iyul Avgust Sentabr Oktabr Noyabr Dekabr"),
    monthsShort: list("yan fev mar apr may iyn iyl avg sen okt noy dek"),
    weekdays: list("yakshanba dushanba seshanba chorshanba payshanba juma shanba"),
    weekdaysShort: list("Yak Dush Sesh Chor Pay Jum Shan"),
    patterns: {
      long: "{day}-{month}, {year}",
      medium: "{day}-{short}, {year}",
      day: "{day}-{short}",
      weekdayAndDay: "{weekday}, {day}-{short}",
      moment: "{date}, {time}",
      longMoment: "{date}, {time}",
    },
    spoken: [
      ...list("xitoy inglizcha arab turk indonez nemischa ruscha fransuzcha filipincha koreyscha niderland"),
      ...list("malay portugalcha yapon tay urdu ukrain oʻzbek grek italyan hind vyetnam ozarbayjon irland"),
      ...list("island polyakcha dan ispancha bengal fors panjobcha tamil telugu maratxi gujarot kannada"),
      ...list("malayalam suaxili xausa yoruba amxar rumincha venger chex slovakcha bolgar serbcha xorvat"),
      ...list("slovencha alban ivrit shved norveg fincha estoncha latishcha litva gruzincha arman qozoqcha"),
      ...list("birman xmer"),
    ],
    ago: { minute: { other: "{n} daqiqa oldin" }, hour: { other: "{n} soat oldin" } },
  },
  ga: {
    numbersLike: "en",
    currency: null,
    units: { hour: "u", minute: "nóim", second: "soic", megabyte: "MB", kilobyte: "kB" },
    byte: { one: "bheart", two: "bheart", few: "bheart", many: "mbeart", other: "beart" },
    months: list(
      "Eanáir|Feabhra|Márta|Aibreán|Bealtaine|Meitheamh|Iúil|Lúnasa|Meán Fómhair|Deireadh Fómhair|Samhain|Nollaig",
      "|",
    ),
    monthsShort: list("Ean Feabh Márta Aib Beal Meith Iúil Lún MFómh DFómh Samh Noll"),
    weekdays: list("Dé Domhnaigh|Dé Luain|Dé Máirt|Dé Céadaoin|Déardaoin|Dé hAoine|Dé Sathairn", "|"),
    weekdaysShort: list("Domh Luan Máirt Céad Déar Aoine Sath"),
    patterns: {
      long: "{day} {month} {year}",
      medium: "{day} {short} {year}",
      day: "{day} {short}",
      weekdayAndDay: "{weekday} {day} {short}",
      moment: "{date}, {time}",
      longMoment: "{date} ag {time}",
    },
    spoken: [
      ...list("Sínis Béarla Araibis Tuircis Indinéisis Gearmáinis Rúisis Fraincis Filipínis Cóiréis Ollainnis"),
      ...list("Malaeis Portaingéilis Seapáinis Téalainnis Urdúis Úcráinis Úisbéiceastáinis Gréigis Iodáilis"),
      ...list("Hiondúis Vítneaimis Asarbaiseáinis Gaeilge Íoslainnis Polainnis Danmhairgis Spáinnis Beangáilis"),
      ...list("Peirsis Puinseáibis Tamailis Teileagúis Maraitis Gúisearáitis Cannadais Mailéalaimis Svahaílis"),
      ...list("Hásais Iarúibis Amáiris Rómáinis Ungáiris Seicis Slóvaicis Bulgáiris Seirbis Cróitis Slóivéinis"),
      ...list("Albáinis Eabhrais Sualainnis Ioruais Fionlainnis Eastóinis Laitvis Liotuáinis Seoirsis"),
      ...list("Airméinis Casaicis Burmais Ciméiris"),
    ],
    ago: {
      minute: { other: "{n} nóim. ó shin" },
      hour: { few: "{n} huaire ó shin", many: "{n} n-uaire ó shin", other: "{n} uair ó shin" },
    },
  },
  is: {
    numbersLike: "id",
    currency: { codes: true, own: { ISK: "kr.", JPY: "JP¥", CNY: "CN¥", HKD: "HK$", ILS: "₪" } },
    units: { hour: "klst.", minute: "mín.", second: "sek.", megabyte: "MB", kilobyte: "kB" },
    byte: { other: "bæti" },
    months: list("janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember"),
    monthsShort: list("jan. feb. mar. apr. maí jún. júl. ágú. sep. okt. nóv. des."),
    weekdays: list("sunnudagur mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur"),
    weekdaysShort: list("sun. mán. þri. mið. fim. fös. lau."),
    patterns: {
      long: "{day}. {month} {year}",
      medium: "{day}. {short} {year}",
      day: "{day}. {short}",
      weekdayAndDay: "{weekday}, {day}. {short}",
      moment: "{date}, {time}",
      longMoment: "{date} kl. {time}",
    },
    spoken: [
      ...list("kínverska enska arabíska tyrkneska indónesíska þýska rússneska franska filippseyska kóreska"),
      ...list("hollenska malaíska portúgalska japanska taílenska úrdú úkraínska úsbekska gríska ítalska hindí"),
      ...list("víetnamska aserska írska íslenska pólska danska spænska bengalska persneska púnjabí tamílska"),
      ...list("telúgú maratí gújaratí kannada malajalam svahílí hása jórúba amharíska rúmenska ungverska"),
      ...list("tékkneska slóvakíska búlgarska serbneska króatíska slóvenska albanska hebreska sænska norska"),
      ...list("finnska eistneska lettneska litháíska georgíska armenska kasakska búrmneska kmer"),
    ],
    ago: { minute: { other: "fyrir {n} mín." }, hour: { other: "fyrir {n} klst." } },
  },
};

function list(words: string, between = " "): readonly string[] {
  return words.split(between);
}

/** The formats of a language in this file. @throws for any other language */
export function handwrittenFormats(language: Language): HandwrittenFormats {
  const words = languages[language];
  if (!words) throw new Error(`${language} has no formats written by hand`);
  const plural = new Intl.PluralRules(language);
  const ago = (count: number, unit: "minute" | "hour") => {
    const texts = words.ago[unit];
    return filled(texts[plural.select(count)] ?? texts.other, { n: count });
  };
  const languageName = (code: string) => words.spoken[(spokenLanguages as readonly string[]).indexOf(code)];
  return { number: (options) => numberText(words, plural, options), date: dateText(words), ago, languageName };
}

function numberText(
  words: Words,
  plural: Intl.PluralRules,
  options: Intl.NumberFormatOptions,
): (value: Numeric) => string {
  const { style, currency = "", unit = "", currencyDisplay: _, unitDisplay: __, ...digits } = options;
  const like = (more: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(words.numbersLike, { ...digits, ...more, numberingSystem: "latn" });
    return (value: Numeric) => format.format(value as number);
  };
  if (style === "percent") return like({ style });
  if (style === "currency") {
    if (!words.currency) return like({ style, currency });
    const format = new Intl.NumberFormat(words.numbersLike, { ...digits, style, currency, numberingSystem: "latn" });
    const symbol = words.currency.own[currency] ?? (words.currency.codes ? currency : symbolOf(currency));
    return (value) => {
      const parts = format
        .formatToParts(value as number)
        .filter(({ type }) => type !== "currency" && type !== "literal");
      return `${parts.map((part) => part.value).join("")}\u00a0${symbol}`;
    };
  }
  const number = like({});
  if (style !== "unit") return number;
  const name = words.units[unit as keyof Words["units"]];
  return (value) => `${number(value)} ${name ?? words.byte[plural.select(Number(value))] ?? words.byte.other}`;
}

function symbolOf(currency: string): string {
  const parts = new Intl.NumberFormat("en", { style: "currency", currency }).formatToParts(0);
  return parts.find(({ type }) => type === "currency")?.value ?? currency;
}

function dateText(words: Words): HandwrittenFormats["date"] {
  return (style, timeZone) => {
    const fieldsOf = fieldReader(timeZone);
    return (atMs) => {
      const { year, month, day, hour, minute, second, weekday } = fieldsOf(atMs);
      const two = (value: number) => String(value).padStart(2, "0");
      const time = `${two(hour)}:${two(minute)}`;
      const date = (name: keyof Words["patterns"]) => {
        const short = words.monthsShort[month - 1] ?? "";
        const names = { month: words.months[month - 1] ?? "", short, weekday: words.weekdaysShort[weekday] ?? "" };
        return filled(words.patterns[name], { ...names, day, year });
      };
      const texts: Readonly<Record<DateStyle, () => string>> = {
        long: () => date("long"),
        medium: () => date("medium"),
        moment: () => filled(words.patterns.moment, { date: date("medium"), time }),
        longMoment: () => filled(words.patterns.longMoment, { date: date("long"), time }),
        day: () => date("day"),
        dayOfYear: () => date("medium"),
        weekdayAndDay: () => date("weekdayAndDay"),
        month: () => (words.monthsAlone ?? words.months)[month - 1] ?? "",
        weekday: () => words.weekdays[weekday] ?? "",
        time: () => time,
        second: () => `${time}:${two(second)}`,
        hour: () => `${hour}:${two(minute)}`,
        clock: () => time,
      };
      return texts[style]();
    };
  };
}

type Field = "year" | "month" | "day" | "hour" | "minute" | "second" | "weekday";

/** The parts of the clock and calendar at a moment; the weekday counts from Sunday, 0. */
function fieldReader(timeZone: string | undefined): (atMs: number) => Record<Field, number> {
  const format = new Intl.DateTimeFormat("en", {
    ...(timeZone !== undefined && { timeZone }),
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
    calendar: "gregory",
  });
  return (atMs) => {
    const parts = format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]);
    const fields = Object.fromEntries(parts) as Record<Field, number>;
    return { ...fields, weekday: new Date(Date.UTC(fields.year, fields.month - 1, fields.day)).getUTCDay() };
  };
}

function filled(pattern: string, values: Readonly<Record<string, string | number>>): string {
  return pattern.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ""));
}
