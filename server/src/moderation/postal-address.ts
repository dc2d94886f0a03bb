import { foldText, matchesOf } from "@fava/wire/text-folding.ts";
import { MappedText } from "./mapped-text.ts";

const states =
  "AK|AR|AZ|CA|CT|FL|GA|IA|IL|KS|KY|MD|MI|MN|MO|MS|MT|NC|ND|NE|NH|NJ|NM|NV|NY|RI|SC|SD|TN|TX|UT|VA|VT|WA|WI|WV|WY";
/** Postal codes of states that are also words. They count only after a town and a comma. */
const statesLikeWords = "AL|CO|DE|ID|IN|LA|MA|ME|OR|PA";

/** Letters that begin British postal codes. Any two letters before digits would match too much. */
const britishAreas =
  "AB|AL|B|BA|BB|BD|BH|BL|BN|BR|BS|BT|CA|CB|CF|CH|CM|CO|CR|CT|CV|CW|DA|DD|DE|DG|DH|DL|DN|DT|DY|E|EC|EH|EN|EX|FK|FY|G|GL|GU|HA|HD|HG|HP|HR|HS|HU|HX|IG|IP|IV|KA|KT|KW|KY|L|LA|LD|LE|LL|LN|LS|LU|M|ME|MK|ML|N|NE|NG|NN|NP|NR|NW|OL|OX|PA|PE|PH|PL|PO|PR|RG|RH|RM|S|SA|SE|SG|SK|SL|SM|SN|SO|SP|SR|SS|ST|SW|SY|TA|TD|TF|TN|TQ|TR|TS|TW|UB|W|WA|WC|WD|WF|WN|WR|WS|WV|YO|ZE";

/** Folded, with the dotless i written as i. */
const turkishProvinces =
  "adana|adiyaman|afyon|afyonkarahisar|ağri|aksaray|amasya|ankara|antalya|ardahan|artvin|aydin|balikesir|bartin|batman|bayburt|bilecik|bingöl|bitlis|bolu|burdur|bursa|çanakkale|çankiri|çorum|denizli|diyarbakir|düzce|edirne|elaziğ|erzincan|erzurum|eskişehir|gaziantep|giresun|gümüşhane|hakkari|hatay|iğdir|isparta|istanbul|izmir|kahramanmaraş|karabük|karaman|kars|kastamonu|kayseri|kilis|kirikkale|kirklareli|kirşehir|kocaeli|konya|kütahya|malatya|manisa|mardin|mersin|muğla|muş|nevşehir|niğde|ordu|osmaniye|rize|sakarya|samsun|siirt|sinop|sivas|şanliurfa|şirnak|tekirdağ|tokat|trabzon|tunceli|uşak|van|yalova|yozgat|zonguldak";

/** Folded words beside "street" in Turkish, Indonesian and Arabic that do not name a street. */
const ordinaryBefore: ReadonlySet<string> = new Set(
  (
    "bu şu o bir her hangi ayni arka ana yan karşi ara bizim sizin onun kaç hiç çikmaz boş dar geniş " +
    "kaki ke di yang dari bareng sama itu ini jalan terus keluar pulang buntu tol lain satu dua masuk mundur hidup " +
    "pintas santai aja dulu kita aku kamu besar utama cepat sehat of members sore pagi malam " +
    "في من الى إلى على عن كبير صغير جديد فقط بس هنا هناك او أو كل كله فيه فيها واحد جميل طويل مختلف بجانب قريب"
  ).split(" "),
);

