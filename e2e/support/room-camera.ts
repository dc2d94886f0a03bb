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

/**
 * Runs in the page, before its own scripts: replaces the camera by a drawn room with a person who moves, 15 frames a
 * second, whatever size the page requests.
 */
function roomCamera(scene: RoomScene): void {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  let state = scene.seed * 7_919 + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (let round = 0; round < 8; round += 1) next();
  const furniture = Array.from({ length: 14 }, () => ({
    x: next() * 1.1 - 0.1,
    y: next() * 1.1 - 0.1,
    width: 0.06 + next() * 0.35,
    height: 0.06 + next() * 0.45,
    colour: `hsl(${next() * 360} ${10 + next() * 40}% ${12 + next() * 75}%)`,
  }));
  const [wall, skin, clothes, hair] = [next(), next(), next(), next()];
  const place = { x: 0.4 + next() * 0.2, y: 0.35 + next() * 0.1, size: 0.12 + next() * 0.1 };
  const draw = (context: CanvasRenderingContext2D, step: number) => {
    const { width, height, sway, light } = scene;
    const pan = sway * Math.sin(step / 40) * 0.5;
    context.setTransform(width, 0, 0, height, pan * width, 0);
    const side = context.createLinearGradient(0, 0, 1, 1);
    side.addColorStop(0, `hsl(${wall * 360} 20% ${40 + wall * 40}%)`);
    side.addColorStop(1, `hsl(${wall * 360} 25% ${20 + wall * 30}%)`);
    context.fillStyle = side;
    context.fillRect(-1, 0, 3, 1);
    for (const piece of furniture) {
      context.fillStyle = piece.colour;
      context.fillRect(piece.x, piece.y, piece.width, piece.height);
    }
    const x = place.x + sway * Math.sin(step / 13);
    const y = place.y + (sway / 2) * Math.cos(step / 9);
    const egg = (at: [number, number], across: number, down: number, colour: string) => {
      context.fillStyle = colour;
      context.beginPath();
      context.ellipse(at[0], at[1], across, down, 0, 0, 7);
      context.fill();
    };
    egg(
      [x, y + place.size * 2.9],
      place.size * 1.9,
      place.size * 1.7,
      `hsl(${clothes * 360} 40% ${20 + clothes * 50}%)`,
    );
    egg([x, y - place.size * 0.25], place.size * 0.95, place.size * 1.3, `hsl(30 30% ${8 + hair * 40}%)`);
    egg([x, y], place.size * 0.8, place.size * 1.15, `hsl(25 40% ${45 + skin * 35}%)`);
    for (const eye of [-0.3, 0.3]) egg([x + eye * place.size, y - 0.2 * place.size], 0.01, 0.012, "#201510");
    egg([x, y + 0.5 * place.size], 0.03, 0.006 + 0.008 * Math.abs(Math.sin(step / 3)), "#803030");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = light < 1 ? `rgb(0 0 0 / ${1 - light})` : `rgb(255 255 255 / ${(light - 1) / 2})`;
    context.fillRect(0, 0, width, height);
    // The noise of a sensor.
    for (let speck = 0; speck < 300; speck += 1) {
      context.fillStyle = speck % 2 === 0 ? "rgb(255 255 255 / 12%)" : "rgb(0 0 0 / 12%)";
      context.fillRect(Math.random() * width, Math.random() * height, 2, 2);
    }
  };
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    if (!wanted?.video) return stream;
    const canvas = Object.assign(document.createElement("canvas"), { width: scene.width, height: scene.height });
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
  const whole: RoomScene = { seed: 1, width: 640, height: 480, light: 1, sway: 0.03, ...scene };
  return { content: `(${roomCamera.toString()})(${JSON.stringify(whole)});` };
}
