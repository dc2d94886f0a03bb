/** How a drawn person looks; the people of the pictures are invented. */
export interface PortraitLook {
  /** Three stops of the background. */
  background: readonly [string, string, string];
  skin: string;
  skinShade: string;
  hair: string;
  hairLight: string;
  shirt: string;
  shirtShade: string;
  style: "long" | "short" | "bun" | "curly";
  scene: "window" | "lamp" | "plants";
  glasses?: true;
  beard?: true;
}

export const portraitLooks = {
  ana: {
    background: ["#f3b98a", "#c8735b", "#5d3442"],
    skin: "#b9764f",
    skinShade: "#99593a",
    hair: "#2a1715",
    hairLight: "#4a2a22",
    shirt: "#f2e3cf",
    shirtShade: "#d9c3a6",
    style: "curly",
    scene: "lamp",
  },
  theo: {
    background: ["#8fc1c9", "#4c7f8e", "#223b4a"],
    skin: "#e7b48f",
    skinShade: "#cb8f69",
    hair: "#4b3222",
    hairLight: "#6d4c34",
    shirt: "#27493d",
    shirtShade: "#1a352c",
    style: "short",
    scene: "plants",
    glasses: true,
    beard: true,
  },
  mira: {
    background: ["#cfd9f2", "#7d8fc4", "#343c68"],
    skin: "#f0c7a5",
    skinShade: "#d9a27c",
    hair: "#1b1a22",
    hairLight: "#34323f",
    shirt: "#d8573c",
    shirtShade: "#b3412a",
    style: "long",
    scene: "window",
  },
  sam: {
    background: ["#c9d7b0", "#7c9a6b", "#2f4436"],
    skin: "#7d4e36",
    skinShade: "#613924",
    hair: "#17100e",
    hairLight: "#2d211c",
    shirt: "#f0b73a",
    shirtShade: "#cf9320",
    style: "bun",
    scene: "plants",
  },
} as const satisfies Record<string, PortraitLook>;