/** Words between a number and "street" that do not name a street: "5 minutes down the road", "a 2 lane road". */
const ordinaryEnglish: ReadonlySet<string> = new Set(
  (
    "the a an my your his her our their its this that these those of on in at to from for with by per and or but is are " +
    "was were be been it i you we they he she me him them us every each other another same more most many much some any " +
    "all no not so too very just only about almost over around down up across along off out into onto than then when " +
    "while if as till until minutes minute min mins hours hour hrs hr days day weeks week months month years year yr yrs " +
    "old seconds second sec am pm km kms kilometers kilometres miles mile meters metres meter metre m feet ft blocks " +
    "block cars car bikes people person guys men women girls boys kids dogs cats houses house shops bars times time " +
    "percent star stars lane lanes way ways point points beans dollars euros coins pounds bucks free big small long " +
    "short busy best worst good bad nice great different beautiful jump gb tb mb usb hard flash pen thumb google disk " +
    "disc last next first second third external test dead one two three four five six seven eight nine ten million thousand hundred"
  ).split(" "),
);

interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a house number with a street, or a postal code, in five languages; leaves doubtful ones out. Every part of a
 * pattern is bounded, so the time is linear.
 * @returns the first one, in UTF-16 units, or undefined.
 */
export function findPostalAddress(text: string): Place | undefined {
  const written = text.normalize("NFKC");
  // Without this, I and ı would stay different, because I folds into i.
  const folded = foldText(text).replaceAll("\u0307", "").replaceAll("ı", "i");
  if (!/\d/.test(folded)) return undefined;
  const inFolded =
    placeOf(codes.exec(folded)) ??
    withTown(folded, placeOf(houses.exec(folded))) ??
    placeOf(streets.flatMap((street) => matchesOf(street, folded)).find(isNamed));
  if (inFolded) return originalOf(text, folded, inFolded);
  const inWritten = placeOf(capitalCodes.exec(written)) ?? englishStreet(written);
  return inWritten && (written === text ? inWritten : { start: 0, end: text.length });
}

function placeOf(match: RegExpExecArray | null | undefined): Place | undefined {
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
}

const townBefore = /\p{Script=Han}{1,20}$/u;

/** Adds the town and district, which Chinese writes before the street, without spaces. */
function withTown(folded: string, place: Place | undefined): Place | undefined {
  const town = place && townBefore.exec(folded.slice(0, place.start));
  return town ? { ...place, start: town.index } : place;
}

/** The position in the original text. The whole text, if folding merged signs such as a letter and its accent. */
function originalOf(text: string, folded: string, place: Place): Place {
  const mapped = MappedText.folded(text).replace(/ı/g, "i");
  return mapped.text === folded ? mapped.original(place) : { start: 0, end: text.length };
}

const start = "(?<![\\p{L}\\p{N}])";
const end = "(?![\\p{L}\\p{N}])";

const codes = anyOf([
  `${start}(?:zip ?code|post ?code|postal code|my zip|posta kodu(?:m|muz)?|kode ?pos)(?: is| ku| saya)?\\s?[:=]?\\s?\\d{4,6}${end}`,
  `${start}(?:post ?code|postal code)(?: is)?\\s?[:=]?\\s?[a-z]{1,2}\\d[a-z\\d]?\\s?\\d[a-z]{2}${end}`,
  `${start}p\\.?\\s?o\\.?\\s?box\\s?#?\\d{1,6}${end}`,
  `${start}\\d{5},?\\s\\p{L}{3,20}\\s?[/,-]\\s?(?:${turkishProvinces})${end}`,
  "(?:الرمز البريدي|رمز بريدي|صندوق بريد|صندوق البريد|ص\\.\\s?ب)\\.?\\s?(?:هو\\s)?[:=]?\\s?\\d{3,6}",
  "(?:邮编|郵編|邮政编码|郵遞區號)\\s?[是为]?\\s?[:=]?\\s?\\d{3,6}",
]);

