import type { ReactNode } from "react";
import type { PortraitLook } from "#ui/portrait-looks.ts";

/** Head, face and shoulders of a drawn person. */
export function PortraitFace({ look, skin, shirt }: { look: PortraitLook; skin: string; shirt: string }): ReactNode {
  return (
    <>
      <path
        d="M12 760V506c4-92 66-138 130-152 20-4 30-12 34-24h48c4 12 14 20 34 24 64 14 126 60 130 152v254z"
        fill={shirt}
      />
      <path d="M170 290h60v48c0 16-12 30-30 30s-30-14-30-30z" fill={look.skinShade} />
      <path
        d="M160 347c10 22 24 32 40 32s30-10 40-32l14 6c-10 34-30 50-54 50s-44-16-54-50z"
        fill={look.shirtShade}
        opacity=".8"
      />
      <ellipse cx="136" cy="226" rx="11" ry="18" fill={look.skinShade} />
      <ellipse cx="264" cy="226" rx="11" ry="18" fill={look.skinShade} />
      <path d="M138 200c0-56 28-86 62-86s62 30 62 86c0 72-28 126-62 126s-62-54-62-126z" fill={skin} />
      {look.beard && (
        <path
          d="M139 226c2 66 28 104 61 104s59-38 61-104c-6 30-16 42-30 44-10-8-20-10-31-10s-21 2-31 10c-14-2-24-14-30-44z"
          fill={look.hair}
          opacity=".9"
        />
      )}
      <g stroke={look.hair} strokeWidth="5.5" strokeLinecap="round" fill="none">
        <path d="M158 196c8-8 20-9 30-4" />
        <path d="M212 192c10-5 22-4 30 4" />
      </g>
      <g fill="#1d1412">
        <ellipse cx="174" cy="217" rx="6" ry="7" />
        <ellipse cx="226" cy="217" rx="6" ry="7" />
      </g>
      <circle cx="176" cy="214.5" r="2" fill="#fff" />
      <circle cx="228" cy="214.5" r="2" fill="#fff" />
      <path
        d="M199 224c-2 12-6 20-5 25 2 4 8 4 12 2"
        stroke={look.skinShade}
        strokeWidth="4"
        strokeLinecap="round"
        fill="none"
      />
      <path d="M172 274c8 8 18 11 28 11s20-3 28-11c-2 16-13 26-28 26s-26-10-28-26z" fill="#7d2b2b" />
      <path d="M177 277c7 4 15 6 23 6s16-2 23-6c-1 5-3 8-6 11h-34c-3-3-5-6-6-11z" fill="#fff" />
      <g fill="#e0564a" opacity=".18">
        <ellipse cx="158" cy="254" rx="14" ry="9" />
        <ellipse cx="242" cy="254" rx="14" ry="9" />
      </g>
      {look.glasses && (
        <g fill="none" stroke="#20262b" strokeWidth="4.5">
          <rect x="150" y="201" width="44" height="34" rx="14" />
          <rect x="206" y="201" width="44" height="34" rx="14" />
          <path d="M194 214c4-4 8-4 12 0M150 212l-12-4M250 212l12-4" />
        </g>
      )}
    </>
  );
}
