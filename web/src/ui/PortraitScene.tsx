import type { ReactNode } from "react";
import type { PortraitLook } from "#ui/portrait-looks.ts";

/** The room behind a drawn person, out of focus. */
export function PortraitScene({ scene, blur }: { scene: PortraitLook["scene"]; blur: string }): ReactNode {
  return <g filter={blur}>{scenes[scene]}</g>;
}

const scenes: Readonly<Record<PortraitLook["scene"], ReactNode>> = {
  lamp: (
    <>
      <circle cx="330" cy="120" r="120" fill="#ffd9a0" opacity=".55" />
      <path d="M300 60h60l22 70h-104z" fill="#ffe9c4" />
      <rect x="327" y="130" width="6" height="200" fill="#6d3f36" opacity=".7" />
      <rect x="-10" y="150" width="130" height="10" fill="#4a2731" opacity=".75" />
      <rect x="8" y="96" width="20" height="54" fill="#e8d3b5" opacity=".8" />
      <rect x="32" y="86" width="16" height="64" fill="#8f4a3e" opacity=".9" />
      <rect x="52" y="102" width="24" height="48" fill="#d79a5c" opacity=".8" />
      <rect x="82" y="92" width="14" height="58" fill="#3d2530" opacity=".8" />
      <rect x="20" y="10" width="84" height="58" rx="3" fill="#6b3a40" opacity=".6" />
    </>
  ),
  window: (
    <>
      <rect x="20" y="-20" width="170" height="300" fill="#f7f9ff" opacity=".85" />
      <rect x="100" y="-20" width="9" height="300" fill="#9aa8d4" />
      <rect x="20" y="120" width="170" height="9" fill="#9aa8d4" />
      <path d="M-20 -20h46c12 120 6 220-26 330z" fill="#8c9bd0" opacity=".9" />
      <rect x="268" y="70" width="110" height="140" rx="4" fill="#5a679f" opacity=".8" />
      <circle cx="322" cy="130" r="34" fill="#e9b6a2" opacity=".75" />
    </>
  ),
  plants: (
    <>
      <path d="M330 330c-40-60-60-150-30-220 34 50 58 130 30 220z" fill="#1f4433" opacity=".8" />
      <path d="M350 330c0-90 40-150 90-180 0 80-30 150-90 180z" fill="#2e6146" opacity=".8" />
      <path d="M318 330c-60-30-100-90-98-150 52 22 92 86 98 150z" fill="#356f50" opacity=".65" />
      <rect x="-10" y="90" width="120" height="9" fill="#1c2d30" opacity=".55" />
      <circle cx="34" cy="66" r="24" fill="#e4d6b8" opacity=".6" />
      <rect x="66" y="40" width="26" height="50" rx="3" fill="#d17f57" opacity=".7" />
    </>
  ),
};
