import type { Reaction } from "@fava/wire/reactions.ts";
import type { ReactNode } from "react";

const skin = "#ffcf3f";
const ink = "#4a2b00";
const mouthed = { fill: "none", stroke: ink, strokeWidth: 2.4, strokeLinecap: "round" } as const;

const drawings: Readonly<Record<Reaction, ReactNode>> = {
  heart: (
    <path
      fill="#ff4d6d"
      d="M16 28S3.500 21 3.500 12.500C3.500 8.400 6.700 5.500 10.200 5.500c2.500 0 4.700 1.400 5.800 3.600 1.100-2.200 3.300-3.600 5.800-3.600 3.500 0 6.700 2.900 6.700 7C28.500 21 16 28 16 28z"
    />
  ),
  laugh: (
    <>
      <circle cx="16" cy="16" r="13" fill={skin} />
      <path {...mouthed} d="M7.800 13.200c.9-2.300 3.900-2.300 4.800 0M19.400 13.200c.9-2.300 3.900-2.300 4.800 0" />
      <path fill={ink} d="M8.200 17.200h15.600c0 4.600-3.500 7.800-7.800 7.800s-7.800-3.200-7.800-7.800z" />
      <path
        fill="#ff6b6b"
        d="M11.800 23.600a4.500 4.500 0 0 1 8.400 0A7.600 7.600 0 0 1 16 25a7.600 7.600 0 0 1-4.200-1.400z"
      />
    </>
  ),
  wow: (
    <>
      <circle cx="16" cy="16" r="13" fill={skin} />
      <path {...mouthed} d="M8.600 8.800c.8-.8 1.800-1.200 2.900-1.200M23.400 8.800c-.8-.8-1.800-1.200-2.900-1.200" />
      <circle cx="11.200" cy="13.600" r="1.900" fill={ink} />
      <circle cx="20.800" cy="13.600" r="1.900" fill={ink} />
      <ellipse cx="16" cy="21.600" rx="3.400" ry="4.200" fill={ink} />
    </>
  ),
  thumb: (
    <>
      <rect x="3.500" y="14" width="6.500" height="13.500" rx="2.200" fill="#2f7d4f" />
      <path
        fill="#5fcf86"
        d="M11.500 15.300 16 5.200c.4-.9 1.400-1.300 2.300-.9 1.600.6 2.300 2.200 2 3.900l-.8 4.300h5.700c2.200 0 3.700 2 3.200 4.100l-2 8.100a3.700 3.700 0 0 1-3.600 2.800H14a2.500 2.500 0 0 1-2.500-2.500z"
      />
    </>
  ),
  wave: (
    <>
      <g fill="none" stroke={skin} strokeWidth="4.400" strokeLinecap="round">
        <path d="m12.600 19-4.800-7.400M15.800 17.400l-4.500-9.700M19.400 16.400 16.800 6.800M22.800 16.800l-.8-7.300" />
        <path d="m12.200 22.600-5.900-4.300" />
      </g>
      <path fill={skin} d="M10.600 17.200 25 14.600v6.200c0 4.200-3 7.400-7 7.400-3.200 0-5.600-1.600-7-4.400z" />
      <path
        {...mouthed}
        stroke="#8fd3ff"
        d="M25.200 4.600c1.700.9 2.900 2.400 3.400 4.300M3.400 23.600c.5 1.700 1.600 3.100 3.100 4"
      />
    </>
  ),
  party: (
    <>
      <path fill="#ffb020" d="M11.600 10.600 21.400 20.400 5.900 27.700a1.200 1.200 0 0 1-1.600-1.600z" />
      <path fill="#e2574c" d="m9.300 15.600 7.100 7.200-3.700 1.700-5.100-5.200z" />
      <path
        {...mouthed}
        stroke="#c98bff"
        d="M16 8.800c1.600-1.300 2-3.200 1.300-5.300M23 16c1.500-1.500 3.500-1.800 5.400-.9"
      />
      <circle cx="23.600" cy="8.400" r="2.200" fill="#5fcf86" />
      <circle cx="11.200" cy="5.400" r="1.700" fill="#ff4d6d" />
      <circle cx="26.600" cy="21.600" r="1.700" fill="#4aa8ff" />
      <circle cx="28" cy="4.200" r="1.400" fill="#ff4d6d" />
    </>
  ),
};

/** The drawing of a reaction; decorative beside its name. */
export function ReactionSign({ reaction, size = 28 }: { reaction: Reaction; size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      {drawings[reaction]}
    </svg>
  );
}