/** American codes follow a state. British and Canadian codes have a shape of their own, in capitals. */
const capitalCodes = anyOf([
  `\\p{L}{1,24},\\s{1,2}(?:${states}|${statesLikeWords})\\s{1,2}\\d{5}(?:-\\d{4})?${end}`,
  `\\p{Lu}\\p{L}{2,20}\\s(?:${states})\\s{1,2}\\d{5}(?:-\\d{4})?${end}`,
  `${start}(?:${britishAreas})\\d[A-Z\\d]?\\s(?!\\d(?:GB|TB|ND|RD|TH|ST))\\d[ABD-HJLNP-UW-Z]{2}${end}`,
  `${start}[ABCEGHJ-NPRSTVXY]\\d[A-Z]\\s\\d[A-Z]\\d${end}`,
]);

/** Houses and flats without a street name, and all Chinese addresses, which have no spaces. */
const houses = anyOf([
  `${start}rt\\.?\\s?\\d{1,3}\\s?[/,]?\\s?rw\\.?\\s?\\d{1,3}${end}`,
  `${start}kat\\s?[:.]?\\s?\\d{1,2}[\\s,/]{1,3}daire\\s?[:.]?\\s?\\d{1,3}${end}`,
  `${start}daire\\s?[:.]?\\s?\\d{1,3}[\\s,/]{1,3}kat\\s?[:.]?\\s?\\d{1,2}${end}`,
  "(?:عمارة|عماره|مبنى|بناية|برج|بلوك|فيلا)\\s(?:رقم\\s)?\\d{1,4}[\\s،,]{1,3}(?:الدور\\s\\p{L}{2,8}[\\s،,]{1,3})?(?:شقة|شقه)\\s(?:رقم\\s)?\\d{1,4}",
  "\\d{1,4}(?:栋|幢|号楼|座)\\s?\\d{1,2}\\s?单元",
  "\\d{1,4}(?:栋|幢|号楼)\\s?\\d{2,4}\\s?[室房]",
  "\\d{1,2}单元\\s?\\d{2,4}\\s?[室房号]",
  "\\d{1,4}弄\\s?\\d{1,4}\\s?[号號]",
  // The excluded characters before 路 make phrases such as "cross the road"; those after the number, lines or doors.
  "\\p{Script=Han}(?<![上出走修问迷开半赶带铁公条马这那哪顺同一])路\\s?\\d{1,5}\\s?[号號](?![线線楼门門口出])",
  "\\p{Script=Han}(?<![上逛条这那哪一整])(?:街|巷|胡同|大道)\\s?\\d{1,5}\\s?[号號](?![线線楼门門口出])",
]);

const turkishStreet =
  "(?:caddesi|cadde|cad\\.?|cd\\.?|sokak|sokaği|sokagi|sok\\.?|sk\\.?|bulvari|bulvar|bulv\\.?|blv\\.?)";
const houseNumber = `\\d{1,4}(?:\\s?[a-z])?(?:\\s?/\\s?\\d{1,4})?${end}`;
const turkishFlat = "daire|kat\\s?[:.]?\\s?\\d|d\\s?[:.]|k\\s?[:.]|\\d{5}";
const arabicHouse = "(?:رقم|عمارة|عماره|مبنى|بناية|منزل|فيلا|شقة|شقه)";

