import { useId, type ReactNode } from "react";
import { PortraitFace } from "#ui/PortraitFace.tsx";
import { PortraitHair } from "#ui/PortraitHair.tsx";
import { portraitLooks, type PortraitLook } from "#ui/portrait-looks.ts";
import { PortraitScene } from "#ui/PortraitScene.tsx";
import styles from "#ui/Portrait.module.css";

/**
 * A drawn person who fills its place, where another product would show a photograph. Hidden from readers unless it is
 * given a label. `wide` is for places that are wider than high: it shows more of the room, and the whole face.
 */
export function Portrait(props: { person: keyof typeof portraitLooks; label?: string; wide?: boolean }): ReactNode {
  const id = useId().replaceAll(/[^a-zA-Z0-9]/g, "");
  const look: PortraitLook = portraitLooks[props.person];
  const fill = (name: string) => `url(#${id}${name})`;
  const words = props.label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": props.label };
  return (
    <svg
      viewBox={props.wide ? "-130 -140 660 660" : "0 0 400 500"}
      preserveAspectRatio={props.wide ? "xMidYMax slice" : "xMidYMid slice"}
      className={styles.portrait}
      {...words}
    >
      <PortraitFills id={id} look={look} />
      <rect x="-400" y="-300" width="1200" height="900" fill={fill("ground")} />
      <PortraitScene scene={look.scene} blur={fill("blur")} />
      <g transform={`translate(0 ${props.wide ? -36 : 30})`}>
        <PortraitHair style={look.style} part="behind" fill={fill("hair")} />
        <PortraitFace look={look} skin={fill("skin")} shirt={fill("shirt")} />
        <PortraitHair style={look.style} part="front" fill={fill("hair")} />
      </g>
      <rect x="-400" y="-300" width="1200" height="900" fill={fill("dusk")} />
    </svg>
  );
}

function PortraitFills({ id, look }: { id: string; look: PortraitLook }): ReactNode {
  const [first, middle, last] = look.background;
  return (
    <defs>
      <linearGradient id={`${id}ground`} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor={first} />
        <stop offset=".55" stopColor={middle} />
        <stop offset="1" stopColor={last} />
      </linearGradient>
      <radialGradient id={`${id}dusk`} cx=".5" cy=".4" r=".8">
        <stop offset=".55" stopColor="#000" stopOpacity="0" />
        <stop offset="1" stopColor="#000" stopOpacity=".45" />
      </radialGradient>
      <linearGradient id={`${id}skin`} x1="0" y1="0" x2="1" y2="0">
        <stop offset="0" stopColor={look.skin} />
        <stop offset="1" stopColor={look.skinShade} />
      </linearGradient>
      <linearGradient id={`${id}shirt`} x1="0" y1="0" x2="1" y2=".6">
        <stop offset="0" stopColor={look.shirt} />
        <stop offset="1" stopColor={look.shirtShade} />
      </linearGradient>
      <linearGradient id={`${id}hair`} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stopColor={look.hairLight} />
        <stop offset=".5" stopColor={look.hair} />
      </linearGradient>
      <filter id={`${id}blur`} x="-20%" y="-20%" width="140%" height="140%">
        <feGaussianBlur stdDeviation="7" />
      </filter>
    </defs>
  );
}
