import type { ReactNode } from "react";
import type { PortraitLook } from "#ui/portrait-looks.ts";

type Style = PortraitLook["style"];

/** The hair of a drawn person: one part behind the head, one over the forehead. */
export function PortraitHair(props: { style: Style; part: "behind" | "front"; fill: string }): ReactNode {
  return <g fill={props.fill}>{props.part === "behind" ? behind[props.style] : front[props.style]}</g>;
}

const behind: Readonly<Record<Style, ReactNode>> = {
  long: <path d="M128 190c-8-90 40-128 76-128s82 40 74 130c-4 60 4 120 26 168H100c24-56 30-110 28-170z" />,
  curly: (
    <>
      <circle cx="200" cy="130" r="74" />
      <circle cx="138" cy="160" r="44" />
      <circle cx="262" cy="160" r="44" />
      <circle cx="122" cy="214" r="40" />
      <circle cx="278" cy="214" r="40" />
      <circle cx="128" cy="266" r="34" />
      <circle cx="272" cy="266" r="34" />
      <circle cx="160" cy="100" r="38" />
      <circle cx="240" cy="100" r="38" />
    </>
  ),
  bun: <circle cx="200" cy="78" r="36" />,
  short: null,
};

const front: Readonly<Record<Style, ReactNode>> = {
  short: (
    <path d="M132 204c-8-66 26-112 72-112 50 0 72 40 64 112-6-20-12-36-16-50-30 8-70 4-92-10-10 12-22 34-28 60z" />
  ),
  long: <path d="M128 220c-4-76 30-122 74-122 44 0 76 46 70 122-8-36-22-58-40-72-18 28-52 48-76 48-6 6-10 14-12 24z" />,
  curly: (
    <path d="M128 214c0-68 32-108 74-108s72 40 70 108c-4 0-8-4-11-14-12-26-29-42-45-50-20 20-58 26-74 54-4 8-9 10-14 10z" />
  ),
  bun: <path d="M130 212c-4-68 28-110 70-110s74 42 70 110c-12-48-36-62-66-62s-54 18-66 62z" />,
};
