/** What a drawn camera shows. */
export interface RoomScene {
  /** Furniture, light and person. */
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  /** Factor of the brightness: 1 is a lit room. */
  readonly light: number;
  /** How far the person and the camera move, as a share of the edge. */
  readonly sway: number;
}

type Draw = (context: CanvasRenderingContext2D, step: number) => void;

/** Runs in the page: returns what draws a room with a person who moves. */
function paintedRoom(scene: RoomScene): Draw {
  let state = scene.seed * 7_919 + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 8; round += 1) next();
  const furniture = Array.from({ length: 14 }, () => ({
    place: [next() * 1.1 - 0.1, next() * 1.1 - 0.1, 0.06 + next() * 0.35, 0.06 + next() * 0.45] as const,
    colour: `hsl(${next() * 360} ${10 + next() * 40}% ${12 + next() * 75}%)`,
  }));
  const [wall, skin, clothes, hair] = [next(), next(), next(), next()];
  const place = { x: 0.4 + next() * 0.2, y: 0.35 + next() * 0.1, size: 0.12 + next() * 0.1 };
  const { width, height, sway, light } = scene;
  const { size } = place;
  return (context, step) => {
    context.setTransform(width, 0, 0, height, sway * Math.sin(step / 40) * 0.5 * width, 0);
    const side = context.createLinearGradient(0, 0, 1, 1);
    side.addColorStop(0, `hsl(${wall * 360} 20% ${40 + wall * 40}%)`);
    side.addColorStop(1, `hsl(${wall * 360} 25% ${20 + wall * 30}%)`);
    context.fillStyle = side;
    context.fillRect(-1, 0, 3, 1);
    for (const piece of furniture) {
      context.fillStyle = piece.colour;
      context.fillRect(...piece.place);
    }
    const x = place.x + sway * Math.sin(step / 13);
    const y = place.y + (sway / 2) * Math.cos(step / 9);
    const mouth = 0.006 + 0.008 * Math.abs(Math.sin(step / 3));
    const eggs: readonly (readonly [string, number, number, number, number])[] = [
      [`hsl(${clothes * 360} 40% ${20 + clothes * 50}%)`, x, y + size * 2.9, size * 1.9, size * 1.7],
      [`hsl(30 30% ${8 + hair * 40}%)`, x, y - size * 0.25, size * 0.95, size * 1.3],
      [`hsl(25 40% ${45 + skin * 35}%)`, x, y, size * 0.8, size * 1.15],
      ["#201510", x - 0.3 * size, y - 0.2 * size, 0.01, 0.012],
      ["#201510", x + 0.3 * size, y - 0.2 * size, 0.01, 0.012],
      ["#803030", x, y + 0.5 * size, 0.03, mouth],
    ];
    for (const [colour, ...at] of eggs) {
      context.fillStyle = colour;
      context.beginPath();
      context.ellipse(...at, 0, 0, 7);
      context.fill();
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = light < 1 ? `rgb(0 0 0 / ${1 - light})` : `rgb(255 255 255 / ${(light - 1) / 2})`;
    context.fillRect(0, 0, width, height);
    // The noise of a sensor.
    for (let speck = 0; speck < 300; speck += 1) {
      context.fillStyle = speck % 2 === 0 ? "rgb(255 255 255 / 12%)" : "rgb(0 0 0 / 12%)";
      context.fillRect(Math.random() * width, Math.random() * height, 2, 2);
    }
  };
}

/** Runs in the page: replaces the camera by a drawing of this size, 15 frames a second, whatever the page requests. */
function drawnCamera({ width, height }: RoomScene, draw: Draw): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    if (!wanted?.video) return stream;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d");
    const [video] = canvas.captureStream(15).getVideoTracks();
    if (!context || !video) return stream;
    let step = 0;
    draw(context, step);
    const timer = setInterval(() => {
      step += 1;
      if (video.readyState === "live") draw(context, step);
      else clearInterval(timer);
    }, 66);
    for (const track of stream.getVideoTracks()) {
      track.stop();
      stream.removeTrack(track);
    }
    stream.addTrack(video);
    return stream;
  };
}

/** The script of a page with this camera. */
export function roomCameraOf(scene: Partial<RoomScene> = {}): { content: string } {
  const whole = JSON.stringify({
    seed: 1,
    width: 640,
    height: 480,
    light: 1,
    sway: 0.03,
    ...scene,
  } satisfies RoomScene);
  return { content: `(${drawnCamera.toString()})(${whole}, (${paintedRoom.toString()})(${whole}));` };
}