/** Streets with a name that is not an ordinary word. */
const streets = [
  `${start}(?<name>[\\p{L}\\p{N}.'’-]{1,24})\\s(?:${turkishStreet}|mahallesi|mah\\.?)(?!\\p{L})[\\p{L}\\p{N} .,:/-]{0,40}?${start}no\\s?[:.]?\\s?${houseNumber}`,
  `${start}(?<name>[\\p{L}\\p{N}.'’-]{1,24})\\s${turkishStreet}(?!\\p{L})[\\s,]{1,2}${houseNumber}(?=\\s{0,2}(?:$|[,;\\n]|\\.\\s{0,2}$|${turkishFlat}))`,
  `${start}(?:jl|jln|jalan|gg\\.|gang)(?:\\.\\s?|\\s)(?<name>[\\p{L}\\p{N}.'’-]{1,24})(?:\\s[\\p{L}\\p{N}.'’-]{1,24}){0,3}?,?\\s(?:no|nomor|nomer|nmr|kav|kavling|blok)\\s?[.:]?\\s?[a-z]{0,2}\\s?${houseNumber}`,
  `${start}(?:jl|jln)(?:\\.\\s?|\\s)(?<name>[\\p{L}.'’-]{1,24})(?:\\s[\\p{L}.'’-]{2,24}){0,2}?,?\\s${houseNumber}(?=\\s{0,2}(?:$|[,;.\\n]|rt))`,
  `${start}(?:شارع|ش\\.)\\s(?<name>\\p{L}{2,24})(?:\\s\\p{L}{2,16}){0,3}?[،,]?\\s${arabicHouse}\\s(?:رقم\\s)?\\d{1,4}${end}`,
  `${start}شارع\\s(?<name>\\p{L}{2,24})(?:\\s\\p{L}{2,16}){0,3}?[،,]?\\s\\d{1,5}(?=\\s{0,2}(?:$|[،,\\n]))`,
  `(?<!الساعة\\s|الساعه\\s)${start}\\d{1,4}[،,]?\\s(?:شارع|ش\\.)\\s(?<name>\\p{L}{2,24})`,
].map((source) => new RegExp(source, "gu"));

function isNamed({ groups }: RegExpExecArray): boolean {
  return !ordinaryBefore.has(groups?.["name"] ?? "");
}

const plainStreet = "street|st|avenue|ave|road|rd|boulevard|blvd|parkway|pkwy|highway|hwy";
/** Ambiguous words such as "Drive". Only a capitalized "14 Oak Drive" is a street. */
const capitalStreet =
  "Lane|Ln|Drive|Dr|Court|Ct|Crescent|Terrace|Square|Sq|Close|Way|Place|Pl|Grove|Gardens|Mews|Row|Hill|Park|Circle|Trail";
const afterStreet =
  /^(?:\s{0,2}(?:$|[,.;!?()#\n\d])|\s(?:apt|apartment|flat|unit|suite|floor|in|near|at|and|zip|[nsew]|[ns][ew]|north|south|east|west)(?!\p{L}))/iu;
const afterLength = 16;
const announced =
  "(?<announced>(?:i live|we live|live|living|address is|address:|located|my house is|come|come over|i am|i'm|im|i stay|staying|send it|sent|meet me)(?: at| to)? )?";
const word = "(?:\\p{L}[\\p{L}.'’-]{0,24}|\\d{1,3}(?:st|nd|rd|th))";
const englishNumber = "(?<![\\p{L}\\p{N}.,:$€£#/-])\\d{1,5}[a-z]?(?:-\\d{1,5})?,?\\s{1,2}";
const englishStreets = [
  new RegExp(`${announced}${englishNumber}(?<words>${word}(?:\\s${word}){0,2}?)\\s(?:${plainStreet})${end}`, "giu"),
  new RegExp(
    `${englishNumber}(?<words>\\p{Lu}[\\p{L}.'’-]{1,24}(?:\\s\\p{Lu}[\\p{L}.'’-]{0,24}){0,2}?)\\s(?:${capitalStreet})${end}`,
    "gu",
  ),
];

/** "12 Main Street", unless the phrase continues ("the 2 best street musicians") or has a word of time or number. */
function englishStreet(written: string): Place | undefined {
  for (const street of englishStreets)
    for (const match of matchesOf(street, written)) {
      const { 0: found, groups, index } = match;
      const after = written.slice(index + found.length).slice(0, afterLength);
      const isWhole = afterStreet.test(after) || Boolean(groups?.["announced"]);
      const names = (groups?.["words"] ?? "").toLowerCase().split(/\s/);
      if (isWhole && !names.some((word) => ordinaryEnglish.has(word))) return placeOf(match);
    }
  return undefined;
}

function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(sources.join("|"), "u");
}
