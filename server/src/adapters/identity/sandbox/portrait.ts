import sharp from "sharp";
import type { AvatarSource } from "#ports/avatars.ts";

/** A drawn head-and-shoulders picture as an SVG document, 400 x 400; the same name is always the same person. */
export function portraitSvg(name: string): string {
  const look = lookOf(name);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 40 400 400" width="400" height="400">`,
    definitions(look),
    `<rect width="400" height="500" fill="url(#back)"/>`,
    `<g filter="url(#blur)">${scenes[look.scene]}</g>`,
    `<g transform="translate(0 30)">`,
    hairBehind[look.style],
    body(look),
    head(look),
    look.beard ? beard(look) : "",
    features(look),
    look.glasses ? glasses : "",
    hairInFront[look.style],
    `</g>`,
    `<rect width="400" height="500" fill="url(#vignette)"/>`,
    `</svg>`,
  ].join("");
}

function definitions({ background, skin, shirt, hair }: Look): string {
  const blend = (id: string, box: string, stops: readonly [offset: number, colour: string][]) =>
    `<linearGradient id="${id}" x1="0" y1="0" ${box}>${stops
      .map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`)
      .join("")}</linearGradient>`;
  return [
    `<defs>`,
    blend("back", `x2="1" y2="1"`, [
      [0, background[0]],
      [0.55, background[1]],
      [1, background[2]],
    ]),
    blend("skin", `x2="1" y2="0"`, [
      [0, skin[0]],
      [1, skin[1]],
    ]),
    blend("shirt", `x2="1" y2=".6"`, [
      [0, shirt[0]],
      [1, shirt[1]],
    ]),
    blend("hair", `x2="1" y2="1"`, [
      [0, hair[1]],
      [0.5, hair[0]],
    ]),
    `<radialGradient id="vignette" cx=".5" cy=".4" r=".8"><stop offset=".55" stop-opacity="0"/><stop offset="1" stop-opacity=".4"/></radialGradient>`,
    `<filter id="blur" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="7"/></filter>`,
    `</defs>`,
  ].join("");
}

const scenes: Readonly<Record<Look["scene"], string>> = {
  lamp:
    `<circle cx="330" cy="120" r="120" fill="#ffd9a0" opacity=".55"/><path d="M300 60h60l22 70H278z" fill="#ffe9c4"/>` +
    `<rect x="327" y="130" width="6" height="200" fill="#6d3f36" opacity=".7"/><rect x="-10" y="150" width="130" height="10" fill="#4a2731" opacity=".75"/>` +
    `<rect x="8" y="96" width="20" height="54" fill="#e8d3b5" opacity=".8"/><rect x="32" y="86" width="16" height="64" fill="#8f4a3e"/><rect x="52" y="102" width="24" height="48" fill="#d79a5c" opacity=".8"/>`,
  window:
    `<rect x="20" y="-20" width="170" height="300" fill="#f7f9ff" opacity=".85"/><rect x="100" y="-20" width="9" height="300" fill="#9aa8d4"/>` +
    `<rect x="20" y="120" width="170" height="9" fill="#9aa8d4"/><rect x="268" y="70" width="110" height="140" rx="4" fill="#5a679f" opacity=".7"/><circle cx="322" cy="130" r="34" fill="#e9b6a2" opacity=".75"/>`,
  plants:
    `<path d="M330 330c-40-60-60-150-30-220 34 50 58 130 30 220z" fill="#1f4433" opacity=".8"/><path d="M350 330c0-90 40-150 90-180 0 80-30 150-90 180z" fill="#2e6146" opacity=".8"/>` +
    `<path d="M318 330c-60-30-100-90-98-150 52 22 92 86 98 150z" fill="#356f50" opacity=".65"/><rect x="-10" y="90" width="120" height="9" fill="#1c2d30" opacity=".55"/><circle cx="34" cy="66" r="24" fill="#e4d6b8" opacity=".6"/>`,
};

const hairBehind: Readonly<Record<Look["style"], string>> = {
  long: `<path d="M128 190c-8-90 40-128 76-128s82 40 74 130c-4 60 4 120 26 168H100c24-56 30-110 28-170z" fill="url(#hair)"/>`,
  curly:
    `<g fill="url(#hair)"><circle cx="200" cy="130" r="74"/><circle cx="138" cy="160" r="44"/><circle cx="262" cy="160" r="44"/><circle cx="122" cy="214" r="40"/>` +
    `<circle cx="278" cy="214" r="40"/><circle cx="128" cy="266" r="34"/><circle cx="272" cy="266" r="34"/></g>`,
  bun: `<circle cx="200" cy="78" r="36" fill="url(#hair)"/>`,
  scarf: `<path d="M108 250c-10-120 34-178 92-178s102 58 92 178c-4 50 20 90 34 120H74c14-30 38-70 34-120z" fill="url(#shirt)"/>`,
  short: "",
};

const hairInFront: Readonly<Record<Look["style"], string>> = {
  long: `<path d="M128 220c-4-76 30-122 74-122s76 46 70 122c-8-36-22-58-40-72-18 28-52 48-76 48-6 6-10 14-12 24z" fill="url(#hair)"/>`,
  curly: `<path d="M128 214c0-68 32-108 74-108s72 40 70 108c-4 0-8-4-11-14-12-26-29-42-45-50-20 20-58 26-74 54-4 8-9 10-14 10z" fill="url(#hair)"/>`,
  bun: `<path d="M130 212c-4-68 28-110 70-110s74 42 70 110c-12-48-36-62-66-62s-54 18-66 62z" fill="url(#hair)"/>`,
  scarf:
    `<path d="M126 226c-6-84 30-128 74-128s80 44 74 128c-8-52-34-82-74-82s-66 30-74 82z" fill="url(#shirt)"/>` +
    `<path d="M136 290c20 40 44 58 64 58s44-18 64-58l20 74c-30 30-58 40-84 40s-54-10-84-40z" fill="url(#shirt)"/>`,
  short: `<path d="M132 204c-8-66 26-112 72-112 50 0 72 40 64 112-6-20-12-36-16-50-30 8-70 4-92-10-10 12-22 34-28 60z" fill="url(#hair)"/>`,
};

function body({ skin, shirt }: Look): string {
  return (
    `<path d="M12 760V506c4-92 66-138 130-152 20-4 30-12 34-24h48c4 12 14 20 34 24 64 14 126 60 130 152v254z" fill="url(#shirt)"/>` +
    `<path d="M170 290h60v48c0 16-12 30-30 30s-30-14-30-30z" fill="${skin[1]}"/>` +
    `<path d="M160 347c10 22 24 32 40 32s30-10 40-32l14 6c-10 34-30 50-54 50s-44-16-54-50z" fill="${shirt[1]}" opacity=".8"/>`
  );
}

function head({ skin }: Look): string {
  return (
    `<g fill="${skin[1]}"><ellipse cx="136" cy="226" rx="11" ry="18"/><ellipse cx="264" cy="226" rx="11" ry="18"/></g>` +
    `<path d="M138 200c0-56 28-86 62-86s62 30 62 86c0 72-28 126-62 126s-62-54-62-126z" fill="url(#skin)"/>`
  );
}

function beard({ hair }: Look): string {
  return `<path d="M139 226c2 66 28 104 61 104s59-38 61-104c-6 30-16 42-30 44-10-8-20-10-31-10s-21 2-31 10c-14-2-24-14-30-44z" fill="${hair[0]}" opacity=".9"/>`;
}

function features({ skin, hair }: Look): string {
  return (
    `<g fill="none" stroke="${hair[0]}" stroke-width="5.5" stroke-linecap="round"><path d="M158 196c8-8 20-9 30-4"/><path d="M212 192c10-5 22-4 30 4"/></g>` +
    `<g fill="#1d1412"><ellipse cx="174" cy="217" rx="6" ry="7"/><ellipse cx="226" cy="217" rx="6" ry="7"/></g><g fill="#fff"><circle cx="176" cy="214.5" r="2"/><circle cx="228" cy="214.5" r="2"/></g>` +
    `<path d="M199 224c-2 12-6 20-5 25 2 4 8 4 12 2" stroke="${skin[1]}" stroke-width="4" stroke-linecap="round" fill="none"/>` +
    `<path d="M172 274c8 8 18 11 28 11s20-3 28-11c-2 16-13 26-28 26s-26-10-28-26z" fill="#7d2b2b"/><path d="M177 277c7 4 15 6 23 6s16-2 23-6c-1 5-3 8-6 11h-34c-3-3-5-6-6-11z" fill="#fff"/>` +
    `<g fill="#e0564a" opacity=".18"><ellipse cx="158" cy="254" rx="14" ry="9"/><ellipse cx="242" cy="254" rx="14" ry="9"/></g>`
  );
}

const glasses =
  `<g fill="none" stroke="#20262b" stroke-width="4.5"><rect x="150" y="201" width="44" height="34" rx="14"/><rect x="206" y="201" width="44" height="34" rx="14"/>` +
  `<path d="M194 214c4-4 8-4 12 0M150 212l-12-4M250 212l12-4"/></g>`;

/** Parts a portrait is put together from; colours are CSS hexadecimal. */
interface Look {
  background: readonly [string, string, string];
  skin: readonly [light: string, shade: string];
  hair: readonly [dark: string, light: string];
  shirt: readonly [light: string, shade: string];
  style: "long" | "short" | "bun" | "curly" | "scarf";
  scene: "window" | "lamp" | "plants";
  glasses: boolean;
  beard: boolean;
}

const backgrounds = {
  clay: ["#f3b98a", "#c8735b", "#5d3442"],
  sea: ["#8fc1c9", "#4c7f8e", "#223b4a"],
  dusk: ["#cfd9f2", "#7d8fc4", "#343c68"],
  moss: ["#c9d7b0", "#7c9a6b", "#2f4436"],
  sand: ["#f0e0bd", "#c7a36a", "#5c4630"],
} as const;

const skins = {
  pale: ["#f3cdb2", "#d8a483"],
  rose: ["#e7b48f", "#cb8f69"],
  olive: ["#d29a6c", "#b07a4e"],
  brown: ["#b9764f", "#99593a"],
  deep: ["#7d4e36", "#613924"],
} as const;

const hairs = {
  black: ["#1b1a22", "#34323f"],
  brown: ["#4b3222", "#6d4c34"],
  copper: ["#8c3f1f", "#b65c30"],
  blond: ["#b58a4a", "#d8b374"],
  silver: ["#7b7f86", "#a5a9b0"],
} as const;

const shirts = {
  cream: ["#f2e3cf", "#d9c3a6"],
  pine: ["#27493d", "#1a352c"],
  brick: ["#d8573c", "#b3412a"],
  sun: ["#f0b73a", "#cf9320"],
  ink: ["#2d3550", "#1e2438"],
} as const;

interface Choice {
  background: keyof typeof backgrounds;
  skin: keyof typeof skins;
  hair: keyof typeof hairs;
  shirt: keyof typeof shirts;
  style: Look["style"];
  scene: Look["scene"];
  extra?: "glasses" | "beard" | "both";
}

const known: Readonly<Record<string, Choice>> = {
  ana: { background: "clay", skin: "brown", hair: "black", shirt: "cream", style: "curly", scene: "lamp" },
  bo: { background: "sand", skin: "pale", hair: "blond", shirt: "ink", style: "short", scene: "window" },
  theo: {
    background: "sea",
    skin: "rose",
    hair: "brown",
    shirt: "pine",
    style: "short",
    scene: "plants",
    extra: "both",
  },
  mira: { background: "dusk", skin: "pale", hair: "black", shirt: "brick", style: "long", scene: "window" },
  sam: { background: "moss", skin: "olive", hair: "black", shirt: "sun", style: "short", scene: "plants" },
  lale: { background: "clay", skin: "rose", hair: "copper", shirt: "ink", style: "long", scene: "plants" },
  putri: { background: "sea", skin: "olive", hair: "black", shirt: "cream", style: "scarf", scene: "lamp" },
  omar: {
    background: "sand",
    skin: "olive",
    hair: "black",
    shirt: "cream",
    style: "short",
    scene: "lamp",
    extra: "beard",
  },
  kate: {
    background: "dusk",
    skin: "pale",
    hair: "copper",
    shirt: "pine",
    style: "bun",
    scene: "window",
    extra: "glasses",
  },
  mia: { background: "moss", skin: "rose", hair: "blond", shirt: "brick", style: "bun", scene: "lamp" },
  noor: {
    background: "clay",
    skin: "brown",
    hair: "black",
    shirt: "pine",
    style: "short",
    scene: "window",
    extra: "beard",
  },
  ada: {
    background: "dusk",
    skin: "rose",
    hair: "silver",
    shirt: "ink",
    style: "bun",
    scene: "plants",
    extra: "glasses",
  },
  rex: {
    background: "sea",
    skin: "pale",
    hair: "copper",
    shirt: "brick",
    style: "short",
    scene: "lamp",
    extra: "beard",
  },
  kim: { background: "sand", skin: "pale", hair: "black", shirt: "sun", style: "long", scene: "plants" },
};

/** The look of a seeded person, or one that follows from the letters of any other name. */
function lookOf(name: string): Look {
  const choice = known[name] ?? chosenBy(name);
  return {
    background: backgrounds[choice.background],
    skin: skins[choice.skin],
    hair: hairs[choice.hair],
    shirt: shirts[choice.shirt],
    style: choice.style,
    scene: choice.scene,
    glasses: choice.extra === "glasses" || choice.extra === "both",
    beard: choice.extra === "beard" || choice.extra === "both",
  };
}

function chosenBy(name: string): Choice {
  let state = 2_166_136_261;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return values[Math.floor((state / 2 ** 32) * values.length)] ?? values[0];
  };
  return {
    background: pick(["clay", "sea", "dusk", "moss", "sand"]),
    skin: pick(["pale", "rose", "olive", "brown", "deep"]),
    hair: pick(["black", "brown", "copper", "blond", "silver"]),
    shirt: pick(["cream", "pine", "brick", "sun", "ink"]),
    style: pick(["long", "short", "bun", "curly"]),
    scene: pick(["window", "lamp", "plants"]),
  };
}

const portraitAddress = /^\/sandbox\/identity\/avatars\/([a-z0-9-]{1,40})\.svg$/;

/** Name behind the address of a portrait, or null for any other address. */
export function portraitName(address: string): string | null {
  return portraitAddress.exec(address)?.[1] ?? null;
}

/**
 * The sandbox's own portraits, drawn in process: the server never has to call itself to fetch them. Any other address
 * goes to the source behind.
 */
export class SandboxAvatars implements AvatarSource {
  readonly #behind: AvatarSource;

  constructor(behind: AvatarSource) {
    this.#behind = behind;
  }

  async fetch(url: string, allowedHosts: readonly string[]): Promise<Buffer | null> {
    const name = portraitName(url);
    if (name === null) return this.#behind.fetch(url, allowedHosts);
    return sharp(Buffer.from(portraitSvg(name)))
      .png()
      .toBuffer();
  }
}
