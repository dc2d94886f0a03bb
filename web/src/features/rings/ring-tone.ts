import { openSoundContext } from "#lib/media/sound-context.ts";
import { readStored, writeStored } from "#lib/storage.ts";

/** Two notes, a pause, and again. */
const notesHz = [659.25, 783.99] as const;
const noteMs = 420;
const everyMs = 2_400;
/** Audible, but not startling. */
const loudness = 0.12;

/** Whether the user has turned the ring tone on; browsers play no sound before a press. */
export function isRingHeard(): boolean {
  return readStored("ringTone") === 1;
}

export function setRingHeard(on: boolean): void {
  writeStored("ringTone", on ? 1 : 0);
}

/** Plays the tone until the returned function is called; silent if the browser first requires a press on this page. */
export function playRingTone(): () => void {
  const owner = new AbortController();
  const context = openSoundContext(owner.signal);
  const again = () => ring(context);
  // A context is not running before its first event.
  context.addEventListener("statechange", again, { signal: owner.signal });
  const timer = setInterval(again, everyMs);
  return () => {
    clearInterval(timer);
    owner.abort();
  };
}

/** Notes of a suspended context would pile up, and sound together after the next press. */
function ring(context: AudioContext): void {
  if (context.state !== "running") return;
  notesHz.forEach((hertz, index) => {
    const from = context.currentTime + (index * noteMs) / 1_000;
    const to = from + noteMs / 1_000;
    const note = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context, { gain: loudness });
    volume.gain.setValueAtTime(loudness, from);
    volume.gain.exponentialRampToValueAtTime(0.001, to);
    note.connect(volume).connect(context.destination);
    note.start(from);
    note.stop(to);
  });
}
