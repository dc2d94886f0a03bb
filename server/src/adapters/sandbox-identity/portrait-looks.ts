/** Parts a portrait is put together from; colours are CSS hexadecimal. */
export interface Look {
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
export function lookOf(name: string): Look {
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
